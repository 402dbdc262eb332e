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

function showBatch(filter, preview, page, done) {
  const { count: expected, seen, doubtful, riskiest } = preview;
  const { reviewer } = page;  // who looks at it; another one may sign in meanwhile
  const typed = make("input", { id: "typed", inputmode: "numeric", autocomplete: "off", on: { input: () => check() } });
  const confirm = button(words("batch_confirm"), () => approve(), { class: "approve", disabled: true, id: "confirm" });
  const result = make("p", { role: "status", class: "result" });
  const check = () => { confirm.disabled = typed.value.trim() !== String(expected); };
  const dialog = openDialog({ class: "batch", "aria-labelledby": "batch-title" },
    make("h2", { id: "batch-title" }, words("batch_title", { count: count(expected) })),
    make("p", { class: doubtful > 0 ? "standing" : null }, words("batch_doubtful", { count: count(doubtful) })),
    make("p", {}, words("batch_riskiest", { count: count(riskiest.length) })),
    make("ol", { class: "riskiest", tabindex: 0, "aria-label": words("batch_riskiest", { count: riskiest.length }) },
      riskiest.map(riskyPair)),
    make("label", { for: "typed" }, words("batch_type", { count: expected })), typed, result,
    make("p", { class: "actions" }, button(words("cancel"), () => dialog.close()), confirm));
  typed.focus();

  // Without an answer nobody knows what became of it; the queue that is shown then may be of before.
  const toldFailure = (failure) => {
    if (failure instanceof Unreachable) {
      dialog.addEventListener("close", done, { once: true });
      return words("batch_unanswered");
    }
    const now = failure.answer?.count;
    if (now === undefined) return words("failed", { reason: failure.message });
    return now === expected ? words("batch_others") : words("batch_changed", { count: count(now) });
  };
  const approve = async () => {
    confirm.disabled = true;
    try {
      const answer = await change("batch", { filter, count: expected, seen }, reviewer);
      dialog.close();
      done();
      page.announce(toldResult(answer));
    } catch (failure) {
      result.textContent = toldFailure(failure);
    }
  };
}

// `done()` is called when they were approved. Nothing opens once `signal` says that the view was left.
export async function openBatch(filter, page, signal, done) {
  try {
    const preview = await look("batch", filter, signal);
    if (document.querySelector("dialog[open]")) return;
    if (preview.count === 0) return page.announce(words("batch_none"));
    showBatch(filter, preview, page, done);
  } catch (failure) {
    page.fail(failure);
  }
}
