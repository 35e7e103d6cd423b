// Replays the game that stands as JSON in #data; scripts/zamek_scripts/replaying/replay_page.py says how it is packed.
// Texts go into the page as text. Only views are markup: pictures that were drawn by the program that made the page.

const SVG = "http://www.w3.org/2000/svg";
const CLOSE = 1.3; // pixels a unit of the picture, of which a tile has 100, in a close-up
const PLAYED = "#d55e00"; // the edge of the choice that was played
const DASHES = ["none", "7 3", "12 3 3 3", "4 4", "16 4"]; // of the players' curves
const story = JSON.parse(document.getElementById("data").textContent);
const moments = unpack(story);
const at = (id) => document.getElementById(id);
let step = 0, timer = null;

// --- the story ---

function unpack({ moments: packed, words }) {
  const before = [];
  let areas = {};
  return packed.map((moment) => {
    const views = moment.views.map(([box, start, end, middle], number) => {
      const last = before[number] || [];
      before[number] = [...last.slice(0, start), ...middle, ...last.slice(last.length - end)];
      return { box: story.boxes[box], parts: before[number] };
    });
    const changed = Object.entries(moment.areas).map(([where, number]) => [where, words[number]]);
    areas = { ...areas, ...Object.fromEntries(changed) }; // undefined where there is none any more: its number is -1
    const read = (numbers) => numbers.map((number) => words[number]);
    return { ...moment, views, areas, told: read(moment.told), hidden: read(moment.hidden) };
  });
}

const isBlunder = (moment) => story.blunder !== null && moment.thoughts !== null && moment.thoughts.unit === "points" &&
  moment.thoughts.loss !== null && moment.thoughts.loss >= story.blunder;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const nameOf = (player) => story.players[player] ?? "";
// As in the views, where players have colours of their own there.
const colourOf = (player) => story.look.pawns[player]?.[0] ?? `var(--player-${player % 5})`;

// --- making elements ---

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element && key !== "list") element[key] = value; else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// --- views ---

const views = moments[0].views.map(() => ({ svg: draw("svg", { class: "view", role: "img" }), nodes: new Map() }));
const frame = make("div", { id: "frame" }, views[0].svg); // of the board, which can be zoomed in it
const zoom = makeZoomable(frame);
const framed = make("div", { className: "framed" }, frame, makeZoomButtons(zoom));
const elements = [framed, ...views.slice(1).map((view) => view.svg)];
at("views").append(...elements);
elements.forEach((element, number) => { element.style.flexGrow = story.look.shares[number] ?? 1; });
// The last board is the largest.
framed.style.aspectRatio = moments.at(-1).views[0].box.split(" ").slice(2).join(" / ");

function nodeOf(view, part) {
  if (!view.nodes.has(part)) {
    const [before, shared, after] = story.parts[part];
    const holder = draw("g");
    holder.innerHTML = before + (shared < 0 ? "" : story.shared[shared]) + after;
    view.nodes.set(part, holder);
  }
  return view.nodes.get(part);
}

function showViews(moment, over) {
  views.forEach((view, number) => {
    const { box, parts } = moment.views[number];
    if (number > 0) view.svg.setAttribute("viewBox", box);
    view.svg.replaceChildren(...parts.map((part) => nodeOf(view, part)), ...(number === 0 ? over : []));
    view.svg.setAttribute("aria-label", number === 0 ? "the board" : "what lies beside it");
  });
  zoom.show(moment.views[0].box);
  if (at("close").checked) closeUp();
}

// Show the tile laid last so large that everything on it can be read, with what lies around it.
function closeUp() {
  const tile = views[0].svg.querySelector(".last, .latest");
  if (tile === null) return;
  const { x: left, y: top, width, height } = tile.getBBox();
  if (zoom.scale() < CLOSE) return zoom.closeUp({ x: left, y: top, width, height }, CLOSE);
  const around = { x: left - width / 2, y: top - height / 2, width: 2 * width, height: 2 * height };
  const part = views[0].svg.appendChild(draw("rect", { ...around, fill: "none" }));
  zoom.reveal(part);
  part.remove();
}

const [faintest, strongest] = story.look.choices.map(
  (colour) => [1, 3, 5].map((first) => parseInt(colour.slice(first, first + 2), 16)),
);

function mix(weight) {
  return `rgb(${faintest.map((faint, part) => Math.round(faint + (strongest[part] - faint) * weight)).join(",")})`;
}

function tell(value, unit) {
  if (value === null) return "?";
  if (unit !== "points") return `${Math.round(100 * value)}%`;
  const size = Math.abs(value).toFixed(1);
  return (value < 0 && size !== "0.0" ? "−" : "+") + size;
}

function weigh({ options, unit }, value) {
  const best = Math.max(...options.map((option) => option[1] ?? -Infinity));
  if (value === null || best === -Infinity) return 0;
  return Math.max(0, 1 - (best - value) / (unit === "points" ? story.look.spread : Math.max(best, 1e-9)));
}

// Draws what an agent thinks at each outline: its best option there.
function drawChoices(thoughts) {
  const outlines = new Map();
  thoughts.options.forEach(([text, value, outline], number) => {
    if (outline < 0) return;
    const here = outlines.get(outline) ?? { value: null, texts: [], played: false };
    if (value !== null && (here.value === null || value > here.value)) here.value = value;
    here.texts.push(`${text} ${tell(value, thoughts.unit)}`);
    here.played ||= number === thoughts.played;
    outlines.set(outline, here);
  });
  return [...outlines].map(([outline, { value, texts, played }]) => {
    const [left, top, side, isRound] = story.outlines[outline];
    const weight = weigh(thoughts, value), inset = isRound ? 0 : 0.07 * side, width = side - 2 * inset;
    const shape = draw("rect", {
      x: left + inset, y: top + inset, width, height: width, rx: isRound ? width / 2 : width / 10, fill: mix(weight),
      stroke: played ? PLAYED : story.look.choice_edge, "stroke-width": played ? 0.09 * side : 0.035 * side,
    });
    const words = draw("text", {
      x: left + side / 2, y: top + side * 0.59, "text-anchor": "middle", "font-size": side * (isRound ? 0.38 : 0.27),
      "font-family": "sans-serif", fill: story.look.choice_inks[Number(weight > 0.5)],
    }, tell(value, thoughts.unit));
    const title = draw("title", {}, texts.slice(0, 6).join("; "));
    return draw("g", { class: "choice" }, title, shape, words);
  });
}

// --- what is said ---

function showPlayers(moment, player) {
  at("players").replaceChildren(...story.players.map((name, number) => {
    const line = make(
      "div", { className: "player", style: `border-color: ${colourOf(number)}` },
      ...makePawn(number), make("span", {}, name), make("b", {}, String(moment.scores[number])),
    );
    if (number === player) line.setAttribute("aria-current", true);
    return line;
  }));
}

// The pawn of a player as it looks in the views, where it has a look of its own.
function makePawn(player) {
  if (!(player in story.look.pawns)) return [];
  const [background, color] = story.look.pawns[player];
  return [make("i", { className: "pawn", style: `background: ${background}; color: ${color}` }, String(player))];
}

function showTold(moment) {
  const lines = [];
  const head = moment.action ? `${moment.turn}. ${nameOf(moment.player)}: ${moment.action}` : "The game begins.";
  lines.push(make("p", { className: "action" }, head), ...moment.told.map((line) => make("p", {}, line)));
  const thoughts = moment.thoughts;
  if (thoughts && thoughts.loss !== null && thoughts.loss >= (thoughts.unit === "points" ? 0.05 : 0.005)) {
    const best = story.look.has_hands && !at("choices").checked ? "the best choice" : `“${thoughts.options[0][0]}”`;
    const loss = thoughts.unit === "points" ? `${thoughts.loss.toFixed(1)} points` : tell(thoughts.loss, thoughts.unit);
    const mark = isBlunder(moment) ? "Blunder" : "Loss";
    lines.push(make("p", { className: "loss" }, `${mark}: ${loss} less than ${best}, thinks ${story.agent}.`));
  }
  if (at("hidden").checked) lines.push(...moment.hidden.map((line) => make("p", { className: "secret" }, line)));
  at("told").replaceChildren(...lines);
}

function showThoughts(moment) {
  const thoughts = moment.thoughts;
  at("thoughts").hidden = !thoughts || !at("choices").checked;
  if (at("thoughts").hidden) return;
  const head = make("tr", {}, ...["choice", thoughts.unit, "less than the best"].map((word) => make("th", {}, word)));
  const best = thoughts.options[0][1];
  const rows = thoughts.options.map(([text, value], number) => make(
    "tr", { className: number === thoughts.played ? "played" : "" }, make("td", {}, text),
    make("td", {}, tell(value, thoughts.unit)),
    make("td", {}, value === null || best === null ? "" : tell(best - value, thoughts.unit).replace("+", "")),
  ));
  const caption = make("caption", {}, `What ${story.agent} thinks of this decision; the bold line was played.`);
  at("thoughts").replaceChildren(make("table", {}, caption, make("thead", {}, head), make("tbody", {}, ...rows)));
}

// --- the list of decisions ---

const buttons = moments.map((moment, number) => {
  const button = make("button", { className: isBlunder(moment) ? "blunder" : "" }, moment.action || "start");
  button.addEventListener("click", () => go(number));
  return button;
});

function listMoves() {
  const items = [];
  moments.forEach((moment, number) => {
    if (number === 0 || moment.turn !== moments[number - 1].turn) {
      const item = make("li", {}, make("span", { className: "number" }, moment.turn ? `${moment.turn}.` : ""));
      if (moment.player !== null) item.style.borderColor = colourOf(moment.player);
      items.push(item);
    }
    items.at(-1).append(buttons[number]);
  });
  at("moves").replaceChildren(...items);
}

function markMove() {
  const list = at("moves"), button = buttons[step], hadFocus = list.contains(document.activeElement);
  buttons.forEach((other, number) => {
    if (number === step) other.setAttribute("aria-current", "step"); else other.removeAttribute("aria-current");
    other.tabIndex = number === step ? 0 : -1; // one stop of the Tab key, which goes along with the steps
  });
  if (hadFocus) button.focus({ preventScroll: true });
  const above = button.offsetTop - list.offsetTop - list.scrollTop;
  if (above < 0 || above > list.clientHeight - 2 * button.offsetHeight) {
    list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

// --- going through the game ---

// The moment of which the board is shown: with choices the one before the decision.
function shownMoment() {
  const isBefore = at("choices").checked && moments[step].thoughts !== null && step > 0;
  return moments[isBefore ? step - 1 : step];
}

function show() {
  const moment = moments[step], shown = shownMoment(), isBefore = shown !== moment;
  pointNowhere(); // before what is pointed at leaves the page, to come back as it was
  showViews(shown, isBefore ? drawChoices(moment.thoughts) : []);
  showPlayers(shown, isBefore ? moment.player : moments[step + 1]?.player);
  showTold(moment);
  showThoughts(moment);
  at("slider").value = step;
  at("slider").setAttribute("aria-valuetext", moment.action ? `turn ${moment.turn}, ${moment.action}` : "the beginning");
  for (const end of ["x1", "x2"]) now.setAttribute(end, x(step));
  markMove();
  document.body.classList.toggle("reveal", at("hidden").checked);
}

function go(number) {
  step = Math.min(Math.max(Math.trunc(number), 0), moments.length - 1);
  if (step === moments.length - 1) pause();
  show();
  try {
    history.replaceState(null, "", `#${step}`);
  } catch {
    // some viewers of files allow no address of their own
  }
}

// The first decision of the turn after; or of this turn or, from there, of the turn before.
function goTurn(way) {
  const start = startOf(step);
  if (way < 0) return go(step === start && step > 0 ? startOf(step - 1) : start);
  const found = moments.findIndex((moment) => moment.turn > moments[step].turn);
  return go(found < 0 ? moments.length - 1 : found);
}

function startOf(number) {
  return moments.findIndex((moment) => moment.turn === moments[number].turn);
}

function pause() {
  clearInterval(timer);
  timer = null;
  at("play").textContent = "▶";
  at("play").setAttribute("aria-label", "play");
}

function play() {
  if (timer !== null) return pause();
  if (step === moments.length - 1) go(0);
  timer = setInterval(() => go(step + 1), Number(at("speed").value));
  at("play").textContent = "❚❚";
  at("play").setAttribute("aria-label", "pause");
}

function goBlunder() {
  const next = moments.findIndex((moment, number) => number > step && isBlunder(moment));
  const first = moments.findIndex(isBlunder);
  if (first >= 0) go(next < 0 ? first : next);
}

function toggle(id) {
  if (at(`${id}-label`).hidden) return;
  at(id).click(); // which tells of the change
}

const KEYS = {
  ArrowRight: () => go(step + 1), ArrowLeft: () => go(step - 1), ArrowDown: () => goTurn(1), ArrowUp: () => goTurn(-1),
  Home: () => go(0), End: () => go(moments.length - 1), " ": play, c: () => toggle("choices"), h: () => toggle("hidden"),
  b: goBlunder, z: () => toggle("close"), a: () => pointOn(1), A: () => pointOn(-1),
};

// Whether the element that has the focus has a use of its own for a key.
function isTaken(element, key) {
  if (element.matches("select")) return true;
  if (key === " ") return element.matches("input, button, summary");
  return element.type === "range" && key.length > 1; // arrows, Home, End
}

// --- areas that are pointed at ---

function pointNowhere() {
  for (const other of at("views").querySelectorAll(".pointed")) other.classList.remove("pointed");
  at("pointed").textContent = "";
}

function pointAt(where) {
  const { areas } = shownMoment(), text = areas[where];
  pointNowhere();
  if (!text) return;
  at("pointed").textContent = `${where}: ${text.slice(text.indexOf("|") + 1)}`;
  for (const other of at("views").querySelectorAll("[data-at]")) {
    if (areas[other.dataset.at] === text) other.classList.add("pointed");
  }
}

// Point at the area after the one that is pointed at (`by` 1), or before it (-1), in the order of the board.
function pointOn(by) {
  const { areas } = shownMoment();
  const places = [...at("views").querySelectorAll("[data-at]")].map(({ dataset }) => dataset.at);
  const texts = [...new Set(places.map((where) => areas[where]).filter(Boolean))]; // one of each area
  if (!texts.length) return;
  const pointed = texts.indexOf(areas[at("views").querySelector(".pointed")?.dataset.at]);
  const next = texts.at(((pointed < 0 && by < 0 ? 0 : pointed) + by) % texts.length);
  pointAt(places.find((where) => areas[where] === next));
}

function begin() {
  at("title").textContent = story.title;
  at("about").textContent = story.about;
  at("slider").max = moments.length - 1;
  at("choices-label").hidden = !moments.some((moment) => moment.thoughts);
  at("hidden-label").hidden = !moments.some((moment) => moment.hidden.length) &&
    !story.parts.some(([before]) => before.includes('class="revealed"'));
  const clicks = {
    first: () => go(0), back: () => go(step - 1), next: () => go(step + 1), last: () => go(moments.length - 1), play,
    "turn-back": () => goTurn(-1), "turn-next": () => goTurn(1),
  };
  for (const [id, act] of Object.entries(clicks)) at(id).addEventListener("click", act);
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  for (const id of ["choices", "hidden"]) at(id).addEventListener("change", show);
  at("close-label").hidden = !story.parts.some(([before]) => /class="(last|latest)"/.test(before));
  at("close").addEventListener("change", () => { if (at("close").checked) closeUp(); else zoom.fit(); });
  at("speed").addEventListener("change", () => { if (timer !== null) { pause(); play(); } });
  at("theme").addEventListener("change", () => {
    at("dark").media = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[at("theme").value];
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target, event.key)) return;
    if (zoom.handleKey(event) || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  for (const name of ["pointerover", "click"]) {
    at("views").addEventListener(name, (event) => pointAt(event.target.closest?.("[data-at]")?.dataset.at));
  }
  addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));
  drawCurve();
  listMoves();
  go(Number(location.hash.slice(1)) || 0);
}

begin();
