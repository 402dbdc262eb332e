// What a decision makes of a status, and the way back.

const OUTCOMES = {
  approve: { pending: "approved" },
  reject: { pending: "rejected", approved: "rejected" },
  reset: { approved: "pending", rejected: "pending" },
};

// Undefined where it changes nothing.
export function outcome(decision, status) {
  return OUTCOMES[decision][status];
}

// The decisions that make `before` of `after` again, in order.
export function wayBack(before, after) {
  if (before === after) return [];
  const open = after === "rejected" && before === "approved";
  if (before === "pending" || open) return open ? ["reset", "approve"] : ["reset"];
  return [before === "approved" ? "approve" : "reject"];
}

const KEPT = "qdedup.undo.";
const MOST = 200;

// What `reviewer` decided in this tab and may take back, also after a reload.
export class UndoStack {
  constructor(reviewer) {
    this.kept = KEPT + reviewer;
    this.steps = JSON.parse(sessionStorage.getItem(this.kept) ?? "[]");
  }

  push(step) {
    this.steps = [...this.steps, step].slice(-MOST);
    this.keep();
  }

  get last() {
    return this.steps.at(-1);
  }

  pop() {
    const step = this.steps.pop();
    this.keep();
    return step;
  }

  // A decision that was not taken cannot be taken back.
  drop(iteration, question) {
    this.steps = this.steps.filter((step) => step.iteration !== iteration || step.question !== question);
    this.keep();
  }

  keep() {
    sessionStorage.setItem(this.kept, JSON.stringify(this.steps));
  }
}
