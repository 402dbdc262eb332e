// A button that is drawn anew or moves between press and release is not pressed, so what nobody asked for is drawn after that.

let isPressed = false;
const waiting = [];

function release() {
  isPressed = false;
  while (waiting.length > 0) waiting.shift()();
}

function press(isDown) {
  if (isDown) isPressed = true;
  else if (isPressed) setTimeout(release);  // the click comes first
}

// Does `action` at once, or when what is pressed is released.
export function whenReleased(action) {
  if (isPressed) waiting.push(action);
  else action();
}

// Where the release is not heard, as over a menu of the browser, the next move tells of it.
for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
  addEventListener(type, ({ buttons }) => press(buttons !== 0 && type !== "pointercancel"), true);
}
addEventListener("keydown", ({ key }) => key === " " && press(true), true);
addEventListener("keyup", ({ key }) => key === " " && press(false), true);
addEventListener("blur", () => press(false));
