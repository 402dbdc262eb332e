"""The type hints agree with what the package has, and the documents' examples run."""

import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import qdedup

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parameters(definition):
    """The names of a stub's parameters, with their defaults."""
    given = definition.args
    positional = zip([None] * (len(given.args) - len(given.defaults)) + given.defaults, given.args)
    every = [*positional, *zip(given.kw_defaults, given.kwonlyargs)]
    return {one.arg: default and ast.literal_eval(default) for default, one in every}


def test_stubs_agree_with_the_package():
    tree = ast.parse((pathlib.Path(qdedup.__file__).parent / "_core.pyi").read_text(encoding="utf-8"))
    functions = {one.name: parameters(one) for one in tree.body if isinstance(one, ast.FunctionDef)}
    assert set(functions) == {name for name in qdedup.__all__ if type(getattr(qdedup, name)).__name__ == "nb_func"}
    for name, expected in functions.items():
        signature, _doc, defaults = getattr(qdedup, name).__nb_signature__[0]
        names = re.findall(r"(\w+): [^,]+?(?: = (\\\d+))?(?=[,)])", signature[signature.index("("):signature.rindex(" ->")])
        assert {one: defaults[int(place[1:])] if place else None for one, place in names} == expected


def test_hints_are_seen_by_a_type_checker(tmp_path):
    user = tmp_path / "user.py"
    user.write_text('import qdedup\nrisk: float = qdedup.contrast("a", "b").risk\nqdedup.parts(7)\n')
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", user], capture_output=True, text=True, check=False)
    assert 'user.py:3: error: Argument 1 to "parts"' in done.stdout
    assert "Found 1 error" in done.stdout


def test_the_examples_of_the_document_run(tmp_path, monkeypatch):
    """Each block is one cell, in order, with the files of examples/."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    cells = re.findall(r"```python\n(.*?)```", (ROOT / "doc/python.md").read_text(encoding="utf-8"), re.DOTALL)
    assert cells
    names = {}
    for cell in cells:
        exec(compile(cell, "doc/python.md", "exec"), names)  # pylint: disable=exec-used
    assert (tmp_path / "deletions.parquet").stat().st_size > 0


def test_the_commands_of_the_document_on_spark_run(tmp_path):
    """In a new environment, as a newcomer would."""
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    wheel = max((ROOT / "dist").glob("qdedup-*.whl"), key=lambda path: path.stat().st_mtime)
    for name in "examples", "build":
        (tmp_path / name).symlink_to(ROOT / name)
    [commands] = re.findall(r"## Try it\n.*?```sh\n(.*?)```", (ROOT / "doc/spark.md").read_text(encoding="utf-8"), re.DOTALL)
    assert "$(scripts/wheel)" in commands
    compare = "qdedup --state here import examples/bank.jsonl\nqdedup --state here run examples/search.log*\nqdedup --state here export"
    listed = subprocess.run(["bash", "-euc", commands.replace("$(scripts/wheel)", str(wheel)) + compare + " --output here.csv"],
                            cwd=tmp_path, env={"PIP_COMPILE": "0", **{name: value for name, value in os.environ.items() if not name.startswith("PYSPARK")}},
                            capture_output=True, text=True, check=False)
    assert listed.returncode == 0, listed.stderr
    assert (tmp_path / "list.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
