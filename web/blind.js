// The blind sample: draws safe deletions, has them judged, and shows what that says of the precision.

import { change, look } from "./api.js";
import { button, make, table } from "./element.js";
import { bindKeys } from "./keys.js";
import { sides } from "./pair.js";
import { go } from "./place.js";
import { count, percent, time, words } from "./words.js";

const JUDGEMENTS = { same: "blind_same", different: "blind_different" };

function sampleRow(sample) {
  const judged = sample.same + sample.different;
  const interval = judged > 0 ? `${percent(sample.low)} – ${percent(sample.high)}` : "–";
  const cell = (text) => make("td", {}, text);
  return [make("th", { scope: "row" }, `${sample.id}`),
    cell(time(sample.drawn_at)), cell(sample.drawn_by), cell(count(sample.population)),
    cell(`${count(judged)} / ${count(sample.size)}`), cell(judged > 0 ? percent(sample.precision) : "–"),
    cell(interval), cell(button(words("blind_open"), () => go("blind", { sample: sample.id })))];
}

function sampleTable(samples) {
  const titles = ["#", words("blind_drawn"), words("blind_by"), words("blind_population"), words("blind_judged"),
    words("blind_precision"), words("interval"), ""];
  return table(words("view_blind"), titles, samples.map(sampleRow));
}

export class BlindView {
  constructor(page, parameters, root, signal) {
    this.page = page;
    this.root = root;
    this.signal = signal;
    this.sample = parameters.sample;
    this.judged = [];
  }

  async open() {
    await (this.sample ? this.openSample() : this.openList());
  }

  async openList() {
    const { samples } = await look("samples", {}, this.signal);
    const size = make("input", { type: "number", min: 1, max: 1000, value: 100, required: true, id: "sample-size" });
    const iteration = make("input", { type: "number", min: 1, id: "sample-iteration" });
    const draw = () => size.reportValidity() && iteration.reportValidity() && this.draw(size.valueAsNumber, iteration.valueAsNumber);
    this.root.replaceChildren(make("div", { class: "blind" },
      make("h2", {}, words("blind_title")), make("p", {}, words("blind_about")),
      make("p", { class: "choice" }, make("label", {}, words("blind_size"), size),
        make("label", {}, words("blind_iteration"), iteration), button(words("blind_draw"), draw, { id: "draw" })),
      samples.length > 0 ? sampleTable(samples) : make("p", { class: "empty" }, words("blind_none"))));
  }

  // Does one thing at a time; answers whether it was done.
  async alone(work) {
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      await work();
      return true;
    } catch (failure) {
      this.page.fail(failure);
      return false;
    } finally {
      this.isBusy = false;
    }
  }

  draw(size, iteration) {
    return this.alone(async () => {
      const { id } = await change("samples", Number.isNaN(iteration) ? { size } : { size, iteration }, this.page.reviewer);
      if (!this.signal.aborted) go("blind", { sample: id });
    });
  }

  // An answer has all pairs, but texts only of as many as it has room for.
  async load(from) {
    const { pairs } = await look("sample", { id: this.sample, from }, this.signal);
    this.pairs = pairs.map((pair, index) => ({ ...this.pairs?.[index], ...pair }));
  }

  async openSample() {
    await this.load();
    this.current = Math.max(0, this.pairs.findIndex(({ judgement }) => judgement === ""));
    bindKeys({
      a: () => this.judge("same"), x: () => this.judge("different"), u: () => this.takeBack(),
      " ": () => this.move(1), j: () => this.move(1), k: () => this.move(-1),
    });
    this.show();
  }

  show() {
    const pair = this.pairs[this.current];
    const judged = this.pairs.filter(({ judgement }) => judgement !== "").length;
    const progress = words("blind_progress", { number: this.current + 1, count: this.pairs.length, judged });
    this.root.replaceChildren(make("div", { class: "blind" },
      make("p", {}, button(words("blind_back"), () => go("blind"))),
      make("p", { class: "place", role: "status" },
        judged === this.pairs.length ? `${progress} · ${words("blind_done")}` : progress),
      make("h2", {}, words("blind_question")), sides(pair, make("h3", {}, "1"), make("h3", {}, "2")),
      this.choices(pair)));
  }

  choices(pair) {
    const choice = (judgement, key) => button(`${words(JUDGEMENTS[judgement])} (${key})`, () => this.judge(judgement),
      { "aria-pressed": String(pair.judgement === judgement), class: judgement, "aria-keyshortcuts": key });
    return make("p", { class: "actions" }, choice("same", "a"), choice("different", "x"),
      button(words("skip_pair"), () => this.move(1)), button(words("undo"), () => this.takeBack()));
  }

  send(pair, judgement) {
    return this.alone(async () => {
      await change("judgements", { sample: Number(this.sample), position: pair.position, judgement }, this.page.reviewer);
      pair.judgement = judgement;
    });
  }

  // No other pair is shown before this one's judgement is stored, so what is pressed until then is about none.
  async judge(judgement) {
    const index = this.current;
    if (!(await this.send(this.pairs[index], judgement))) return;
    this.judged.push(index);
    this.page.announce(words(JUDGEMENTS[judgement]));
    await this.move(1);
  }

  async takeBack() {
    if (this.isBusy) return;
    const index = this.judged.at(-1);
    if (index === undefined) return this.page.announce(words("nothing_to_undo"));
    if (!(await this.send(this.pairs[index], ""))) return;
    this.judged.pop();
    await this.goTo(index);
  }

  move(step) {
    return this.goTo(Math.min(this.pairs.length - 1, Math.max(0, this.current + step)));
  }

  async goTo(index) {
    const { question, position } = this.pairs[index];
    if (!(await this.alone(() => question || this.load(position)))) return;
    this.current = index;
    this.show();
  }
}
