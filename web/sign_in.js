// Signing in, where the daemon knows its reviewers by name and key.

import { signIn } from "./api.js";
import { button, make, openDialog } from "./element.js";
import { otherLanguage, useLanguage, words } from "./words.js";

let dialog = null;

function field(id, type, more) {
  return make("input", { id, type, required: true, autocapitalize: "none", ...more });
}

function close() {
  const closed = dialog;
  dialog = null;
  closed?.close();
}

// Anew where it is open; a browser may close a dialog that does not want it.
function show(whole) {
  close();
  const { told, onLanguage, onDone } = whole;
  const name = field("sign-in-name", "text", { autocomplete: "username", value: whole.name });
  const key = field("sign-in-key", "password", { autocomplete: "current-password" });
  const result = make("p", { role: "alert", class: "result" });
  const submit = make("button", { type: "submit" }, words("sign_in"));
  const language = button(words("other_language"), () => {
    useLanguage(otherLanguage());
    onLanguage();
    show({ ...whole, name: name.value });
  }, { lang: otherLanguage() });
  const send = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    result.textContent = "";
    try {
      await signIn(name.value.trim(), key.value);
      close();
      onDone();
    } catch (failure) {
      result.textContent = failure.message;
      submit.disabled = false;
    }
  };
  const opened = openDialog({ class: "sign-in", "aria-labelledby": "sign-in-title" }, make("form", { on: { submit: send } },
    make("h2", { id: "sign-in-title" }, words("sign_in_title")), told() ? make("p", {}, told()) : null,
    make("label", { for: name.id }, words("sign_in_name")), name, make("label", { for: key.id }, words("sign_in_key")), key,
    result, make("p", { class: "actions" }, submit, language)));
  dialog = opened;
  opened.addEventListener("cancel", (event) => event.preventDefault());
  opened.addEventListener("close", () => dialog === opened && show(whole));
  (whole.name ? key : name).focus();
}

// Nothing else can be reached until somebody has signed in, of which `onDone()` hears. `name` is proposed, `told()` what the
// reviewer should know, if anything; `onLanguage()` hears that the language was changed.
export function askToSignIn(whole) {
  if (!dialog) show(whole);
}
