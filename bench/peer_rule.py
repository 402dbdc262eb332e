"""The duplicate test of doc/rules.md, as a good engineer writes it in a day: re, unicodedata and rapidfuzz."""

import re
import unicodedata

from rapidfuzz.distance import Levenshtein

HAN = r"\u2e80-\u2fd5々〇〡-〩〸-〻㐀-䶿一-鿿\uf900-\ufad9\U00020000-\U000323af"
LETTER, WORD = rf"[^\W\d_{HAN}]", rf"[^\W_{HAN}]"
FRAMED, SYMBOLS = (re.escape("".join(filter(wanted, map(chr, [*range(0x2e80), *range(0x3000, 0x3400), 0xfffd])))) for wanted in (
    lambda c: unicodedata.decomposition(c).startswith(("<circle>", "<fraction>")),
    lambda c: unicodedata.category(c) in ("Sm", "Sc", "Sk", "So", "No", "Nl")))
HAN_RUN, IDLE_BRACKET = "\ue001", "\ue002"  # what stands for them in the text without Han characters

RAISED = re.compile(rf"([²³¹⁰⁴-ⁿ]+)|([₀-₎]+)|([{FRAMED}])")
OTHER = {**dict.fromkeys("‐‑‒–−", "-"), "⁄": "/", "∕": "/", "∶": ":"}
OTHER_FORM = re.compile(f"[{''.join(OTHER)}]")
RARE_HAN = re.compile("[\u2e80-\u2fd5㈠-㋿㌀-㏿\uf900-\ufad9\U0002f800-\U0002fa1d]")  # and what becomes Han
SPLIT_HAN = re.compile(f"([{HAN}]+)")
BRACKET = re.compile(r"[()\[\]{}]")
CLOSING = {"(": ")", "[": "]", "{": "}"}
HOLDS_WORD = re.compile(WORD)
SPACED_COLON = re.compile(r"\s*:\s*")
SIGN = re.compile(
    rf"[0-9]+(?:\.[0-9]+)?|{LETTER}|[{SYMBOLS}()\[\]{{}}*/%‰‱′″\ue000-]|(?<=[0-9]),(?=[0-9])"
    rf"|(?:(?<={WORD})|(?<=[(){IDLE_BRACKET}])):(?:(?={WORD})|(?=[(){IDLE_BRACKET}]))"
    rf"|(?:(?<={WORD})|(?<=[){IDLE_BRACKET}]))!")


def normal_form(text):
    if RAISED.search(text):
        text = RAISED.sub(lambda m: "^" + m[1] if m[1] else "\ue000" + m[2] if m[2] else f"({m[3]})", text)
    return OTHER_FORM.sub(lambda m: OTHER[m[0]], unicodedata.normalize("NFKC", text))


def without_idle_brackets(text):
    """Brackets that do not close properly, or hold Han characters or no word, are no signs."""
    opened, kept = [], set()
    for bracket in BRACKET.finditer(text):
        place = bracket.start()
        if text[place] in CLOSING:
            opened.append(place)
        elif opened and CLOSING[text[opened[-1]]] == text[place]:
            begin = opened.pop()
            if HAN_RUN not in text[begin:place] and HOLDS_WORD.search(text, begin, place):
                kept |= {begin, place}
        else:
            opened.clear()
    return BRACKET.sub(lambda bracket: bracket[0] if bracket.start() in kept else IDLE_BRACKET, text)


def parts(text):
    """The signs, as a text with a space between two, and the Han part."""
    if RARE_HAN.search(text):
        text = normal_form(text)
    pieces = SPLIT_HAN.split(text)  # the Han characters are in their normal form now
    rest = normal_form(HAN_RUN.join(pieces[::2]))
    if BRACKET.search(rest):
        rest = without_idle_brackets(rest)
    if ":" in rest:
        rest = SPACED_COLON.sub(":", rest)
    return " ".join(SIGN.findall(rest)), "".join(pieces[1::2])


def alike(one, other):
    """Whether two Han parts are at least 80 percent alike."""
    most = max(len(one), len(other)) * 20 // 100
    return abs(len(one) - len(other)) <= most and Levenshtein.distance(one, other, score_cutoff=most) <= most
