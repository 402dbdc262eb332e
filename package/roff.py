"""Text as man pages have it (man(7))."""


def escaped(text):
    """Text that stands for itself."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "\\&" + text if text.startswith(".") else text


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def prose(text):
    """Escaped text in which `code` is bold."""
    parts = text.split("`")
    return "".join(bold(part) if i % 2 else escaped(part) for i, part in enumerate(parts)) or "\\&"


def described(term, meaning):
    """A paragraph with a hanging term, which is roff already."""
    return f".TP\n{term}\n{prose(meaning)}\n"


def option(entry):
    names = ", ".join(bold(name) for name in entry.names)
    term = names + (" " + italic(entry.value) if entry.value else "")
    return described(term, entry.meaning)
