// The picture of the board and of the tile in hand: all of it is drawn by the server, choices too.

const SVG = "http://www.w3.org/2000/svg";
export const UNIT = 100; // of the picture, a side of a tile
const ON_BOARD = 0.65; // how large discs are, of what the picture gives
const CLOSE = 0.95; // close by, of what they are on the board

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Return the element of an SVG document in this page. */
export function read(picture) {
  const parsed = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** Draw SVG documents, as many as there are: the board, what lies beside it.
 *  Where they are `spread`, choices lie in both, and are as large as they are drawn. */
export function drawPictures(pictures, board, panel, spread) {
  for (const [number, place] of [board, panel].entries()) {
    place.replaceChildren(...(pictures?.[number] ? [read(pictures[number])] : []));
  }
  if (!spread) for (const choice of board.querySelectorAll("g.choice")) shrink(choice, ON_BOARD);
}

/** Return a copy of a picture of a tile, turned by clockwise quarter turns. */
export function copyTile(picture, rotation, name = "copy") {
  const shapes = [...read(picture).querySelector("g.tile").children];
  return make("g", { class: name, transform: `rotate(${90 * rotation} ${UNIT / 2} ${UNIT / 2})` }, ...shapes);
}

/** Return a picture of a tile, turned. */
export function drawTile(picture, rotation) {
  return frame(copyTile(picture, rotation));
}

/** Return a picture of a tile as it lies on the board, and on it copies of `elements`, choices there. */
export function drawClose(picture, rotation, elements) {
  const copies = elements.map((element) => {
    const copy = element.cloneNode(true);
    for (const name of ["transform", "tabindex", "role", "aria-pressed"]) copy.removeAttribute(name);
    shrink(copy, CLOSE / ON_BOARD);
    const disc = copy.querySelector("circle");
    const at = { x: disc.getAttribute("cx"), y: Number(disc.getAttribute("cy")) + 3, class: "name" };
    const segment = element.dataset.location.split(".")[1];
    if (!copy.querySelector("text")) copy.append(make("text", at, decodeURIComponent(segment)));
    return copy;
  });
  return [frame(copyTile(picture, rotation), ...copies), copies];
}

/** Let the discs of a choice, and what is written on them, leave room for those of other segments. */
function shrink(choice, part) {
  for (const disc of choice.querySelectorAll("circle")) {
    disc.setAttribute("r", part * disc.getAttribute("r"));
    for (const text of choice.querySelectorAll("text")) {
      const [height, middle] = [Number(text.getAttribute("font-size")), Number(disc.getAttribute("cy"))];
      if (disc !== choice.querySelector("circle")) continue;
      text.setAttribute("font-size", part * height);
      text.setAttribute("y", middle + part * (text.getAttribute("y") - middle));
    }
  }
}

function frame(...children) {
  return make("svg", { class: "zamek-board", viewBox: "-4 -4 108 108" }, ...children);
}

/** Show a tile on the place of a choice, below the frame of the place: laid on trial, or a `ghost` of it. */
export function tryTile(element, picture, rotation, name = "trial") {
  element.querySelector(`g.${name}`)?.remove();
  element.querySelector("polygon").before(copyTile(picture, rotation, name));
}

/** Return the element of a picture that says no more than the words beside it. */
function readHidden(picture) {
  const svg = read(picture);
  svg.setAttribute("aria-hidden", true);
  return svg;
}

/** Draw what lies before the player as buttons; those in `open`, a set of locations, can be chosen. */
export function drawButtons(buttons, open, place) {
  place.hidden = !buttons.length;
  place.replaceChildren(...buttons.map(({ location, words, picture }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    if (picture) button.prepend(readHidden(picture));
    button.dataset.location = location;
    button.disabled = !open.has(location);
    button.classList.toggle("choice", !button.disabled);
    return button;
  }));
}

/** Frame the tile on a cell of the board alone; null: none. */
export function markTile(board, cell) {
  board.querySelector(".mark")?.remove();
  const tile = board.querySelector(`.tile[data-cell="${cell}"]`);
  tile?.append(make("rect", { class: "mark", x: 4, y: 4, width: UNIT - 8, height: UNIT - 8 }));
}

/** Return the shapes of the area in which a segment, in notation, lies. */
export function listArea(board, segment) {
  const area = board.querySelector(`.area[data-at="${CSS.escape(segment)}"]`)?.dataset.area;
  return area ? [...board.querySelectorAll(`.area[data-area="${CSS.escape(area)}"]`)] : [];
}

/** Return the element of the choices at `location` in one of `places`. */
export function findSpot(places, location) {
  const wanted = `.choice[data-location="${CSS.escape(location)}"]`;
  return places.map((place) => place.querySelector(wanted)).find((element) => element !== null);
}

/** Return the element of `spots` nearest to `from` in the direction of an arrow key, or `from` where there is none. */
export function findBeside(spots, from, key) {
  const middle = (spot) => {
    const { x, y, width, height } = spot.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(from);
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let [best, least] = [from, Infinity];
  for (const spot of spots) {
    const [across, below] = [middle(spot)[0] - x, middle(spot)[1] - y];
    const ahead = across * right + below * down;
    const aside = Math.abs(across * down) + Math.abs(below * right);
    if (spot !== from && ahead > 1 && ahead + 2 * aside < least) [best, least] = [spot, ahead + 2 * aside];
  }
  return best;
}
