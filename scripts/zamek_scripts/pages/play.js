// Shows the game as the server tells it, now or as it was, and what is said of it; play_choices.js lets a person choose.

import { drawPictures, markTile } from "./play_board.js";
import {
  forgetChoices, findFocus, handleKey, showAdvice, showBusy, showChoices, updateChoices, zoom,
} from "./play_choices.js";
import { ask, gameOf, isOlder, listComplaints, listen, unpack } from "./play_link.js";
import { celebrate, markPaid, moveFrom, takeStock } from "./play_motion.js";
import { makeNewGame } from "./play_new.js";
import { makePast } from "./play_past.js";
import { followThinking, showOpening } from "./play_progress.js";
import {
  element, makeTabs, markMove, offerSheet, openSheet, showHelp, showMoves, showResult, showScores, showTiles,
} from "./play_side.js";
import { makeZoomButtons } from "./zoom.js";

const find = (id) => document.getElementById(id);

let box = null; // what stays as it is during the game
let view = null; // what the server told last
let told = ""; // of the state of the game

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

// --- showing ---

function show(news) {
  const before = view;
  if (before !== null && isOlder(news.revision, before.revision)) return showMessages(); // answers that overtook each other
  if (before !== null && gameOf(news) !== gameOf(before)) {
    if (news.spread !== before.spread) return location.reload(); // another kind of game
    past.leave();
    zoom.fit();
  }
  const isNew = before === null || news.state !== before.state || news.covered !== before.covered;
  view = isNew ? news : { ...news, choices: before.choices }; // the same, which spots and the list hold
  updateChoices(view);
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
  const focus = findFocus();
  if (view.spread) spread();
  draw(view.pictures);
  if (isNew) showTurn();
  showChoices(view, box, isNew, focus);
  if (before && view.moves.length > before.moves.length) {
    celebrate(view.moves.slice(before.moves.length).flatMap((move) => move.gains), find("board"), find("scores"));
  }
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
    forgetChoices();
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
  const texts = [...Object.values(view.trouble), ...listComplaints(view.state)];
  const shown = [...find("alerts").children].map((line) => line.textContent);
  if (texts.join("\n") === shown.join("\n")) return;
  find("alerts").replaceChildren(...texts.map((line) => element("p", { textContent: line })));
}

// What is said of an area of the board, for those who cannot rest a pointer on it.
for (const name of ["pointerover", "click"]) {
  find("board").addEventListener(name, (event) => {
    find("pointed").textContent = event.target.closest?.(".area, .follower, .marker, .token")?.querySelector("title")?.textContent ?? "";
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || view === null || event.target.matches("input, select")) return;
  if (event.repeat && event.key === "Enter") event.preventDefault(); // held down, it chooses and confirms nothing more
  if (zoom.handleKey(event) || past.handleKey(event) || handleKey(event)) return;
  if ((event.key === "u" || event.key === "U") && view.can_undo) ask("/undo");
});

find("undo").addEventListener("click", () => ask("/undo"));
find("uncover").addEventListener("click", () => ask("/uncover"));
find("again").addEventListener("click", () => ask("/again"));
find("adviser").addEventListener("change", () => ask("/hints", { agent: find("adviser").value }));
find("pause").addEventListener("click", () => ask("/pace", { pace: view.pace === null ? find("pace").value : "pause" }));
find("step").addEventListener("click", () => ask("/pace", { pace: "step" }));
find("pace").addEventListener("change", () => ask("/pace", { pace: find("pace").value }));
find("hurry").addEventListener("click", () => ask("/hurry"));

/** Ask for what stays as it is during the game of which there is news, where that is not known yet. */
async function prepare(news) {
  showOpening(null);
  if (box?.game === gameOf(news)) return;
  const answer = await fetch("/box");
  if (!answer.ok) throw new Error(answer.statusText);
  box = { ...await answer.json(), game: gameOf(news) };
  showHelp(box.help);
  find("scores").classList.toggle("tokens", box.tokens); // room for them from the beginning on
}

listen({ known: () => view, prepare, show, showMessages, showBusy });
