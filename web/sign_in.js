// Signing in, where the daemon knows its reviewers by name and key.

import { signIn } from "./api.js";
import { button, make, openDialog } from "./element.js";
import { otherLanguage, useLanguage, words } from "./words.js";

let dialog = null;

function field(id, type, label, more) {
  return [make("label", { for: id }, label), make("input", { id, type, required: true, autocapitalize: "none", ...more })];
}

class SignInForm {
  constructor(whole) {
    const { name, told, onLanguage, onDone } = whole;
    this.onDone = onDone;
    this.name = field("sign-in-name", "text", words("sign_in_name"), { autocomplete: "username", value: name });
    this.key = field("sign-in-key", "password", words("sign_in_key"), { autocomplete: "current-password" });
    this.result = make("p", { role: "alert", class: "result" });
    this.submit = make("button", { type: "submit" }, words("sign_in"));
    const language = button(words("other_language"), () => {
      useLanguage(otherLanguage());
      onLanguage();
      show({ ...whole, name: this.name[1].value });
    }, { lang: otherLanguage() });
    const text = told();
    this.element = make("form", { on: { submit: (event) => this.send(event) } },
      make("h2", { id: "sign-in-title" }, words("sign_in_title")), text ? make("p", {}, text) : null,
      this.name, this.key, this.result, make("p", { class: "actions" }, this.submit, language));
  }

  async send(event) {
    event.preventDefault();
    this.submit.disabled = true;
    this.result.textContent = "";
    try {
      await signIn(this.name[1].value.trim(), this.key[1].value);
      close();
      this.onDone();
    } catch (failure) {
      this.result.textContent = failure.message;
      this.submit.disabled = false;
    }
  }
}

function close() {
  const closed = dialog;
  dialog = null;
  closed?.close();
}

// Anew where it is open; a browser may close a dialog that does not want it.
function show(whole) {
  close();
  const form = new SignInForm(whole);
  const opened = openDialog({ class: "sign-in", "aria-labelledby": "sign-in-title" }, form.element);
  dialog = opened;
  opened.addEventListener("cancel", (event) => event.preventDefault());
  opened.addEventListener("close", () => dialog === opened && show(whole));
  (whole.name ? form.key : form.name)[1].focus();
}

// Nothing else can be reached until somebody has signed in, of which `onDone()` hears. `name` is proposed, `told()` what the
// reviewer should know, if anything; `onLanguage()` hears that the language was changed.
export function askToSignIn(whole) {
  if (!dialog) show(whole);
}
