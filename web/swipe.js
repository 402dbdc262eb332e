// Decides by a finger: what is drawn aside far enough is approved (to the right) or rejected (to the left).

// Shares of the width, and pixels.
const FAR = 0.35;
const BEGUN = 12;

// A wide formula or table is drawn aside itself.
function scrollsAside(element, card) {
  for (let each = element; each !== card; each = each.parentElement) {
    if (each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX === "auto") return true;
  }
  return false;
}

// For the card ".current" in `root`, which may be drawn anew meanwhile; `right()` and `left()` decide.
export function bindSwipe(root, { right, left }) {
  let from = null;
  let isDrawn = false;
  const show = (by) => {
    isDrawn = by !== 0;
    const card = root.querySelector(".current");
    if (!card) return;
    card.style.transform = by === 0 ? "" : `translateX(${by}px)`;
    card.classList.toggle("to-approve", by >= FAR * root.offsetWidth);
    card.classList.toggle("to-reject", by <= -FAR * root.offsetWidth);
  };
  const end = () => { from = null; show(0); };
  root.addEventListener("pointerdown", ({ pointerType, isPrimary, clientX, target }) => {
    if (!isPrimary) end();
    const card = target.closest(".current");
    const isText = card && pointerType === "touch" && isPrimary && !target.closest("input, button, summary");
    from = isText && !scrollsAside(target, card) ? clientX : null;
  });
  root.addEventListener("pointermove", ({ clientX }) => {
    if (from !== null) show(Math.abs(clientX - from) < BEGUN ? 0 : clientX - from);
  });
  root.addEventListener("pointerup", ({ clientX }) => {
    if (from === null) return;
    const by = clientX - from;
    end();
    if (by >= FAR * root.offsetWidth) right();
    else if (by <= -FAR * root.offsetWidth) left();
  });
  root.addEventListener("pointercancel", end);
  // Else the browser takes it for a fling, and a tap right after it for its end.
  root.addEventListener("touchmove", (event) => from !== null && event.cancelable && isDrawn && event.preventDefault(),
    { passive: false });
}
