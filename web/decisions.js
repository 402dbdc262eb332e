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

const KEPT = "qdedup.undo-groups.";
const MOST = 1000;

// What `reviewer` decided in this tab and may take back, also after a reload: of a group, all at once.
export class UndoStack {
  constructor(reviewer) {
    this.kept = KEPT + reviewer;
    this.groups = JSON.parse(sessionStorage.getItem(this.kept) ?? "[]");
  }

  push(steps) {
    if (steps.length === 0) return;
    this.groups.push(steps);
    while (this.groups.length > 1 && this.groups.flat().length > MOST) this.groups.shift();
    this.keep();
  }

  pop() {
    const steps = this.groups.pop();
    this.keep();
    return steps;
  }

  // A decision that was not taken cannot be taken back.
  drop(iteration, question) {
    const isOther = (step) => step.iteration !== iteration || step.question !== question;
    this.groups = this.groups.map((steps) => steps.filter(isOther)).filter((steps) => steps.length > 0);
    this.keep();
  }

  keep() {
    sessionStorage.setItem(this.kept, JSON.stringify(this.groups));
  }
}
