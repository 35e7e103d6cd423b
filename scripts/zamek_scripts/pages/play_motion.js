// Small motions: what is new on the board, what goes home, points that fly to the score. None where the system asks so.

import { listArea, make } from "./play_board.js";

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const LIT = 2500; // milliseconds that an area lights up
const FLIGHT = 1100; // milliseconds
const PIECES = ".tile[data-cell], .follower";

function nameOf(piece) {
  const { cell, tile, segment, player, piece: kind } = piece.dataset;
  return [cell, tile, segment, player, kind].join(" ");
}

/** Return the pieces on the board by name, to compare with those drawn next. */
export function takeStock(board) {
  return new Map([...board.querySelectorAll(PIECES)].map((piece) => [nameOf(piece), piece]));
}

/** Let pieces that were not there `before` come, and followers that are no longer there go. */
export function moveFrom(before, board) {
  if (isStill() || !before.size) return;
  const now = takeStock(board);
  for (const [name, piece] of now) if (!before.has(name)) piece.classList.add("coming");
  for (const [name, piece] of before) {
    if (now.has(name) || !piece.matches(".follower")) continue;
    piece.classList.add("going");
    board.querySelector("svg").append(piece);
    setTimeout(() => piece.remove(), FLIGHT);
  }
}

/** Light up the areas of `gains`, and let their points fly to the scores. */
export function celebrate(gains, board, scores) {
  for (const { at, player, points } of gains.filter((gain) => gain.at)) {
    const shapes = listArea(board, at);
    for (const shape of shapes) shape.classList.add("scored");
    setTimeout(() => shapes.forEach((shape) => shape.classList.remove("scored")), LIT);
    const goal = scores.querySelector(`[data-player="${player}"]`);
    if (!isStill() && shapes.length && goal) fly(`+${points}`, shapes[0], goal);
  }
}

function fly(words, from, to) {
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const points = Object.assign(document.createElement("span"), { className: "flying", textContent: words, ariaHidden: true });
  points.style.left = `${start.x + start.width / 2}px`;
  points.style.top = `${start.y + start.height / 2}px`;
  document.body.append(points);
  const way = `translate(${end.x + end.width / 2 - start.x - start.width / 2}px, ${end.y + end.height / 2 - start.y - start.height / 2}px)`;
  points.animate(
    [{ transform: "scale(0.4)", opacity: 0 }, { transform: "scale(1.6)", opacity: 1, offset: 0.25 }, { transform: `${way} scale(0.8)`, opacity: 0.2 }],
    { duration: FLIGHT, easing: "ease-in-out" },
  ).finished.then(() => points.remove());
}

/** Mark areas, [segment, player, points] each, with what they paid; null: no marks. */
export function markPaid(at, board, colours) {
  for (const mark of board.querySelectorAll(".paid")) mark.remove();
  for (const area of board.querySelectorAll(".area.lit")) area.classList.remove("lit");
  for (const [segment, player, points] of at ?? []) {
    const shapes = listArea(board, segment);
    for (const shape of shapes) shape.classList.add("lit");
    if (!shapes.length) continue;
    const shape = board.querySelector(`.area[data-at="${CSS.escape(segment)}"]`);
    const { x, y, width, height } = shape.getBBox();
    const [, left, top] = /translate\(([-\d.]+),([-\d.]+)\)/.exec(shape.getAttribute("transform") ?? "translate(0,0)");
    const middle = [Number(left) + x + width / 2, Number(top) + y + height / 2];
    const disc = make("circle", { cx: middle[0], cy: middle[1], r: 17 });
    disc.style.fill = colours[player] ?? "";
    board.querySelector("svg").append(make("g", { class: `paid of-${player}` }, disc, make("text", { x: middle[0], y: middle[1] + 7 }, `+${points}`)));
  }
}
