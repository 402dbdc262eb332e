#!/usr/bin/env python3
"""Makes the files of the package that the programs themselves know best: man pages, default config, changelog."""

import argparse
import gzip
import pathlib
import re
import subprocess
import textwrap

import roff
from help_text import commands_of, help_of

FOLDER = pathlib.Path(__file__).resolve().parent
STATE = "/var/lib/qdedup"


def command_section(program):
    """The reference of all commands."""
    parts = []
    for command, page in commands_of(program):
        parts.append(f'.SS "{roff.escaped(page.usage.replace("[OPTIONS] ", "").replace(" [OPTIONS]", ""))}"\n')
        parts.append(roff.prose(page.summary + ".") + "\n")
        for entry in page.entries("Positionals"):
            parts.append(roff.described(roff.italic(entry.names[0]), entry.meaning))
        parts.extend(roff.option(entry) for entry in page.options)
    return "".join(parts)


def settings_section(default_config):
    """Each section of the default config, and its keys with the comment that stands before them."""
    parts = []
    for name, body in re.findall(r"(?ms)^\[(\w+)\]\n(.*?)(?=^\[|\Z)", default_config):
        parts.append(f'.SS "[{name}]"\n')
        for comment, keys in re.findall(r"(?m)((?:^#.*\n)*)((?:^\w+ = .*\n)+)", body):
            terms = [key.partition(" = ") for key in keys.splitlines()]
            parts.append(".TP\n" + "\n.TQ\n".join(f"{roff.bold(k)} = {roff.escaped(v)}" for k, _, v in terms))
            text = "\n".join(line.lstrip("# ") for line in comment.splitlines())
            lines = re.split(r'\n(?="\w+": )', text)  # what a value means begins a line
            parts.append("\n" + "\n.br\n".join(roff.prose(line.replace("\n", " ")) for line in lines) + "\n")
    return "".join(parts)


def packaged_config(default_config):
    """The default config with the state where a service keeps it."""
    config, changed = re.subn(r'(?m)^folder = ".*"$', f'folder = "{STATE}"', default_config)
    if changed != 1:
        raise SystemExit("the default config has no line for [state] folder")
    return config


def debian_changelog(changelog, version, maintainer, date):
    """CHANGELOG.md as Debian has it (deb-changelog(5)): an entry for each release, newest first."""
    entries = []
    for release in re.split(r"(?m)^## ", changelog)[1:]:
        heading, _, body = release.partition("\n")
        changes = [" ".join(change.split()) for change in re.split(r"(?m)^- ", body)[1:]]
        lines = [textwrap.fill(change, 78, initial_indent="  * ", subsequent_indent="    ") for change in changes]
        entries.append(f"qdedup ({heading.split(',')[0].strip()}) stable; urgency=medium\n\n" + "\n".join(lines) +
                       f"\n\n -- {maintainer}  {date}\n")
    if not entries or not entries[0].startswith(f"qdedup ({version})"):
        raise SystemExit(f"CHANGELOG.md does not begin with {version}")
    return "\n".join(entries)


def man_page(name, values):
    """A template with what belongs at its marks."""
    page = (FOLDER / "man" / f"{name}.in").read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@\n?", lambda mark: values[mark.group(1)], page)


def output_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


def documents(options):
    """All files to make, by name."""
    default_config = output_of(options.qdedup, "config", "default")
    values = {
        "VERSION": options.version,
        "GLOBALS": "".join(map(roff.option, help_of(options.qdedup).options)),
        "COMMANDS": command_section(options.qdedup),
        "SETTINGS": settings_section(default_config),
        "OPTIONS": "".join(map(roff.option, help_of(options.qdedupd).options)),
    }
    made = {name: man_page(name, values) for name in ("qdedup.1", "qdedup.toml.5", "qdedupd.8")}
    made["qdedup.toml"] = packaged_config(default_config)
    made["changelog"] = debian_changelog(options.changelog.read_text(encoding="utf-8"), options.version,
                                         options.maintainer, options.date)
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--qdedup", type=pathlib.Path, required=True)
    parser.add_argument("--qdedupd", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--changelog", type=pathlib.Path, required=True)
    parser.add_argument("--maintainer", required=True)
    parser.add_argument("--date", required=True, help="of the newest release, as RFC 5322 has it")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in documents(options).items():
        if name == "qdedup.toml":
            (options.output / name).write_text(text, encoding="utf-8")
        else:
            packed = gzip.compress(text.encode("utf-8"), compresslevel=9, mtime=0)
            (options.output / f"{name}.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
