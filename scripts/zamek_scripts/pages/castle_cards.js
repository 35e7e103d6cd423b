// Castle, the card game, on the page of `zamek play`: what happened since your turn, what each card does, the legend.

const GAME = "castle-cards";
const PLACES = ["board", "panel", "buttons"]; // where cards lie
const NARROW = 800; // pixels, as in castle_cards.css
const APART = 8; // pixels between a card and what is said of it
const NEXT = ["ArrowRight", "ArrowDown"], BEFORE = ["ArrowLeft", "ArrowUp"];
const find = (id) => document.getElementById(id);

let legend = null; // what the server tells of all cards and signs, once
let byKey = false; // the last thing pressed was a key
let told = null; // the element of which something is said

function make(name, attributes = {}, ...children) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...children);
  return element;
}

function readPicture(text) {
  const picture = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  picture.setAttribute("aria-hidden", true);
  return picture;
}

// --- what happened ---

const recent = make("section", { id: "recent" }, make("h2"), make("ol"));

function showRecent(view) {
  recent.querySelector("h2").textContent = view.names.includes("You") ? "Since your turn" : "The last turn";
  const lines = view.recent.map(({ player, words, places, times }) => {
    const line = make("li", {}, words, times > 1 ? ` (${times} ×)` : "");
    line.style.setProperty("--player", view.colours[player]);
    line.addEventListener("pointerenter", () => point(places));
    line.addEventListener("pointerleave", () => point([]));
    return line;
  });
  if (!lines.length) lines.push(make("li", { className: "nothing" }, "Nothing yet."));
  recent.querySelector("ol").replaceChildren(...lines);
}

/** Let the spaces that a line names stand out. */
function point(places) {
  for (const group of document.querySelectorAll("[data-at]")) {
    group.classList.toggle("pointed", places.includes(group.dataset.at));
  }
}

// --- what a card does ---

const card = make("div", { id: "card", hidden: true });
card.setAttribute("role", "status");

/** Say of an element, of which something can be said, what it is and does. */
function tell(element) {
  told = element;
  card.hidden = element === null;
  if (element === null) return;
  const [head, ...rules] = element.dataset.words.split("\n");
  const lines = rules.map((rule) => {
    const [name, ...words] = rule.split(": ");
    const picture = pictureOf(name);
    return make("p", {}, ...(picture ? [picture] : []), ...(rules.length > 1 ? [make("b", {}, name), " "] : []), words.join(": "));
  });
  card.replaceChildren(make("p", { className: "head" }, head), ...lines);
  place(element.getBoundingClientRect());
}

/** Lay what is said where it covers nothing to press: over the board, or on a narrow screen at its edge. */
function place(box) {
  const { width, height } = card.getBoundingClientRect();
  const above = box.top - height - APART, lowest = innerHeight - height - APART, rightmost = innerWidth - width - APART;
  const side = told.closest("aside")?.getBoundingClientRect();
  let left = box.left + (box.width - width) / 2, top = above < 0 ? box.bottom + APART : above;
  if (innerWidth <= NARROW) top = above < 0 ? lowest : APART;
  else if (side) [left, top] = [side.left - width - APART, box.top];
  card.style.left = `${Math.max(APART, Math.min(left, rightmost))}px`;
  card.style.top = `${Math.max(APART, Math.min(top, lowest))}px`;
}

/** Let what is said stay beside its element, as long as that is on the screen. */
function follow() {
  const box = told?.getBoundingClientRect();
  if (box && box.bottom > 0 && box.top < innerHeight) place(box);
  else tell(null);
}

function pictureOf(name) {
  const found = legend?.zones.flatMap(({ cards }) => cards).find((other) => other.name === name);
  return found && readPicture(found.picture);
}

/** Take the words out of titles, which browsers would show too, and late. */
function readTitles(place) {
  for (const title of place.querySelectorAll("g > title")) {
    const group = title.parentElement, words = title.textContent;
    group.dataset.words = words;
    if (group.getAttribute("role") === "button") group.setAttribute("aria-label", words.split("\n")[0]);
    title.remove();
  }
}

function tellOf(event) {
  const element = event.target.closest?.("[data-words]");
  if (element && element !== told) tell(element);
}

function listen(place) {
  place.addEventListener("pointerover", tellOf);
  place.addEventListener("pointerout", (event) => {
    const isLeft = told?.contains(event.target) && !told.contains(event.relatedTarget);
    if (isLeft && event.pointerType !== "touch") tell(null);
  });
  place.addEventListener("focusin", (event) => { if (byKey) tellOf(event); });
  place.addEventListener("focusout", (event) => { if (event.target === told) tell(null); });
}

// --- the hand ---

function showHand(view) {
  const hand = find("buttons");
  for (const { location, zone, rule } of view.buttons.filter((button) => button.rule)) {
    const button = hand.querySelector(`[data-location="${CSS.escape(location)}"]`);
    button.dataset.zone = zone;
    button.dataset.words = `${button.firstChild.textContent}\n${rule}`;
    const picture = pictureOf(location.slice("hand ".length));
    if (picture && !button.querySelector("svg")) button.prepend(picture);
  }
  const idle = [...hand.querySelectorAll("button[data-zone]:disabled")]; // what they do can be read all the same
  for (const [number, button] of idle.entries()) {
    button.disabled = false;
    button.setAttribute("aria-disabled", true);
    button.tabIndex = number ? -1 : 0;
  }
}

/** Go from card to card of those that cannot be chosen. */
function moveInHand(event) {
  const by = NEXT.includes(event.key) - BEFORE.includes(event.key);
  const idle = [...find("buttons").querySelectorAll("[aria-disabled]")], at = idle.indexOf(event.target);
  if (!by || at < 0) return;
  event.preventDefault();
  idle.at((at + by) % idle.length).focus();
}

// --- the legend ---

async function showLegend() {
  const answer = await fetch("/castle.json");
  if (!answer.ok) return;
  legend = await answer.json();
  const signs = legend.signs.map(({ picture, words }) => make("li", {}, readPicture(picture), words));
  const zones = legend.zones.flatMap(({ zone, title, cards }) => {
    const list = cards.map(({ name, copies, rule, picture }) => make(
      "li", {}, readPicture(picture), make("span", {}, make("b", {}, copies > 1 ? `${name} (${copies})` : name), ` ${rule}`),
    ));
    const heading = make("h3", {}, title);
    heading.dataset.zone = zone;
    return [heading, make("ul", {}, ...list)];
  });
  const details = make(
    "details", { id: "legend" }, make("summary", {}, "Cards and signs"), make("ul", { className: "signs" }, ...signs), ...zones,
  );
  document.querySelector("aside").append(details);
}

// --- each time that the page shows something new ---

function begin() {
  document.body.classList.add("castle");
  find("turn").before(recent);
  document.body.append(card);
  for (const id of PLACES) listen(find(id));
  find("buttons").addEventListener("keydown", moveInHand);
  document.addEventListener("keydown", (event) => {
    byKey = true;
    if (event.key === "Escape") tell(null);
  }, true);
  document.addEventListener("pointerdown", (event) => {
    byKey = false;
    if (!event.target.closest?.("[data-words]")) tell(null);
  }, true);
  document.addEventListener("scroll", follow, { capture: true, passive: true });
  return showLegend();
}

document.addEventListener("shown", async ({ detail: { view } }) => {
  if (view.ruleset !== GAME) return;
  const loading = document.body.classList.contains("castle") ? null : begin();
  if (told && !told.isConnected) tell(null);
  for (const id of ["board", "panel"]) readTitles(find(id));
  showRecent(view);
  showHand(view);
  await loading;
  if (loading) showHand(view);
});
