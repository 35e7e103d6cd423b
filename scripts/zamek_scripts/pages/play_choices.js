// What there is to choose, on the board, as buttons and in a list; and what is chosen, turned, tried and confirmed.

import { drawButtons, drawClose, drawTile, findBeside, findSpot, tryTile, UNIT } from "./play_board.js";
import { ask, isBusy } from "./play_link.js";
import { capital, element, openSheet } from "./play_side.js";
import { makeZoomable } from "./zoom.js";

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const PLACES = ["board", "panel", "buttons"]; // where choices lie
const MOST_NOWHERE = 3; // choices without a place that are buttons, not only lines of the list
const TOUCH = 24; // pixels that something to touch measures at the least
const SMALLEST = { polygon: 86, circle: 23 }; // what there is to touch on the board, in units of the picture
const find = (id) => document.getElementById(id);

let box = null; // what stays as it is during the game
let view = null; // what the server told last
let spots = []; // {location, choices, element, close}: what can be chosen in PLACES
let chosen = null; // one of view.choices
let wanted = 0; // how the tile was turned last
let usesList = false; // the list of choices had the focus last, not the pictures
export const zoom = makeZoomable(find("board"), { isTaken: turnByWheel, changed: placeTrial }); // of the board

// --- showing ---

/** Take note of what the server told, in which choices that are shown already are the same. */
export function updateChoices(news) {
  view = news;
}

/** Return where the focus is: whether it is `here`, among the choices, and at which `location`. */
export function findFocus() {
  const active = document.activeElement;
  const here = [...PLACES, "choices", "turn", "uncover", "trial"].some((id) => find(id).contains(active)) || active === document.body;
  if (find("choices").contains(active)) usesList = true;
  else if (PLACES.some((id) => find(id).contains(active))) usesList = false;
  return { here, location: active.dataset?.location };
}

/** Show the choices on the pictures just drawn; what was chosen stays so where the game `isNew` not. `focus` says
 *  where the focus was before. */
export function showChoices(news, known, isNew, focus) {
  [view, box] = [news, known];
  findSpots();
  if (isNew) listChoices();
  showClose();
  const only = view.choices.length === 1 ? view.choices[0] : null;
  select(isNew ? only : view.choices.find((choice) => choice.action === chosen?.action) ?? null);
  const spot = isNew ? spots[0] : spots.find((other) => other.location === focus.location);
  if (spot && focus.here && !(isNew && usesList)) moveFocus(spot.element);
  else if (isNew && focus.here && view.choices.length) {
    find(find("choices").hidden ? "nowhere" : "choices").querySelector("button")?.focus({ preventScroll: true });
  }
  if (isNew && !view.spread) showClosely();
}

/** Let there be nothing to choose, as in the past. */
export function forgetChoices() {
  spots = [];
  select(null);
}

function findSpots() {
  const byLocation = new Map();
  for (const choice of view.choices.filter((choice) => choice.location)) {
    if (!byLocation.has(choice.location)) byLocation.set(choice.location, []);
    byLocation.get(choice.location).push(choice);
  }
  for (const choices of byLocation.values()) choices.sort((one, other) => isPlay(other) - isPlay(one)); // before exchanging it
  const buttons = view.buttons.map(({ location, words, tile }) => ({ location, words: capital(words), picture: box.tiles[tile] }));
  drawButtons(buttons, new Set(byLocation.keys()), find("buttons"));
  const places = PLACES.map(find);
  spots = [...byLocation].map(([location, choices]) => ({ location, choices, element: findSpot(places, location) }));
  for (const spot of spots) spot.element.setAttribute("tabindex", -1);
  spots[0]?.element.setAttribute("tabindex", 0);
}

/** Return whether a choice is to play a card. */
function isPlay(choice) {
  return choice.action.startsWith("play ");
}

/** Zoom where fingers would not find what there is to choose, and back where they do. */
function showClosely() {
  zoom.release();
  const shape = spots[0]?.element.querySelector("polygon, circle");
  if (!shape || !find("board").contains(shape) || !matchMedia("(pointer: coarse)").matches) return;
  const cells = spots.map((spot) => spot.location.split(/[,.]/).map((part) => UNIT * part));
  const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  const [low, right] = [0, 1].map((axis) => Math.max(...cells.map((cell) => cell[axis])) + UNIT);
  zoom.closeUp({ x: left, y: top, width: right - left, height: low - top }, TOUCH / SMALLEST[shape.tagName]);
}

/** List all choices, and those that have no place as buttons. */
function listChoices() {
  const nowhere = view.choices.filter((choice) => !choice.location);
  find("nowhere").replaceChildren(...(nowhere.length > MOST_NOWHERE ? [] : nowhere.map(makeChoice)));
  find("choices").querySelector("ul").replaceChildren(...view.choices.map((choice) => element("li", {}, makeChoice(choice))));
  if (view.choices.length && (usesList || (!spots.length && nowhere.length > MOST_NOWHERE))) openSheet("choices");
}

function makeChoice(choice) {
  const button = element("button", { type: "button" }, capital(choice.words));
  button.dataset.action = choice.action;
  button.addEventListener("click", () => (chosen?.action === choice.action ? confirm() : take(choice)));
  for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => pointAt(choice));
  for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => pointAt(null));
  return button;
}

/** Mark the place of a choice of the list; null: of none. */
function pointAt(choice) {
  for (const spot of spots) spot.element.classList.toggle("pointed", spot.choices.includes(choice));
}

/** Show close by the tile just laid, where all there is to choose lies on it. */
function showClose() {
  const cell = spots[0]?.location.split(".")[0];
  const laid = find("board").querySelector(`.tile[data-cell="${cell}"]`);
  const picture = box.tiles[view.beside.tile];
  const isClose = Boolean(picture && laid) && spots.every((spot) => spot.location.startsWith(`${cell}.`));
  find("tile").classList.toggle("close", isClose);
  find("tile").replaceChildren();
  if (!isClose) return;
  const [close, copies] = drawClose(picture, Number(laid.dataset.rotation), spots.map((spot) => spot.element));
  for (const [number, copy] of copies.entries()) {
    spots[number].close = copy;
    copy.addEventListener("click", () => choose(spots[number]));
  }
  find("tile").append(close);
}

/** Write the values of an agent beside the choices, and into what is read out. */
export function showAdvice() {
  for (const old of document.querySelectorAll(".value")) old.remove();
  for (const button of view.advice ? document.querySelectorAll("[data-action]") : []) {
    const { action } = button.dataset;
    const words = (view.advice.marks[action] ?? "?") + (action === view.advice.best ? " ★" : "");
    button.append(element("span", { className: "value", textContent: words }));
  }
  for (const spot of spots) {
    const mark = markOf(bestOf(spot));
    if (view.advice && find("buttons").contains(spot.element)) spot.element.append(element("span", { className: "value", textContent: mark }));
    if (view.spread) continue;
    const more = spot.choices.length > 1 ? `, ${spot.choices.length} choices` : "";
    const best = spot.choices.some((choice) => choice.action === view.advice?.best) ? ", the best" : "";
    const words = capital((mark ? bestOf(spot) : spot.choices[0]).words);
    spot.element.setAttribute("aria-label", words + more + (mark ? `, worth ${mark}${best}` : ""));
  }
}

function valueOf(choice) {
  return view.advice?.values[choice.action] ?? -Infinity;
}

function markOf(choice) {
  return view.advice && choice ? view.advice.marks[choice.action] ?? "?" : "";
}

// --- choosing ---

function isPlacing() {
  return view.choices.some((choice) => choice.rotation !== undefined);
}

function tilePicture() {
  return box.tiles[view.beside.tile];
}

function select(choice) {
  chosen = choice;
  if (choice?.rotation !== undefined) wanted = choice.rotation;
  for (const spot of spots) {
    const isChosen = spot.choices.includes(choice);
    spot.element.classList.toggle("selected", isChosen);
    spot.element.setAttribute("aria-pressed", isChosen);
    spot.close?.classList.toggle("selected", isChosen);
    for (const old of spot.element.querySelectorAll("g.trial, g.ghost")) old.remove();
    if (isChosen && isPlacing() && tilePicture()) tryTile(spot.element, tilePicture(), choice.rotation);
  }
  for (const button of document.querySelectorAll("[data-action]")) {
    button.setAttribute("aria-pressed", button.dataset.action === choice?.action);
  }
  if (isPlacing() && tilePicture()) find("tile").replaceChildren(drawTile(tilePicture(), choice?.rotation ?? 0));
  const list = view.spread ? "Choose a marked place or a button." : "Choose on the board or in the list.";
  const bid = isPlacing() ? "Choose one of the marked places." : list;
  const mark = markOf(choice);
  find("chosen").textContent = choice ? capital(choice.words) + (mark ? ` (${mark})` : "") : bid;
  const alike = listAlike(choice);
  find("rotate").hidden = view.spread ? alike.length < 2 : !spots.some((spot) => spot.choices.length > 1);
  find("rotate").textContent = isPlacing() ? "Turn" : view.spread ? tellOther(alike, choice) : "Other piece";
  find("rotate").disabled = alike.length < 2;
  showBusy();
  find("undo").disabled = !view.can_undo;
  placeTrial();
}

/** Lay the buttons of the tile on trial beside it, where they hide as little as can be. */
function placeTrial() {
  const tile = find("board").querySelector("g.trial");
  find("trial").hidden = tile === null;
  if (tile === null) return;
  const [{ left, right, bottom, top }, frame] = [tile.getBoundingClientRect(), find("frame").getBoundingClientRect()];
  const { width, height } = find("trial").getBoundingClientRect();
  find("trial-rotate").hidden = find("rotate").disabled;
  const x = Math.min(Math.max((left + right - width) / 2 - frame.left, 4), frame.width - width - 4);
  const below = bottom - frame.top - 6;
  const y = below + height < frame.height ? below : top - frame.top - height + 6;
  find("trial").style.transform = `translate(${x}px, ${y}px)`;
}

/** Return the choices at the location of `choice`: other ways to turn the tile, other pieces to send. */
function listAlike(choice) {
  return spots.find((spot) => spot.choices.includes(choice))?.choices ?? [];
}

/** Return which of the choices `alike` comes after `choice`. */
function tellOther(alike, choice) {
  return alike.length < 2 ? "" : `Rather ${alike[(alike.indexOf(choice) + 1) % alike.length].words}`;
}

function rotate(by = 1) {
  const alike = listAlike(chosen);
  if (alike.length) select(alike.at((alike.indexOf(chosen) + by) % alike.length));
}

/** Choose at a place: what is chosen there already is changed; with one click it is played at once. */
function choose(spot) {
  if (spot.choices.includes(chosen) && !find("quick").checked) rotate();
  else take(firstOf(spot));
}

function take(choice) {
  select(choice);
  if (find("quick").checked) confirm();
}

/** Return the choice that is offered first at a place: the tile turned as it was last, or the best. */
function firstOf(spot) {
  if (spot.choices.includes(chosen)) return chosen;
  return (!view.advice && spot.choices.find((choice) => choice.rotation === wanted)) || bestOf(spot);
}

function bestOf(spot) {
  return spot.choices.reduce((one, other) => (valueOf(other) > valueOf(one) ? other : one));
}

function spotOf(target) {
  const place = target.closest?.(".choice");
  return spots.find((spot) => spot.element === place);
}

function moveFocus(place) {
  for (const spot of spots) spot.element.setAttribute("tabindex", spot.element === place ? 0 : -1);
  place.focus({ preventScroll: true });
}

for (const place of PLACES) {
  find(place).addEventListener("click", (event) => {
    const spot = spotOf(event.target);
    if (!spot) return;
    moveFocus(spot.element);
    choose(spot);
  });
}

// A tile that would be laid is shown under the pointer.
find("board").addEventListener("pointerover", (event) => {
  const spot = event.pointerType === "mouse" && isPlacing() && tilePicture() && spotOf(event.target);
  for (const old of find("board").querySelectorAll("g.ghost")) if (old.parentNode !== spot?.element) old.remove();
  if (spot && !spot.element.querySelector("g.ghost, g.trial")) tryTile(spot.element, tilePicture(), firstOf(spot).rotation, "ghost");
});
find("board").addEventListener("pointerleave", () => find("board").querySelector("g.ghost")?.remove());

/** Turn the tile by the wheel where the pointer is over it, or with Shift; elsewhere the wheel zooms. */
function turnByWheel(event) {
  const spot = view && spotOf(event.target);
  const isOver = Boolean(spot?.choices.includes(chosen));
  if (!isPlacing() || !(isOver || event.shiftKey)) return false;
  event.preventDefault();
  if (!chosen && spot) select(firstOf(spot));
  else rotate((event.deltaY || event.deltaX) > 0 ? 1 : -1);
  return true;
}

/** Let what is chosen be confirmed, unless an answer is awaited. */
export function showBusy() {
  find("confirm").disabled = chosen === null || isBusy;
}

function confirm() {
  if (chosen) ask("/move", { action: chosen.action });
}

/** Do what a key does to the choices; return whether it does anything. */
export function handleKey(event) {
  const spot = spotOf(event.target);
  if (spot && ARROWS.includes(event.key)) {
    event.preventDefault();
    const beside = findBeside(spots.map((other) => other.element), spot.element, event.key);
    moveFocus(beside);
    if (find("board").contains(beside)) zoom.reveal(beside);
    else beside.scrollIntoView({ block: "nearest", inline: "nearest" });
  } else if (spot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    if (event.repeat) return true;
    if (spot.choices.includes(chosen)) confirm();
    else choose(spot);
  } else if (event.key === "r" || event.key === "R") rotate();
  else if (event.key === "Escape") select(null);
  else return false;
  return true;
}

document.addEventListener("keyup", (event) => {
  if (event.key === " " && spotOf(event.target)) event.preventDefault(); // else Firefox clicks a button once more
});

for (const id of ["rotate", "trial-rotate"]) find(id).addEventListener("click", () => rotate());
for (const id of ["confirm", "trial-confirm"]) find(id).addEventListener("click", confirm);

find("quick").checked = localStorage.getItem("quick") === "true";
find("quick").addEventListener("change", () => localStorage.setItem("quick", find("quick").checked));
