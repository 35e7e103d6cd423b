// Zoom and pan of a picture by wheel, pinch, drag, keys and buttons. It knows nothing of what is drawn.

const MOST = 10; // times as large as the whole picture in its frame
const STEP = 1.3; // of a key or a button
const SLOP = 6; // pixels that a pointer moves before it drags
const WHEEL = 0.0016; // of a pixel of a wheel, in natural logarithms
const LASTING = 250; // milliseconds of a move that nobody's hand makes
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Let the SVG document in `frame`, of which `frame` hides what lies beyond it, be zoomed and panned.
 *
 *  Returns functions: `show(box)`, to call when the picture is drawn with its whole view box; `handleKey(event)`,
 *  which says whether it used the key; `zoom(factor)`; `fit()`; `closeUp(box, scale)`, which shows a part of the
 *  picture with that many pixels a unit at the least, and `release()`, which leaves that; `scale()`, the pixels a unit;
 *  `reveal(element)`.
 *  `isTaken(event)` says that a turn of the wheel is another's; `changed` is called after each change. */
export function makeZoomable(frame, { isTaken = () => false, changed = () => {} } = {}) {
  const pointers = new Map(); // by id: where each one is
  let whole = { x: 0, y: 0, width: 1, height: 1 };
  let view = { x: 0.5, y: 0.5, times: 1 }; // the middle of what is shown, and how many times larger than fitting
  let kept = null; // the view before a close-up, as long as nobody's hand has changed it
  let grip = null; // what two fingers held when they began to move
  let hasDragged = false, moving = 0;

  const fitting = () => Math.min(frame.clientWidth / whole.width, frame.clientHeight / whole.height) || 1;
  const scale = () => fitting() * view.times;

  function apply() {
    const svg = frame.querySelector("svg");
    if (!svg || !frame.clientWidth) return;
    const [width, height] = [frame.clientWidth / scale(), frame.clientHeight / scale()];
    view.x = keepWithin(view.x, width, whole.x, whole.width);
    view.y = keepWithin(view.y, height, whole.y, whole.height);
    const box = [view.x - width / 2, view.y - height / 2, width, height];
    svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    frame.classList.toggle("zoomed", view.times > 1);
    changed();
  }

  /** Return where a point of the screen lies from the middle of the frame, in pixels. */
  function fromMiddle(at) {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return [at.x - left - width / 2, at.y - top - height / 2];
  }

  /** Return what point of the picture is shown at a point of the screen. */
  function pointAt(at) {
    const [right, down] = fromMiddle(at);
    return { x: view.x + right / scale(), y: view.y + down / scale() };
  }

  /** Show a point of the picture at a point of the screen, that many `times` as large as fitting. */
  function showAt(point, at, times) {
    stop();
    view.times = Math.min(Math.max(times, 1), MOST);
    const [right, down] = fromMiddle(at);
    view.x = point.x - right / scale();
    view.y = point.y - down / scale();
    apply();
  }

  /** Zoom by `factor` about a point of the screen, by default the middle of the frame. */
  function zoom(factor, at = middleOf(frame.getBoundingClientRect())) {
    showAt(pointAt(at), at, view.times * factor);
  }

  /** Somebody's hand takes over. */
  function stop() {
    cancelAnimationFrame(moving);
    kept = null;
  }

  function pan(right, down) {
    stop();
    view.x -= right / scale();
    view.y -= down / scale();
    apply();
  }

  /** Go to another view, smoothly where the system does not ask for less motion. */
  function moveTo(aim) {
    cancelAnimationFrame(moving);
    const [from, start] = [{ ...view }, performance.now()];
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now) => {
      const part = isStill ? 1 : Math.min(1, Math.max(0, (now - start) / LASTING));
      const eased = part * part * (3 - 2 * part);
      for (const key of ["x", "y", "times"]) view[key] = from[key] + (aim[key] - from[key]) * eased;
      apply();
      if (part < 1) moving = requestAnimationFrame(step);
    };
    step(start);
  }

  function fit() {
    kept = null;
    moveTo({ x: whole.x + whole.width / 2, y: whole.y + whole.height / 2, times: 1 });
  }

  function closeUp(box, least) {
    const times = Math.min(Math.max(least / fitting(), view.times), MOST);
    if (times <= view.times) return;
    kept ??= { ...view };
    moveTo({ x: box.x + box.width / 2, y: box.y + box.height / 2, times });
  }

  /** Leave a close-up. */
  function release() {
    if (kept) moveTo(kept);
    kept = null;
  }

  /** Pan as far as needed to show an element of the picture. */
  function reveal(element) {
    const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
    const right = Math.max(0, outer.left - inner.left) || Math.min(0, outer.right - inner.right);
    const down = Math.max(0, outer.top - inner.top) || Math.min(0, outer.bottom - inner.bottom);
    if (right || down) pan(right, down);
  }

  function show(box) {
    const [x, y, width, height] = box.split(/[ ,]+/).map(Number);
    if (view.times === 1) view = { x: x + width / 2, y: y + height / 2, times: 1 };
    else view.times = Math.max(1, scale() / Math.min(frame.clientWidth / width, frame.clientHeight / height));
    whole = { x, y, width, height };
    apply();
  }

  function handleKey(event) {
    const arrow = event.shiftKey && ARROWS[event.key];
    if (arrow) pan(-arrow[0] * frame.clientWidth / 6, -arrow[1] * frame.clientHeight / 6);
    else if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-" || event.key === "_") zoom(1 / STEP);
    else if (event.key === "0") fit();
    else return false;
    event.preventDefault();
    return true;
  }

  function movePointer(event) {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const [right, down] = [event.clientX - before.x, event.clientY - before.y];
    if (!hasDragged && pointers.size === 1 && Math.hypot(right, down) < SLOP) return;
    hasDragged = true;
    frame.classList.add("dragging");
    if (pointers.size > 1) grip ??= hold();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) return pan(right, down);
    const { middle, apart } = hold();
    showAt(grip.point, middle, grip.times * apart / grip.apart);
  }

  /** Return what two fingers hold: the point of the picture between them, and how far `apart` they are. */
  function hold() {
    const [one, other] = pointers.values();
    const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
    const apart = Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
    return { middle, apart, point: pointAt(middle), times: view.times };
  }

  function endPointer(event) {
    pointers.delete(event.pointerId);
    grip = null;
    if (!pointers.size) frame.classList.remove("dragging");
  }

  frame.addEventListener("wheel", (event) => {
    if (isTaken(event)) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? 30 : 1) * (event.ctrlKey ? 5 : 1); // a trackpad's pinch is small
    zoom(Math.exp(-WHEEL * pixels), { x: event.clientX, y: event.clientY });
  }, { passive: false });
  frame.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.closest("button")) return;
    if (!pointers.size) hasDragged = false;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    grip = null;
  });
  addEventListener("pointermove", movePointer);
  for (const name of ["pointerup", "pointercancel"]) addEventListener(name, endPointer);
  frame.addEventListener("click", (event) => { // the end of a drag is no click
    if (hasDragged && event.detail) event.stopPropagation();
    hasDragged = false;
  }, true);
  new ResizeObserver(apply).observe(frame);
  return { show, handleKey, zoom, fit, closeUp, release, scale, reveal };
}

function middleOf({ left, top, width, height }) {
  return { x: left + width / 2, y: top + height / 2 };
}

/** Return the middle of a stretch of `length`, near `middle`, that stays within another; or that one's middle. */
function keepWithin(middle, length, start, whole) {
  if (length >= whole) return start + whole / 2;
  return Math.min(Math.max(middle, start + length / 2), start + whole - length / 2);
}

/** Return a group of buttons that zoom, to lay over the frame. */
export function makeZoomButtons({ zoom, fit }) {
  const group = document.createElement("div");
  group.className = "zoom";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Zoom");
  for (const [sign, words, act] of [
    ["+", "Zoom in (+)", () => zoom(STEP)], ["−", "Zoom out (−)", () => zoom(1 / STEP)], ["⤢", "Show everything (0)", fit],
  ]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, title: words });
    button.setAttribute("aria-label", words);
    button.addEventListener("click", act);
    group.append(button);
  }
  return group;
}
