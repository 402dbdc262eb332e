// Whether the daemon replies. While it does not, it is asked again, after growing pauses, until it does.

import { daemonStatus, giveUp, onLost, Unreachable } from "./api.js";

// Seconds.
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 30;
const WHILE_CONNECTED = 15;
// The daemon says at once how it is, whatever it is busy with: later, it hangs.
const PATIENCE = 10;

export class Connection {
  // `onChange()` is called when `lost`, `asking` or `seconds`, those until it is asked again, changed; `onBack()`
  // when it replies again.
  constructor({ onChange, onBack }) {
    this.onChange = onChange;
    this.onBack = onBack;
    this.lost = false;
    this.asking = false;
    this.pause = FIRST_PAUSE;
    onLost(() => this.lose());
    for (const event of ["online", "offline"]) addEventListener(event, () => this.ask());
  }

  lose() {
    if (this.lost) return;
    this.lost = true;
    this.wait(this.pause);
  }

  wait(seconds = WHILE_CONNECTED) {
    clearTimeout(this.timer);
    this.seconds = seconds;
    this.timer = setTimeout(() => (seconds > 1 ? this.wait(seconds - 1) : this.ask()), 1000);
    this.onChange();
  }

  // Pauses grow until it has replied twice: what fails again and again is not tried without end.
  async ask() {
    if (this.asking) return;
    clearTimeout(this.timer);
    this.asking = true;
    this.onChange();
    const patience = setTimeout(giveUp, 1000 * PATIENCE);
    const isLost = await daemonStatus().then(() => false, (failure) => failure instanceof Unreachable);
    clearTimeout(patience);
    const wasLost = this.lost;
    this.lost = isLost;
    this.asking = false;
    this.pause = this.lost || wasLost ? Math.min(2 * this.pause, LONGEST_PAUSE) : FIRST_PAUSE;
    this.wait(this.lost ? this.pause : WHILE_CONNECTED);
    if (wasLost && !this.lost) this.onBack();
  }
}
