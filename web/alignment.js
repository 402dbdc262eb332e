// Cuts two texts that are compared into rows: what is alike stands side by side, and long equal stretches fold.

// In characters. Of a stretch that folds, as many stay at either end.
const CONTEXT = 24;
const LEAST_FOLDED = 60;

// One stretch after the other, [begin, end] of either text: those that are equal, and the differences between them.
// Null where the marks do not say what belongs together.
function stretchesOf(keep, remove) {
  const stretches = [];
  let at = [0, 0];
  const advance = (isEqual, [i, j]) => {
    if (i > at[0] || j > at[1]) stretches.push({ isEqual, keep: [at[0], i], remove: [at[1], j] });
    at = [i, j];
  };
  while (at[0] < keep.length || at[1] < remove.length) {
    const before = at;
    let [i, j] = at;
    while (keep.differs(i)) i += 1;
    while (remove.differs(j)) j += 1;
    advance(false, [i, j]);
    while (i < keep.length && j < remove.length && !keep.differs(i) && !remove.differs(j)) {
      if (keep.characters[i] !== remove.characters[j]) return null;
      i += 1;
      j += 1;
    }
    advance(true, [i, j]);
    if (at[0] === before[0] && at[1] === before[1]) return null;
  }
  return stretches;
}

class Rows {
  constructor(keep, remove) {
    this.keep = keep;
    this.remove = remove;
    this.rows = [];
    this.begun = [0, 0];
  }

  canCut([i, j]) {
    return this.keep.canCut(i) && this.remove.canCut(j);
  }

  // Ends a row there.
  cut([i, j], isFolded = false) {
    const [begin, other] = this.begun;
    if (i > begin || j > other) this.rows.push({ isFolded, keep: [begin, i], remove: [other, j] });
    this.begun = [i, j];
  }

  // After each line, so that lines stay beside each other.
  addLines(place, length) {
    for (let k = 1; k <= length; k += 1) {
      if (this.keep.characters[place(k)[0] - 1] === "\n" && this.canCut(place(k))) this.cut(place(k));
    }
  }

  addEqual({ keep: [i, end], remove: [j] }) {
    const length = end - i;
    const place = (k) => [i + k, j + k];
    let from = CONTEXT;
    let to = length - CONTEXT;
    while (from < to && !this.canCut(place(from))) from += 1;
    while (to > from && !this.canCut(place(to))) to -= 1;
    if (to - from < LEAST_FOLDED) return this.addLines(place, length);
    this.addLines(place, from);
    this.cut(place(from));
    this.cut(place(to), true);
    return this.addLines((k) => place(to + k), length - to);
  }
}

// [{isFolded, keep: [begin, end], remove: [begin, end]}], which have all of both texts. `keep` and `remove` are
// MarkedTexts; their differences are numbered, the same number for what stands at the same place.
export function alignedRows(keep, remove) {
  const rows = new Rows(keep, remove);
  let number = 0;
  for (const stretch of stretchesOf(keep, remove) ?? []) {
    if (stretch.isEqual) {
      rows.addEqual(stretch);
    } else if (keep.isLoud(...stretch.keep) || remove.isLoud(...stretch.remove)) {
      keep.number(...stretch.keep, number);
      remove.number(...stretch.remove, number);
      number += 1;
    }
  }
  rows.cut([keep.length, remove.length]);
  return rows.rows;
}
