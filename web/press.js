// A click is lost where its button is drawn anew, or moves, between press and release. So what may do that waits until nothing
// is pressed.

// Within these milliseconds after the release comes the click of a finger; that of a mouse comes at once.
const CLICK_PAUSE = 100;
const SPACE = "space";
const COMPOSITION = "composition";

const pressed = new Set();  // pointers, by their ids, the space bar, and what is written by an input method
const waiting = [];
let clicking;

function doWaiting() {
  clearTimeout(clicking);
  clicking = undefined;
  for (const action of waiting.splice(0)) action();
}

function press(what) {
  clearTimeout(clicking);
  clicking = undefined;
  pressed.add(what);
}

function release(what) {
  if (pressed.delete(what) && pressed.size === 0) clicking = setTimeout(doWaiting, CLICK_PAUSE);
}

function releaseAll() {
  pressed.clear();
  doWaiting();
}

// Does `action` at once, or when what is pressed was released.
export function whenReleased(action) {
  if (pressed.size > 0 || clicking !== undefined) waiting.push(action);
  else action();
}

addEventListener("pointerdown", ({ button, pointerId }) => button === 0 && press(pointerId), true);
addEventListener("pointerup", ({ pointerId }) => release(pointerId), true);
addEventListener("pointercancel", ({ pointerId }) => release(pointerId), true);
addEventListener("keyup", ({ key }) => key === " " && release(SPACE), true);
addEventListener("click", () => pressed.size === 0 && doWaiting());
// Releases that are not heard: those over a menu or another window.
addEventListener("pointermove", ({ buttons, pointerId }) => buttons === 0 && release(pointerId), true);
addEventListener("contextmenu", releaseAll, true);
addEventListener("blur", releaseAll);
addEventListener("compositionstart", () => press(COMPOSITION), true);
addEventListener("compositionend", () => release(COMPOSITION), true);
addEventListener("keydown", ({ key, target, isComposing }) => {
  if (isComposing) return;
  if (key !== " ") releaseAll();
  else if (target.closest?.("button, summary")) press(SPACE);
}, true);
