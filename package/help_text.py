"""Reads what `qdedup --help` prints."""

import os
import re
import subprocess


class Entry:
    """An option, an argument or a command, with what it does."""

    def __init__(self, form, meaning):
        self.form = form
        self.meaning = meaning

    @property
    def names(self):
        """["-o", "--output"], or the name of the argument or command."""
        return self.form.split()[0].split(",")

    @property
    def value(self):
        """What an option takes, for people: "FILE", "csv|tsv"; empty for a flag."""
        words = " ".join(self.form.split()[1:]).replace(" ...", "")
        choices = re.search(r"\{(.*)\}", words)
        if choices:
            return choices.group(1).replace(",", "|")
        return words.split(":")[-1]


class Help:
    """The help of a program or of one of its commands."""

    def __init__(self, text):
        self.sections = {}
        self.summary, self.usage = "", ""
        entries = self.sections.setdefault("", [])
        for line in text.splitlines():
            if line.startswith("Usage: "):
                self.usage = line[len("Usage: "):]
            elif re.match(r"\S.*:$", line):
                entries = self.sections.setdefault(line[:-1], [])
            elif line.startswith("    "):
                entries[-1].meaning = f"{entries[-1].meaning} {line.strip()}".strip()
            elif line.startswith("  "):
                form, _, meaning = line.strip().partition("  ")
                entries.append(Entry(form.strip(), meaning.strip()))
            elif line and not self.summary:
                self.summary = line

    def entries(self, section):
        return self.sections.get(section, [])

    @property
    def options(self):
        """All options but -h, of any group."""
        every = [entry for entries in self.sections.values() for entry in entries]
        return [entry for entry in every if entry.form.startswith("-") and "--help" not in entry.names]


def help_of(program, *command):
    """The help of a command: help_of("bin/qdedup", "config", "check")."""
    done = subprocess.run([str(program), *command, "--help"], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C"})
    return Help(done.stdout)


def commands_of(program, *command):
    """All commands without commands of their own, as ("config", "check") with their help."""
    page = help_of(program, *command)
    below = page.entries("Subcommands")
    if not below:
        yield command, page
    for entry in below:
        yield from commands_of(program, *command, entry.form)
