// Shows the game as the server tells it, lets a person choose, and sends what was confirmed.

import { copyTile, drawButtons, drawClose, drawPictures, drawTile, findBeside, findSpot, markTile, tellWords } from "./play_board.js";

import { followThinking, showOpening } from "./play_progress.js";

const RETRY = 2000; // milliseconds, where the server does not answer
const SHORTLY = 300; // milliseconds, while the game is made ready
const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const PLACES = ["board", "panel", "buttons"]; // where choices lie
const find = (id) => document.getElementById(id);

let view = null; // what the server told last
let next = null; // the tile drawn, in the picture
let spots = []; // {location, choices, element, close}: what can be chosen in PLACES
let chosen = null; // one of view.choices
let usesList = false; // the list of choices had the focus last, not the pictures
let isBusy = false; // an answer is awaited
let refusal = null; // {words, state}: why the last thing asked for was refused, and the state told after that
let lost = false; // the server does not answer
let told = ""; // of the state of the game

// --- words ---

function nameOf(player) {
  return view.names[player];
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tellStatus() {
  if (view.over) {
    const points = view.scores.join(" : ") + (view.measure === "points" ? "" : ` ${view.measure}`);
    const winners = view.winners.map(nameOf);
    if (winners.length !== 1) return `Game over: a shared victory${winners.length < view.scores.length ? ` of ${winners.join(" and ")}` : ""}, ${points}.`;
    return `Game over: ${winners[0]} ${winners[0] === "You" ? "have" : "has"} won, ${points}.`;
  }
  if (view.thinking) return `${nameOf(view.player)} is thinking …`;
  if (view.covered) return `It is the turn of player ${view.player}.`;
  if (view.trouble.agent && !view.choices.length) return "The game waits.";
  const who = nameOf(view.player);
  return who === "You" ? `Your turn: ${view.task}.` : `${who}: ${view.task}.`;
}

function valueOf(choice) {
  return view.advice?.values[choice.action] ?? -Infinity;
}

// --- showing ---

function show(news) {
  const before = view;
  if (before !== null && isOlder(news.revision, before.revision)) return showMessages(); // answers that overtook each other
  const isNew = before === null || news.state !== before.state || news.covered !== before.covered;
  view = isNew ? news : { ...news, choices: before.choices }; // the same, which `spots` and the list hold
  find("pointed").hidden = view.spread;
  if (isNew || String(view.pictures) !== String(before.pictures)) showBoard(isNew);
  if (isNew) showGame();
  showAdvice();
  showMessages();
  document.dispatchEvent(new CustomEvent("shown", { detail: { view, names: view.names.map((_, player) => nameOf(player)) } }));
  document.body.dataset.state = view.state;
}

/** Return whether a choice is to play a card. */
function isPlay(choice) {
  return choice.action.startsWith("play ");
}

function isOlder(revision, other) {
  const [[game, number], [otherGame, otherNumber]] = [revision.split("."), other.split(".")];
  return game === otherGame && Number(number) < Number(otherNumber);
}

/** Draw the board; what was chosen stays so where the game `isNew` not. */
function showBoard(isNew) {
  const active = document.activeElement;
  const wasHere = [...PLACES, "choices", "turn", "uncover"].some((id) => find(id).contains(active)) || active === document.body;
  const focused = active.dataset?.location;
  if (find("choices").contains(active)) usesList = true;
  else if (PLACES.some((id) => find(id).contains(active))) usesList = false;
  if (view.spread) spread();
  next = drawPictures(view.pictures, find("board"), find("panel"), view.spread);
  if (!view.spread) find("panel").setAttribute("aria-label", tellWords(find("panel")));
  const byLocation = new Map();
  for (const choice of view.choices.filter((choice) => choice.location)) {
    if (!byLocation.has(choice.location)) byLocation.set(choice.location, []);
    byLocation.get(choice.location).push(choice);
  }
  for (const choices of byLocation.values()) choices.sort((one, other) => isPlay(other) - isPlay(one)); // before exchanging it
  const buttons = view.buttons.map(({ location, words }) => ({ location, words: capital(words) }));
  drawButtons(buttons, new Set(byLocation.keys()), find("buttons"));
  const places = PLACES.map(find);
  spots = [...byLocation].map(([location, choices]) => ({ location, choices, element: findSpot(places, location) }));
  for (const spot of spots) {
    spot.element.setAttribute("tabindex", -1);
    const more = spot.choices.length > 1 ? `, ${spot.choices.length} choices` : "";
    if (!view.spread) spot.element.setAttribute("aria-label", capital(spot.choices[0].words) + more);
  }
  spots[0]?.element.setAttribute("tabindex", 0);
  if (isNew) showChoices();
  showClose();
  const only = view.choices.length === 1 ? view.choices[0] : null;
  select(isNew ? only : view.choices.find((choice) => choice.action === chosen?.action) ?? null);
  const spot = isNew ? spots[0] : spots.find((other) => other.location === focused);
  if (spot && wasHere && !(isNew && usesList)) moveFocus(spot.element);
  else if (isNew && wasHere) find("choices").querySelector("button")?.focus({ preventScroll: true });
}

/** Let the second picture lie close to the first, because it is played on too. */
function spread() {
  find("panel").setAttribute("role", "group");
  find("panel").setAttribute("aria-label", "Beside the board");
  if (find("again").nextElementSibling !== find("panel")) find("again").after(find("panel"));
}

function showGame() {
  find("title").textContent = view.ruleset;
  showScores();
  showMoves();
  find("uncover").hidden = !view.covered;
  find("uncover").textContent = `I am player ${view.player}: show my hand`;
  find("kept").textContent = view.kept ? `The game is kept in ${view.kept}.` : "";
  if (view.over) find("kept").append(" ", link("/record", "Save its record"), ". For another game start `zamek play` again.");
}

function link(address, words) {
  const element = document.createElement("a");
  element.href = address;
  element.textContent = words;
  return element;
}

function showScores() {
  find("scores").setAttribute("aria-label", capital(view.measure));
  if (view.measure !== "points") find("scores").createCaption().textContent = capital(view.measure);
  const rows = view.scores.map((points, player) => {
    const row = document.createElement("tr");
    row.setAttribute("aria-current", player === view.player);
    if (view.colours[player]) row.style.setProperty("--player", view.colours[player]);
    for (const words of [`${nameOf(player)}${player === view.player ? " ▸" : ""}`, points]) {
      row.append(Object.assign(document.createElement("td"), { textContent: words }));
    }
    return row;
  });
  find("scores").tBodies[0].replaceChildren(...rows);
}

function showMoves() {
  let cell = null; // where the turn so far has led
  const lines = view.moves.map((move) => {
    const line = document.createElement("li");
    const where = cell = /(?:@|^score )(-?\d+,-?\d+)/.exec(move.action)?.[1] ?? cell;
    line.addEventListener("pointerenter", () => markTile(find("board"), where));
    line.addEventListener("pointerleave", () => markTile(find("board"), null));
    line.textContent = `${nameOf(move.player)}: ${move.words}`;
    line.append(...move.news.map((words) => Object.assign(document.createElement("div"), { textContent: words })));
    return line;
  });
  find("moves").start = view.played; // only the last moves are told
  find("moves").replaceChildren(...lines.reverse());
}

function showChoices() {
  find("turn").hidden = find("choices").hidden = !view.choices.length;
  find("choices").open = usesList || (!view.spread && view.choices.some((choice) => choice.rotation === undefined));
  const items = view.choices.map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.action = choice.action;
    button.textContent = capital(choice.words);
    button.addEventListener("click", () => (chosen?.action === choice.action ? confirm() : select(choice)));
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => pointAt(choice));
    for (const name of ["pointerleave", "blur"]) button.addEventListener(name, () => pointAt(null));
    const item = document.createElement("li");
    item.append(button);
    return item;
  });
  find("choices").querySelector("ul").replaceChildren(...items);
}

/** Mark the place of a choice of the list; null: of none. */
function pointAt(choice) {
  for (const spot of spots) spot.element.classList.toggle("pointed", spot.choices.includes(choice));
}

/** Show close by the tile just laid, where all there is to choose lies on it. */
function showClose() {
  const laid = /@(-?\d+,-?\d+)[NESW]$/.exec(view.moves.at(-1)?.action ?? "")?.[1];
  const isClose = spots.length > 0 && next !== null && spots.every((spot) => spot.location.startsWith(`${laid}.`));
  find("tile").classList.toggle("close", isClose);
  find("tile").replaceChildren();
  if (!isClose) return;
  const [picture, copies] = drawClose(next, spots.map((spot) => spot.element));
  for (const [number, copy] of copies.entries()) {
    spots[number].close = copy;
    copy.addEventListener("click", () => choose(spots[number]));
  }
  find("tile").append(picture);
}

function showAdvice() {
  for (const element of document.querySelectorAll(".value")) element.remove();
  for (const button of view.advice ? find("choices").querySelectorAll("button") : []) {
    const { action } = button.dataset;
    const mark = view.advice.marks[action] ?? "?";
    const words = mark + (action === view.advice.best ? " ★" : "");
    button.append(Object.assign(document.createElement("span"), { className: "value", textContent: words }));
  }
  for (const spot of view.advice ? spots.filter((spot) => find("buttons").contains(spot.element)) : []) {
    const words = view.advice.marks[bestOf(spot).action] ?? "?";
    spot.element.append(Object.assign(document.createElement("span"), { className: "value", textContent: words }));
  }
}

function showMessages() {
  document.title = `${view.ruleset}: ${tellStatus()}`;
  find("status").classList.toggle("thinking", view.thinking);
  if (told !== tellStatus()) { // else it would be read out again
    told = find("status").textContent = tellStatus();
    followThinking(view.thinking);
  }
  find("again").hidden = !view.trouble.agent;
  const gone = "The game cannot be reached. Is `zamek play` still running? If you started it anew, open the address that it prints.";
  const refused = refusal?.state === view.state ? refusal.words : ""; // of another state, it says nothing of this one
  const lines = [...Object.values(view.trouble), refused, lost ? gone : ""].filter((line) => line);
  const shown = [...find("alerts").children].map((line) => line.textContent);
  if (lines.join("\n") === shown.join("\n")) return;
  find("alerts").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

// --- choosing ---

function isPlacing() {
  return view.choices.some((choice) => choice.rotation !== undefined);
}

function select(choice) {
  chosen = choice;
  for (const spot of spots) {
    const isChosen = spot.choices.includes(choice);
    spot.element.classList.toggle("selected", isChosen);
    spot.element.setAttribute("aria-pressed", isChosen);
    spot.close?.classList.toggle("selected", isChosen);
    spot.element.querySelector("g.trial")?.remove();
    if (isChosen && isPlacing() && next) spot.element.append(copyTile(next, choice.rotation, "trial"));
  }
  for (const button of find("choices").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", button.dataset.action === choice?.action);
  }
  if (isPlacing() && next) find("tile").replaceChildren(drawTile(next, choice?.rotation ?? 0));
  const list = view.spread ? "Choose a marked place or a button." : "Choose on the board or in the list.";
  const ask = isPlacing() ? "Choose one of the marked places." : list;
  const mark = choice && view.advice?.marks[choice.action];
  find("chosen").textContent = choice ? capital(choice.words) + (mark ? ` (${mark})` : "") : ask;
  const alike = listAlike(choice);
  find("rotate").hidden = view.spread ? alike.length < 2 : !spots.some((spot) => spot.choices.length > 1);
  find("rotate").textContent = isPlacing() ? "Turn" : view.spread ? tellOther(alike, choice) : "Other piece";
  find("rotate").disabled = alike.length < 2;
  find("confirm").disabled = choice === null || isBusy;
  find("undo").disabled = !view.can_undo;
}

/** Return the choices at the location of `choice`: other ways to turn the tile, other pieces to send. */
function listAlike(choice) {
  return spots.find((spot) => spot.choices.includes(choice))?.choices ?? [];
}

/** Return which of the choices `alike` comes after `choice`. */
function tellOther(alike, choice) {
  return alike.length < 2 ? "" : `Rather ${alike[(alike.indexOf(choice) + 1) % alike.length].words}`;
}

function rotate() {
  const alike = listAlike(chosen);
  if (alike.length) select(alike[(alike.indexOf(chosen) + 1) % alike.length]);
}

function choose(spot) {
  if (spot.choices.includes(chosen)) rotate();
  else select(bestOf(spot));
}

function bestOf(spot) {
  return spot.choices.reduce((one, other) => (valueOf(other) > valueOf(one) ? other : one));
}

function spotOf(target) {
  const element = target.closest?.(".choice");
  return spots.find((spot) => spot.element === element);
}

function moveFocus(element) {
  for (const spot of spots) spot.element.setAttribute("tabindex", spot.element === element ? 0 : -1);
  element.focus({ preventScroll: true });
}

for (const place of PLACES) {
  find(place).addEventListener("click", (event) => {
    const spot = spotOf(event.target);
    if (!spot) return;
    moveFocus(spot.element);
    choose(spot);
  });
}

// What is said of an area of the board, for those who cannot rest a pointer on it.
for (const name of ["pointerover", "click"]) {
  find("board").addEventListener(name, (event) => {
    find("pointed").textContent = event.target.closest?.(".area")?.querySelector("title")?.textContent ?? "";
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || view === null) return;
  const spot = spotOf(event.target);
  if (event.repeat && event.key === "Enter") event.preventDefault(); // held down, it chooses and confirms nothing more
  if (spot && ARROWS.includes(event.key)) {
    event.preventDefault();
    const beside = findBeside(spots.map((other) => other.element), spot.element, event.key);
    moveFocus(beside);
    beside.scrollIntoView({ block: "nearest", inline: "nearest" });
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

find("rotate").addEventListener("click", rotate);
find("confirm").addEventListener("click", confirm);
find("undo").addEventListener("click", () => ask("/undo"));
find("uncover").addEventListener("click", () => ask("/uncover"));
find("again").addEventListener("click", () => ask("/again"));
find("hurry").addEventListener("click", () => ask("/hurry"));

// --- asking the server ---

function confirm() {
  if (chosen) ask("/move", { action: chosen.action });
}

async function ask(address, more = {}) {
  if (isBusy) return;
  isBusy = true;
  find("confirm").disabled = true;
  let news = null;
  try {
    const body = JSON.stringify({ state: view.state, ...more });
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    const words = answer.ok ? "" : await readRefusal(answer);
    news = await (answer.ok ? answer : await fetch("/state")).json();
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
      const answer = await fetch(view === null ? "/state" : `/state?after=${encodeURIComponent(view.revision)}`);
      if (answer.status === 200) {
        lost = false;
        const news = await answer.json();
        showOpening(news.opening ?? null);
        if (news.opening) {
          find("status").textContent = "One moment …";
          await new Promise((resolve) => setTimeout(resolve, SHORTLY));
        } else if (view === null || news.revision !== view.revision) show(news);
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

listen();
