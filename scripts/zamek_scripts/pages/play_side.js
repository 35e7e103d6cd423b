// What stands beside the board: scores and what players hold, moves, tiles left, the result, help, and the tabs of these.

import { make, read } from "./play_board.js";

const find = (id) => document.getElementById(id);

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// --- tabs ---

const SHEETS = { "moves-sheet": "Moves", choices: "Choices", tiles: "Tiles", result: "Result", options: "Options", help: "Help" };

export function makeTabs() {
  const tabs = Object.entries(SHEETS).map(([id, words]) => {
    const tab = element("button", { type: "button", id: `tab-${id}`, textContent: words });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", id);
    tab.addEventListener("click", () => openSheet(id));
    find(id).setAttribute("role", "tabpanel");
    find(id).setAttribute("aria-labelledby", tab.id);
    find(id).tabIndex = 0; // it may have to be scrolled
    return tab;
  });
  find("tabs").replaceChildren(...tabs);
  find("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const shown = tabs.filter((tab) => !tab.classList.contains("absent"));
    const next = shown.at((shown.indexOf(event.target) + step) % shown.length);
    next.focus();
    next.click();
  });
  openSheet("moves-sheet");
}

export function openSheet(id) {
  for (const other of Object.keys(SHEETS)) {
    const tab = find(`tab-${other}`);
    tab.setAttribute("aria-selected", other === id);
    tab.tabIndex = other === id ? 0 : -1;
    find(other).hidden = other !== id;
  }
}

/** Offer a tab or not; where it was open and is no longer there, moves are shown. */
export function offerSheet(id, isThere) {
  find(`tab-${id}`).classList.toggle("absent", !isThere);
  if (!isThere && !find(id).hidden) openSheet("moves-sheet");
}

// --- scores and what players hold ---

/** Show a row for each player: `scores`, and what `held` says of each; `explain` is told what a thing does. */
export function showScores({ scores, names, colours, measure, player, held }, explain) {
  find("scores").setAttribute("aria-label", capital(measure));
  if (measure !== "points") find("scores").createCaption().textContent = capital(measure);
  const rows = scores.map((points, seat) => {
    const row = element("tr");
    row.setAttribute("aria-current", seat === player);
    if (colours[seat]) row.style.setProperty("--player", colours[seat]);
    const name = element("th", { scope: "row", textContent: names[seat] });
    const things = element("td", { className: "held" }, ...held[seat].map((thing) => drawThing(thing, explain)));
    const cell = element("td", { className: "points", textContent: points });
    cell.dataset.player = seat;
    row.append(name, things, cell);
    return row;
  });
  find("scores").tBodies[0].replaceChildren(...rows);
}

function drawThing({ icon, count, words, hint }, explain) {
  const says = hint ? `${capital(words)}: ${hint}` : capital(words);
  if (icon === "token") {
    const chip = element("button", { type: "button", className: "chip", title: says });
    chip.textContent = count > 1 ? `${count}× ${words}` : words;
    for (const name of ["click", "focus"]) chip.addEventListener(name, () => explain(says));
    return chip;
  }
  const thing = element("span", { className: `thing ${icon}`, title: says });
  const picture = make("svg", { "aria-hidden": true }, make("use", { href: `#icon-${icon}` }));
  thing.append(picture, element("span", { textContent: count, ariaHidden: true }), element("span", { className: "spoken", textContent: `${words} ` }));
  return thing;
}

// --- moves ---

/** List `moves`, the last one first. `go` is asked for one by its number, `mark` to mark its cell; null: none. */
export function showMoves(moves, names, { go, mark }) {
  let cell = null; // where the turn so far has led
  const lines = moves.map((move, number) => {
    const where = cell = /(?:@|^score )(-?\d+,-?\d+)/.exec(move.action)?.[1] ?? cell;
    const button = element("button", { type: "button" }, `${names[move.player]}: ${move.words}`);
    const news = move.news.map((words) => element("div", { textContent: words }));
    const line = element("li", {}, button, ...news);
    line.addEventListener("pointerenter", () => mark(where));
    line.addEventListener("pointerleave", () => mark(null));
    button.addEventListener("click", () => go(number + 1));
    return line;
  });
  find("moves").start = moves.length;
  find("moves").replaceChildren(...lines.reverse());
}

/** Mark the move after which the board is shown; null: none. */
export function markMove(played) {
  const lines = find("moves").children;
  for (const [number, line] of [...lines].entries()) {
    line.toggleAttribute("aria-current", played !== null && lines.length - number === played);
  }
}

// --- tiles, help ---

export function showTiles(left, pictures) {
  offerSheet("tiles", Object.keys(pictures).length > 0);
  const total = Object.values(left).reduce((one, other) => one + other, 0);
  find("tab-tiles").title = `${total} left`;
  const items = Object.entries(left).map(([name, count]) => {
    const picture = read(pictures[name]);
    picture.setAttribute("aria-hidden", true);
    return element("li", { title: name }, picture, element("span", { textContent: `${name}${count > 1 ? ` ×${count}` : ""}` }));
  });
  find("tiles").firstElementChild.replaceChildren(...items);
}

export function showHelp(sections) {
  find("rules").replaceChildren(...sections.flatMap(([title, lines]) => [
    element("h2", { textContent: title }),
    element("ul", {}, ...lines.map((line) => element("li", { textContent: line }))),
  ]));
}

// --- the result ---

/** Show where the points came from. `light` is told of which areas, [segment, player, points] each; null: of none. */
export function showResult({ over, ending, names }, light, more) {
  offerSheet("result", over);
  if (!over) return;
  const head = element("tr", {}, ...["Points from", ...names].map((words) => element("th", { scope: "col", textContent: words })));
  const rows = ending.map(({ source, points, at }) => {
    const row = element("tr", { tabIndex: at.length ? 0 : -1 });
    row.append(element("th", { scope: "row", textContent: source }), ...points.map((number) => element("td", { textContent: number })));
    for (const name of ["pointerenter", "focus"]) row.addEventListener(name, () => light(at));
    for (const name of ["pointerleave", "blur"]) row.addEventListener(name, () => light(null));
    return row;
  });
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
  for (const old of find("result").querySelectorAll("table, .links")) old.remove();
  find("result").prepend(...(ending.length ? [table] : []), ...more);
}
