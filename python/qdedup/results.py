"""What the functions return."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._core import Column


class Parts(NamedTuple):
    """What the duplicate test sees of a text."""

    signs: list[str]
    han: str


class Finding(NamedTuple):
    """Something in which two texts differ: its kind, and where it is, as [begin, end) of each str."""

    kind: str
    question: tuple[int, int]
    keeper: tuple[int, int]


class Contrast(NamedTuple):
    """Whether two duplicates ask the same: "safe" or "doubtful", and the estimated chance that they do not."""

    confidence: str
    risk: float
    reasons: list[Finding]  # for doubt
    harmless: list[Finding]  # other differences


class Explanation(NamedTuple):
    """Two texts compared: what is compared of them (the Han parts, by default) differs in `distance` of `length` characters; or,
    by jaccard or cosine, it is `similarity` percent alike."""

    duplicate: bool
    same_signs: bool
    distance: int | None
    length: int | None
    a: Parts
    b: Parts
    contrast: Contrast
    similarity: float | None


class LineCounts(NamedTuple):
    """What became of log lines; rejected ones by reason."""

    lines: int
    selected: int
    unselected: int
    rejected: dict[str, int]


class Mined(NamedTuple):
    """Seed lists {top_score: float, ids: list of int}, in the order of their lines."""

    lists: "Column"
    counts: LineCounts


class MergeCounts(NamedTuple):
    """Of a merge; clusters of one id, whose every join was refused, are counted too."""

    lists: int
    distinct_lists: int
    ids: int
    joins: int
    refused_joins: int
    clusters: int
    largest_cluster: int


class Merged(NamedTuple):
    """Clusters, by their smallest id; ids ascend."""

    clusters: "Column"
    counts: MergeCounts


class Refined(NamedTuple):
    """Rows {delete_id, keep_id, distance, length, confidence, reasons, risk}, by delete_id: what is deleted in favour of what
    (by jaccard or cosine with `similarity`, in percent, instead of distance and length);
    which other kept questions a deleted one duplicates; and how many ids of the clusters have no text."""

    deletions: "Column"
    further: "Column"
    missing: int
