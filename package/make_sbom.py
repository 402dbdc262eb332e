#!/usr/bin/env python3
"""Writes the package's bill of materials (SPDX 2.3, JSON): what the programs are linked with, and what is compiled into
them, by the Debian packages that hold it on this machine. There are no vendored sources.

    make_sbom.py --build FOLDER --version VERSION --output FILE PROGRAM…
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import urllib.parse

from make_documents import output_of

KERNEL = "linux-libc-dev"  # names and numbers only


def shared_libraries(program):
    """The paths of the libraries that the program itself names."""
    needed = set(re.findall(r"\(NEEDED\).*\[(.+)\]", output_of("readelf", "-d", program)))
    found = re.findall(r"^\s*(\S+) => (\S+)", output_of("ldd", program), re.MULTILINE)
    return {path for name, path in found if name in needed}


def headers(build):
    """The system's headers that the objects of the programs and their libraries were made from."""
    paths = set()
    wanted = False
    for line in output_of("ninja", "-C", build, "-t", "deps").splitlines():
        if not line.startswith(" "):
            wanted = not line.startswith(("tests/", "bench/"))
        elif wanted and line.strip().startswith("/usr/"):
            paths.add(line.strip())
    return paths


def owners(paths):
    """The packages that hold the files. A library may be known to dpkg by its path before /usr was merged."""
    spellings = sorted({spelling for path in map(str, map(pathlib.Path.resolve, map(pathlib.Path, paths)))
                        for spelling in (path, path.removeprefix("/usr"))} | set(paths))
    said = subprocess.run(["dpkg-query", "-S", *spellings], capture_output=True, text=True, check=False).stdout
    return {name for line in said.splitlines() for name in line.rsplit(": ", 1)[0].split(", ")}


def described(names):
    """{package: (version, architecture, source)}"""
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\n"
    rows = output_of("dpkg-query", "-W", "-f", fields, *sorted(names)).splitlines()
    return {name: rest for name, *rest in (row.split("\t") for row in rows)}


def package(name, version, architecture, license_declared="NOASSERTION"):
    entry = {"name": name, "SPDXID": "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "versionInfo": version,
             "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
             "licenseDeclared": license_declared, "copyrightText": "NOASSERTION"}
    if name != "qdedup":
        entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{name}@{urllib.parse.quote(version)}?arch={architecture}"}]
    return entry


def document(version, linked, compiled_in):
    packages = [package("qdedup", version, "", "Apache-2.0")]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", packages[0]["SPDXID"])]
    for kind, group in (("DYNAMIC_LINK", linked), ("STATIC_LINK", compiled_in)):
        for name, (its_version, architecture, _) in sorted(group.items()):
            packages.append(package(name, its_version, architecture))
            relations.append((packages[0]["SPDXID"], kind, packages[-1]["SPDXID"]))
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"qdedup-{version}",
            "documentNamespace": f"https://qdedup.example.org/sbom/qdedup-{version}-{digest}",
            "creationInfo": {"created": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Tool: make_sbom.py"]},
            "packages": packages,
            "relationships": [{"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
                              for one, kind, other in relations]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()

    linked = described(owners(set().union(*map(shared_libraries, options.programs))))
    sources = {source for _, _, source in linked.values()}
    compiled_in = {name: about for name, about in described(owners(headers(options.build))).items()
                   if about[2] not in sources and name != KERNEL}
    text = json.dumps(document(options.version, linked, compiled_in), indent=1) + "\n"
    options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
