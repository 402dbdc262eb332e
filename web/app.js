// The page: its frame, and which view is shown.

import { look, onSignedOut, signOut, Unreachable } from "./api.js";
import { BlindView } from "./blind.js";
import { ClassesView } from "./classes.js";
import { Connection } from "./connection.js";
import { DashboardView } from "./dashboard.js";
import { button, make } from "./element.js";
import { conflictText } from "./group.js";
import { showHelp } from "./help.js";
import { bindKeys } from "./keys.js";
import { Outbox } from "./outbox.js";
import { arrive, hashOf } from "./place.js";
import { whenReleased } from "./press.js";
import { QueueView } from "./queue_view.js";
import { askToSignIn } from "./sign_in.js";
import { count, otherLanguage, useLanguage, useTimeZone, words } from "./words.js";

const VIEWS = { queue: QueueView, dashboard: DashboardView, classes: ClassesView, blind: BlindView };

const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.view = null;
    this.connection = new Connection({ onChange: () => this.showConnection(), onBack: () => this.resume() });
    this.leaving = new AbortController();
    onSignedOut(() => this.lookWhoIsThere());
  }

  announce(text) {
    byId("announcement").textContent = text;
  }

  // Below what was told before; once, if it is the same again.
  tellTrouble(text) {
    const trouble = byId("trouble");
    whenReleased(() => {
      if (trouble.hidden) trouble.replaceChildren();
      if (trouble.lastChild?.textContent !== text) trouble.append(make("p", {}, text));
      trouble.hidden = false;
    });
  }

  // What failed for want of a connection may be tried again soon. Where the reviewer is not signed in, they are asked.
  fail(failure) {
    if (failure.name === "AbortError" || failure.answer?.sign_in) return;
    const text = words("failed", { reason: failure.message });
    if (failure instanceof Unreachable) this.announce(text);
    else this.tellTrouble(text);
  }

  // A decision that was refused is told of in place of what it was announced as; at the top, where the view does not
  // show it with its deletion.
  take(decision, result) {
    const shown = this.view?.take?.(decision, result);
    if (result.code === 200) return;
    const text = `${decision.question} → ${decision.keeper}: ${conflictText(result)}`;
    this.announce(shown ? text : "");
    if (!shown) this.tellTrouble(text);
  }

  // The countdown is no part of what is read out, which changes with the connection and the decisions alone.
  showConnection() {
    const { lost, asking, seconds } = this.connection;
    const unsaved = this.outbox?.size() ?? 0;
    const failing = lost || (this.outbox?.failing && unsaved > 0) || false;
    const isKnown = lost || this.outbox !== undefined;  // whose decisions wait, once somebody is signed in
    const saving = byId("saving");
    const state = `${lost ? "offline" : failing ? "busy" : "connected"}${unsaved > 0 ? "_unsaved" : ""}`;
    const text = isKnown ? words(state, { count: count(unsaved) }) : "";
    saving.dataset.unsaved = isKnown ? String(unsaved) : "";
    saving.title = failing ? this.outbox?.reason ?? "" : "";
    saving.classList.toggle("failing", failing);
    whenReleased(() => {
      if (saving.textContent !== text) saving.textContent = text;
      byId("retrying").hidden = !lost;
    });
    byId("countdown").textContent = asking ? words("retrying") : words("retrying_in", { seconds });
  }

  // What stood still while the daemon did not reply goes on.
  resume() {
    this.outbox?.send();
    if (this.unloaded) this.show();
    else this.view?.resume?.();
  }

  showFrame() {
    byId("skip").textContent = words("skip");
    byId("help").textContent = `? ${words("help")}`;
    byId("retry").textContent = words("retry");
    byId("more").ariaLabel = words("more_of_page");
    byId("language").textContent = words("other_language");
    byId("language").lang = otherLanguage();
    byId("reviewer").textContent = this.reviewer ? words("signed_in", { name: this.signedIn || this.reviewer }) : "";
    byId("sign-out").textContent = words("sign_out");
    byId("sign-out").hidden = !(this.reviewer && this.signedIn);
    byId("views").replaceChildren(...Object.keys(VIEWS).map((name) => make("a", {
      href: hashOf(name), "aria-current": name === this.place.view ? "page" : null,
    }, words(`view_${name}`))));
    this.showConnection();
  }

  // Answers whether the reviewer is another one than before; decisions of that one wait until they are back.
  async identify(signal) {
    const { name, signed_in: signedIn, time_zone: zone } = await look("me", {}, signal);
    if (name === this.reviewer) return false;
    this.reviewer = name;
    this.signedIn = signedIn;
    useTimeZone(zone);
    if (this.outbox?.reviewer !== name) {
      this.outbox?.retire();
      this.outbox = new Outbox(name, {
        onChange: () => this.showConnection(),
        onResult: (decision, result) => this.take(decision, result),
      });
    }
    this.showFrame();
    this.outbox.send();
    return true;
  }

  // Nobody is signed in any more, or somebody else.
  async lookWhoIsThere() {
    if (this.looking) return;
    this.looking = true;
    try {
      if (await this.identify()) this.show();
      else this.resume();
    } catch (failure) {
      if (failure.answer?.sign_in) this.askToSignIn();
      else this.fail(failure);
    }
    this.looking = false;
  }

  askToSignIn() {
    const { signedIn: name = "", outbox } = this;
    askToSignIn({
      name,
      told: () => (name && outbox.size() > 0 ? words("sign_in_waiting", { name, count: count(outbox.size()) }) : ""),
      onLanguage: () => {
        this.unloaded = true;
        this.showFrame();
      },
      onDone: () => this.lookWhoIsThere(),
    });
  }

  // What waits is kept, and sent when they sign in again.
  async signOut() {
    try {
      await signOut();
      this.reviewer = undefined;
      this.show();
    } catch (failure) {
      this.fail(failure);
    }
  }

  // A view draws into its root alone, so that one that was left draws nowhere.
  async show() {
    this.leaving.abort();
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.view?.close?.();
    bindKeys({});
    byId("trouble").hidden = true;
    this.announce("");
    this.unloaded = false;
    this.place = arrive();
    if (!Object.hasOwn(VIEWS, this.place.view)) this.place.view = "queue";
    this.showFrame();
    const root = make("div", {}, make("p", {}, words("loading")));
    byId("main").replaceChildren(root);
    const { view, parameters } = this.place;
    try {
      if (!this.reviewer) await this.identify(signal);
      this.view = new VIEWS[view](this, parameters, root, signal);
      await this.view.open();
      if (this.connection.lost) this.connection.ask();
    } catch (failure) {
      if (!signal.aborted) this.showUnloaded(view, root, failure);
    }
    if (!signal.aborted) document.body.dataset.shown = view;
  }

  showUnloaded(view, root, failure) {
    this.unloaded = true;
    this.view?.close?.();
    if (failure.answer?.sign_in) return root.replaceChildren();
    root.replaceChildren(make("section", { class: "unloaded", role: "alert" },
      make("h2", {}, words("unloaded", { view: words(`view_${view}`) })), make("p", {}, failure.message),
      failure instanceof Unreachable ? make("p", {}, words("loads_by_itself")) : null,
      button(words("retry"), () => (this.connection.lost ? this.connection.ask() : this.show()))));
  }
}

useLanguage();
const page = new Page();
addEventListener("hashchange", () => page.show());
byId("help").addEventListener("click", showHelp);
byId("sign-out").addEventListener("click", () => page.signOut());
byId("retry").addEventListener("click", () => page.connection.ask());
byId("language").addEventListener("click", () => {
  useLanguage(otherLanguage());
  page.show();
});
page.connection.wait();
page.show();
