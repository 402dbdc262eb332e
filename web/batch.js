// Approves all of a filter: shows how many they are, how many of them are doubtful and the riskiest, and has the
// number typed.

import { change, look, Unreachable } from "./api.js";
import { button, make, openDialog } from "./element.js";
import { sides, tagsOf } from "./pair.js";
import { count, refusalText, words } from "./words.js";

function riskyPair(pair) {
  return make("li", { class: "pair" }, tagsOf(pair.question),
    sides(pair, make("h3", {}, `${words("keep")} ${pair.keeper.id}`),
      make("h3", {}, `${words("remove")} ${pair.question.id}`)));
}

function toldResult({ approved, refused }) {
  const told = [words("batch_done", { count: count(approved) })];
  for (const [reason, deletions] of Object.entries(refused)) {
    told.push(words("batch_refused", { count: count(deletions), reason: refusalText(reason) }));
  }
  return told.join(" · ");
}

class BatchDialog {
  constructor(filter, preview, page, done) {
    this.filter = filter;
    this.expected = preview.count;
    this.seen = preview.seen;
    this.page = page;
    this.reviewer = page.reviewer;  // who looks at it; another one may sign in meanwhile
    this.done = done;
    this.typed = make("input", { id: "typed", inputmode: "numeric", autocomplete: "off", on: { input: () => this.check() } });
    this.confirm = button(words("batch_confirm"), () => this.approve(), { class: "approve", disabled: true, id: "confirm" });
    this.result = make("p", { role: "status", class: "result" });
    this.dialog = openDialog({ class: "batch", "aria-labelledby": "batch-title" },
      make("h2", { id: "batch-title" }, words("batch_title", { count: count(preview.count) })),
      make("p", { class: preview.doubtful > 0 ? "standing" : null },
        words("batch_doubtful", { count: count(preview.doubtful) })),
      make("p", {}, words("batch_riskiest", { count: count(preview.riskiest.length) })),
      make("ol", { class: "riskiest", tabindex: 0, "aria-label": words("batch_riskiest", { count: preview.riskiest.length }) },
        preview.riskiest.map(riskyPair)),
      make("label", { for: "typed" }, words("batch_type", { count: preview.count })), this.typed, this.result,
      make("p", { class: "actions" }, button(words("cancel"), () => this.dialog.close()), this.confirm));
    this.typed.focus();
  }

  check() {
    this.confirm.disabled = this.typed.value.trim() !== String(this.expected);
  }

  // Without an answer nobody knows what became of it; the queue that is shown then may be of before.
  toldFailure(failure) {
    if (failure instanceof Unreachable) {
      this.dialog.addEventListener("close", this.done, { once: true });
      return words("batch_unanswered");
    }
    const now = failure.answer?.count;
    if (now === undefined) return words("failed", { reason: failure.message });
    return now === this.expected ? words("batch_others") : words("batch_changed", { count: count(now) });
  }

  async approve() {
    this.confirm.disabled = true;
    try {
      const filter = { ...this.filter };
      const answer = await change("batch", { filter, count: this.expected, seen: this.seen }, this.reviewer);
      this.dialog.close();
      this.done();
      this.page.announce(toldResult(answer));
    } catch (failure) {
      this.result.textContent = this.toldFailure(failure);
    }
  }
}

// `done()` is called when they were approved. Nothing opens once `signal` says that the view was left.
export async function openBatch(filter, page, signal, done) {
  try {
    const preview = await look("batch", filter, signal);
    if (document.querySelector("dialog[open]")) return;
    if (preview.count === 0) return page.announce(words("batch_none"));
    new BatchDialog(filter, preview, page, done);
  } catch (failure) {
    page.fail(failure);
  }
}
