// The page: its frame, and which view is shown.

import { look, Refusal } from "./api.js";
import { BlindView } from "./blind.js";
import { DashboardView } from "./dashboard.js";
import { make } from "./element.js";
import { conflictText } from "./group.js";
import { showHelp } from "./help.js";
import { bindKeys } from "./keys.js";
import { Outbox } from "./outbox.js";
import { hashOf, place } from "./place.js";
import { QueueView } from "./queue_view.js";
import { count, otherLanguage, currentLanguage, useLanguage, words } from "./words.js";

const VIEWS = { queue: QueueView, dashboard: DashboardView, blind: BlindView };

const byId = (id) => document.getElementById(id);

class Page {
  constructor(reviewer) {
    this.main = byId("main");
    this.reviewer = reviewer;
    this.view = null;
    this.outbox = new Outbox(reviewer, {
      onChange: (outbox) => this.showSaving(outbox),
      onResult: (decision, result) => this.take(decision, result),
    });
  }

  announce(text) {
    byId("announcement").textContent = text;
  }

  // Below what was told before; once, if it is the same again.
  tellTrouble(text) {
    const trouble = byId("trouble");
    if (trouble.hidden) trouble.replaceChildren();
    if (trouble.lastChild?.textContent !== text) trouble.append(make("p", {}, text));
    trouble.hidden = false;
  }

  fail(failure) {
    if (failure.name !== "AbortError") this.tellTrouble(words("failed", { reason: failure.message }));
  }

  // A decision that was refused is told of here, where the view does not show it with its deletion.
  take(decision, result) {
    const shown = this.view?.take?.(decision, result);
    if (result.code === 200 || shown) return;
    this.tellTrouble(`${decision.question} → ${decision.keeper}: ${conflictText(result)}`);
  }

  showSaving(outbox) {
    const unsaved = outbox.size();
    const text = outbox.failing ? "offline" : "unsaved";
    const saving = byId("saving");
    saving.textContent = unsaved === 0 ? words("saved") : words(text, { count: count(unsaved) });
    saving.dataset.unsaved = String(unsaved);
    saving.title = outbox.reason ?? "";
    saving.classList.toggle("failing", outbox.failing);
  }

  showFrame() {
    const { view } = place();
    byId("skip").textContent = words("skip");
    byId("help").textContent = `? ${words("help")}`;
    byId("language").textContent = words("other_language");
    byId("language").lang = otherLanguage();
    byId("reviewer").textContent = words("signed_in", { name: this.reviewer });
    byId("views").replaceChildren(...Object.keys(VIEWS).map((name) => make("a", {
      href: hashOf(name), "aria-current": name === view ? "page" : null,
    }, words(`view_${name}`))));
    this.showSaving(this.outbox);
  }

  async show() {
    this.view?.close?.();
    bindKeys({});
    byId("trouble").hidden = true;
    this.announce("");
    this.showFrame();
    const { view, parameters } = place();
    this.view = new (VIEWS[view] ?? QueueView)(this, parameters);
    await this.view.open().catch((failure) => this.fail(failure));
    document.body.dataset.shown = view;
  }
}

async function begin() {
  useLanguage(currentLanguage());
  const { name } = await look("me");
  const page = new Page(name);
  addEventListener("hashchange", () => page.show());
  byId("help").addEventListener("click", showHelp);
  byId("language").addEventListener("click", () => {
    useLanguage(otherLanguage());
    page.show();
  });
  page.outbox.send();
  await page.show();
}

begin().catch((failure) => {
  const trouble = byId("trouble");
  trouble.textContent = words("failed", { reason: failure instanceof Refusal ? failure.message : String(failure) });
  trouble.hidden = false;
});
