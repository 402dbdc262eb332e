// Whether the daemon replies. While it does not, it is asked again, after growing pauses, until it does.

import { look, onHeard } from "./api.js";

// Seconds.
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 30;
const WHILE_CONNECTED = 15;

export class Connection {
  // `onChange()` is called when `lost`, `asking` or `seconds`, those until it is asked again, changed; `onBack()`
  // when it replies again.
  constructor({ onChange, onBack }) {
    this.onChange = onChange;
    this.onBack = onBack;
    this.lost = undefined;  // until the first reply, or its lack
    this.asking = false;
    onHeard((replied) => this.hear(replied));
    for (const event of ["online", "offline"]) addEventListener(event, () => this.ask());
  }

  hear(replied) {
    if (this.lost === !replied) return;
    this.lost = !replied;
    this.pause = FIRST_PAUSE;
    this.wait(replied ? WHILE_CONNECTED : this.pause);
    if (replied) this.onBack();
  }

  wait(seconds) {
    clearTimeout(this.timer);
    this.seconds = seconds;
    this.timer = setTimeout(() => (seconds > 1 ? this.wait(seconds - 1) : this.ask()), 1000);
    this.onChange();
  }

  async ask() {
    if (this.asking) return;
    clearTimeout(this.timer);
    this.asking = true;
    this.onChange();
    await look("me").catch(() => {});
    this.asking = false;
    if (this.lost) this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    this.wait(this.lost ? this.pause : WHILE_CONNECTED);
  }
}
