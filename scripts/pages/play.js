// Shows the game as the server tells it, lets a person choose, and sends what was confirmed.

import {
  drawButtons, drawClose, drawPictures, drawTile, findBeside, findSpot, markTile, tryTile, UNIT,
} from "./play_board.js";
import { celebrate, markPaid, moveFrom, takeStock } from "./play_motion.js";
import { makeNewGame } from "./play_new.js";
import { makePast } from "./play_past.js";
import {
  capital, element, makeTabs, markMove, offerSheet, openSheet, showHelp, showMoves, showResult, showScores, showTiles,
} from "./play_side.js";
import { makeZoomable, makeZoomButtons } from "./zoom.js";

import { followThinking, showOpening } from "./play_progress.js";

const RETRY = 2000; // milliseconds, where the server does not answer
const SHORTLY = 300; // milliseconds, while the game is made ready
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
let isBusy = false; // an answer is awaited
let refusal = null; // {words, state}: why the last thing asked for was refused, and the state told after that
let lost = false; // the server does not answer
let told = ""; // of the state of the game
const lines = new Map(); // by number: the lines of pictures that the server has told

const zoom = makeZoomable(find("board"), { isTaken: turnByWheel, changed: placeTrial });
find("frame").append(makeZoomButtons(zoom));
makeTabs();
const offerNewGame = makeNewGame((wishes) => ask("/new", wishes));
const past = makePast({ show: showPast, unpack, revision: () => view.revision });

// --- words ---

function nameOf(player) {
  return view.names[player];
}

function tellStatus() {
  if (past.played !== null) return `Looking back: ${past.played} of ${view.played} moves.`;
  if (view.over) {
    const points = view.scores.join(" : ") + (view.measure === "points" ? "" : ` ${view.measure}`);
    const winners = view.winners.map(nameOf);
    if (winners.length !== 1) return `Game over: a shared victory${winners.length < view.scores.length ? ` of ${winners.join(" and ")}` : ""}, ${points}.`;
    return `Game over: ${winners[0]} ${winners[0] === "You" ? "have" : "has"} won, ${points}.`;
  }
  if (view.thinking && view.pace === null) return `Paused: ${nameOf(view.player)} is next.`;
  if (view.thinking) return `${nameOf(view.player)} is thinking …`;
  if (view.covered) return `It is the turn of the ${nameOf(view.player).toLowerCase()}.`;
  if (view.trouble.agent && !view.choices.length) return "The game waits.";
  const who = nameOf(view.player);
  return who === "You" ? `Your turn: ${view.task}.` : `${who}: ${view.task}.`;
}

function valueOf(choice) {
  return view.advice?.values[choice.action] ?? -Infinity;
}

function markOf(choice) {
  return view.advice && choice ? view.advice.marks[choice.action] ?? "?" : "";
}

// --- showing ---

/** Return what the server told after `known`, put together with that. */
function unpack(news, known) {
  for (const [number, line] of Object.entries(news.lines)) lines.set(Number(number), line);
  const pictures = news.pictures.map((numbers) => numbers.map((number) => lines.get(number)).join("\n"));
  const moves = news.moves && [...(known?.moves ?? []).slice(0, news.first), ...news.moves];
  return { ...news, pictures, moves };
}

function show(news) {
  const before = view;
  if (before !== null && isOlder(news.revision, before.revision)) return showMessages(); // answers that overtook each other
  if (before !== null && gameOf(news) !== gameOf(before)) {
    if (news.spread !== before.spread) return location.reload(); // another kind of game
    past.leave();
    zoom.fit();
  }
  const isNew = before === null || news.state !== before.state || news.covered !== before.covered;
  view = isNew ? news : { ...news, choices: before.choices }; // the same, which `spots` and the list hold
  find("pointed").hidden = view.spread;
  past.set(view.moves.length);
  if (isNew) showGame(before);
  if (past.played === null && (isNew || String(view.pictures) !== String(before.pictures))) showBoard(isNew, before);
  showAdvice();
  showSettings();
  showMessages();
  document.dispatchEvent(new CustomEvent("shown", { detail: { view } }));
  document.body.dataset.state = view.state;
}

/** Return whether a choice is to play a card. */
function isPlay(choice) {
  return choice.action.startsWith("play ");
}

function gameOf({ revision }) {
  return revision.split(".")[0];
}

function isOlder(revision, other) {
  const [[game, number], [otherGame, otherNumber]] = [revision.split("."), other.split(".")];
  return game === otherGame && Number(number) < Number(otherNumber);
}

/** Draw pictures, and let what has changed since move. */
function draw(pictures) {
  const before = takeStock(find("board"));
  drawPictures(pictures, find("board"), find("panel"), view.spread);
  find("panel").hidden = !pictures[1];
  const picture = find("board").firstElementChild;
  if (picture) zoom.show(picture.dataset.box ??= picture.getAttribute("viewBox"));
  moveFrom(before, find("board"));
}

/** Draw the board; what was chosen stays so where the game `isNew` not. */
function showBoard(isNew, before) {
  const active = document.activeElement;
  const wasHere = [...PLACES, "choices", "turn", "uncover", "trial"].some((id) => find(id).contains(active)) || active === document.body;
  const focused = active.dataset?.location;
  if (find("choices").contains(active)) usesList = true;
  else if (PLACES.some((id) => find(id).contains(active))) usesList = false;
  if (view.spread) spread();
  draw(view.pictures);
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
  if (isNew) showChoices();
  showClose();
  const only = view.choices.length === 1 ? view.choices[0] : null;
  select(isNew ? only : view.choices.find((choice) => choice.action === chosen?.action) ?? null);
  const spot = isNew ? spots[0] : spots.find((other) => other.location === focused);
  if (spot && wasHere && !(isNew && usesList)) moveFocus(spot.element);
  else if (isNew && wasHere && view.choices.length) {
    find(find("choices").hidden ? "nowhere" : "choices").querySelector("button")?.focus({ preventScroll: true });
  }
  if (isNew && !view.spread) showClosely();
  if (before && view.moves.length > before.moves.length) {
    celebrate(view.moves.slice(before.moves.length).flatMap((move) => move.gains), find("board"), find("scores"));
  }
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

/** Let the second picture lie close to the first, because it is played on too. */
function spread() {
  find("panel").setAttribute("role", "group");
  find("panel").setAttribute("aria-label", "Beside the board");
}

function showGame(before) {
  find("title").textContent = view.ruleset;
  document.body.classList.toggle("spread", view.spread);
  if (past.played === null) showSide(view);
  showMoves(view.moves, view.names, { go: past.go, mark: (cell) => markTile(find("board"), cell) });
  markMove(past.played);
  offerSheet("choices", view.choices.length > 0);
  find("turn").hidden = view.watched || view.over;
  find("uncover").hidden = !view.covered;
  find("uncover").textContent = view.covered ? `I am the ${nameOf(view.player).toLowerCase()}: show my hand` : "";
  find("kept").textContent = view.kept ? `The game is kept in ${view.kept}.` : "";
  const replays = [link("/replay", "Replay the game"), ...view.advisers.slice(0, 1).map((name) => link(`/replay?agent=${name}`, `Analyse it with ${name}`))];
  for (const replay of replays) replay.target = "_blank";
  const links = [...replays, link("/record", "Save its record")].map((each) => element("li", {}, each));
  showResult(view, (at) => markPaid(at, find("board"), view.colours), [element("ul", { className: "links" }, ...links)]);
  offerNewGame(view);
  if (view.over && !before?.over) openSheet("result");
}

/** Show what lies beside the board, now or in the past. */
function showSide({ scores, player, beside }) {
  showScores({ ...view, scores, player, held: beside.held }, (words) => { find("pointed").textContent = words; });
  find("facts").textContent = beside.facts.join(" · ");
  showTiles(beside.left, box.tiles);
}

/** Show the game as it stood; null: as it stands. */
function showPast(then) {
  if (then === null) {
    showSide(view);
    showBoard(true, null);
  } else {
    spots = [];
    select(null);
    draw(then.pictures);
    showSide(then);
  }
  document.body.classList.toggle("past", then !== null);
  showTurn();
  markMove(past.played);
  showMessages();
}

function link(address, words) {
  return element("a", { href: address, textContent: words });
}

/** Let the part with the decision be there where there is one; its room stays as it is. */
function showTurn() {
  find("turn").classList.toggle("idle", !view.choices.length || past.played !== null);
}

function showChoices() {
  showTurn();
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
function showAdvice() {
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

/** Show who gives hints, and how fast agents play. */
function showSettings() {
  const names = new Set([...view.advisers, view.adviser].filter((name) => name));
  find("adviser").parentElement.hidden = view.watched || !names.size;
  if (find("adviser").length !== names.size + 1) {
    find("adviser").replaceChildren(element("option", { value: "", textContent: "nobody" }), ...[...names].map((name) => new Option(name)));
  }
  if (document.activeElement !== find("adviser")) find("adviser").value = view.adviser;
  find("watch").hidden = !view.watched || view.over;
  find("pause").textContent = view.pace === null ? "Play on" : "Pause";
  if (view.pace !== null && [...find("pace").options].some((option) => Number(option.value) === view.pace)) find("pace").value = view.pace;
}

function showMessages() {
  document.title = `${view.ruleset}: ${tellStatus()}`;
  find("status").classList.toggle("thinking", view.thinking && past.played === null);
  if (told !== tellStatus()) { // else it would be read out again
    told = find("status").textContent = tellStatus();
    followThinking(view.thinking);
  }
  find("again").hidden = !view.trouble.agent;
  const gone = "The game cannot be reached. Is `zamek play` still running? If you started it anew, open the address that it prints.";
  const refused = refusal?.state === view.state ? refusal.words : ""; // of another state, it says nothing of this one
  const texts = [...Object.values(view.trouble), refused, lost ? gone : ""].filter((line) => line);
  const shown = [...find("alerts").children].map((line) => line.textContent);
  if (texts.join("\n") === shown.join("\n")) return;
  find("alerts").replaceChildren(...texts.map((line) => element("p", { textContent: line })));
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
  const ask = isPlacing() ? "Choose one of the marked places." : list;
  const mark = markOf(choice);
  find("chosen").textContent = choice ? capital(choice.words) + (mark ? ` (${mark})` : "") : ask;
  const alike = listAlike(choice);
  find("rotate").hidden = view.spread ? alike.length < 2 : !spots.some((spot) => spot.choices.length > 1);
  find("rotate").textContent = isPlacing() ? "Turn" : view.spread ? tellOther(alike, choice) : "Other piece";
  find("rotate").disabled = alike.length < 2;
  find("confirm").disabled = choice === null || isBusy;
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

// What is said of an area of the board, for those who cannot rest a pointer on it.
for (const name of ["pointerover", "click"]) {
  find("board").addEventListener(name, (event) => {
    find("pointed").textContent = event.target.closest?.(".area, .follower, .marker, .token")?.querySelector("title")?.textContent ?? "";
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || view === null || event.target.matches("input, select")) return;
  const spot = spotOf(event.target);
  if (event.repeat && event.key === "Enter") event.preventDefault(); // held down, it chooses and confirms nothing more
  if (zoom.handleKey(event) || past.handleKey(event)) return;
  if (spot && ARROWS.includes(event.key)) {
    event.preventDefault();
    const beside = findBeside(spots.map((other) => other.element), spot.element, event.key);
    moveFocus(beside);
    if (find("board").contains(beside)) zoom.reveal(beside);
    else beside.scrollIntoView({ block: "nearest", inline: "nearest" });
  } else if (spot && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    if (event.repeat) return;
    if (spot.choices.includes(chosen)) confirm();
    else choose(spot);
  } else if (event.key === "r" || event.key === "R") rotate();
  else if ((event.key === "u" || event.key === "U") && view.can_undo) ask("/undo");
  else if (event.key === "Escape") select(null);
});

document.addEventListener("keyup", (event) => {
  if (event.key === " " && spotOf(event.target)) event.preventDefault(); // else Firefox clicks a button once more
});

for (const id of ["rotate", "trial-rotate"]) find(id).addEventListener("click", () => rotate());
for (const id of ["confirm", "trial-confirm"]) find(id).addEventListener("click", confirm);
find("undo").addEventListener("click", () => ask("/undo"));
find("uncover").addEventListener("click", () => ask("/uncover"));
find("again").addEventListener("click", () => ask("/again"));
find("adviser").addEventListener("change", () => ask("/hints", { agent: find("adviser").value }));
find("pause").addEventListener("click", () => ask("/pace", { pace: view.pace === null ? find("pace").value : "pause" }));
find("step").addEventListener("click", () => ask("/pace", { pace: "step" }));
find("pace").addEventListener("change", () => ask("/pace", { pace: find("pace").value }));
find("hurry").addEventListener("click", () => ask("/hurry"));

find("quick").checked = localStorage.getItem("quick") === "true";
find("quick").addEventListener("change", () => localStorage.setItem("quick", find("quick").checked));

// --- asking the server ---

function confirm() {
  if (chosen) ask("/move", { action: chosen.action });
}

async function ask(address, more = {}) {
  if (isBusy) return;
  isBusy = true;
  find("confirm").disabled = true;
  const known = view;
  let news = null;
  try {
    const body = JSON.stringify({ state: view.state, ...more });
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const answer = await fetch(`${address}?after=${encodeURIComponent(known.revision)}`, sent);
    const words = answer.ok ? "" : await readRefusal(answer);
    const told = await (answer.ok ? answer : await fetch("/state")).json();
    await getReady(told);
    news = unpack(told, known);
    refusal = answer.ok ? null : { words, state: news.state };
  } catch {
    lost = true;
  }
  isBusy = false;
  find("confirm").disabled = chosen === null;
  if (news === null) showMessages();
  else show(news);
}

async function readRefusal(answer) {
  try {
    return `${capital((await answer.json()).error)}.`;
  } catch {
    return `The game failed to answer (${answer.status}); what it says stands where \`zamek play\` runs.`;
  }
}

async function listen() {
  for (;;) {
    try {
      const known = view;
      const answer = await fetch(known === null ? "/state" : `/state?after=${encodeURIComponent(known.revision)}`);
      if (answer.status === 200) {
        lost = false;
        const news = await answer.json();
        showOpening(news.opening ?? null);
        if (news.opening) {
          find("status").textContent = "One moment …";
          await new Promise((resolve) => setTimeout(resolve, SHORTLY));
          continue;
        }
        await getReady(news);
        if (view === null || news.revision !== view.revision) show(unpack(news, known));
        else showMessages();
      } else if (answer.status === 204) {
        lost = false;
        showMessages();
      } else throw new Error(answer.statusText);
    } catch {
      lost = true;
      if (view !== null) showMessages();
      else find("status").textContent = "The game cannot be reached.";
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

/** Ask for what stays as it is during the game of which there is news, where that is not known yet. */
async function getReady(news) {
  showOpening(null);
  if (box?.game === gameOf(news)) return;
  const answer = await fetch("/box");
  if (!answer.ok) throw new Error(answer.statusText);
  box = { ...await answer.json(), game: gameOf(news) };
  showHelp(box.help);
  find("scores").classList.toggle("tokens", box.tokens); // room for them from the beginning on
}

listen();
