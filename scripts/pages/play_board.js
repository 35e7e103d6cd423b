// The picture of the board and of the tile in hand: all of it is drawn by the server, choices too.

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100; // of the picture, a side of a tile
const ON_BOARD = 0.65; // how large discs are, of what the picture gives
const CLOSE = 0.95; // close by, of what they are on the board

function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Draw SVG documents, as many as there are: the board, what lies beside it. Returns the tile in hand, if any.
 *  Where they are `spread`, choices lie in both, and are as large as they are drawn. */
export function drawPictures(pictures, board, panel, spread) {
  for (const [number, place] of [board, panel].entries()) {
    place.replaceChildren();
    if (!pictures?.[number]) continue;
    const read = new DOMParser().parseFromString(pictures[number], "image/svg+xml").documentElement;
    place.append(document.importNode(read, true));
  }
  if (!spread) for (const choice of board.querySelectorAll("g.choice")) shrink(choice, ON_BOARD);
  return panel.querySelector("g.next[data-tile]");
}

/** Return a copy of the tile `next` of the picture, turned by clockwise quarter turns. */
export function copyTile(next, rotation, name = "copy") {
  const shapes = [...next.children].map((child) => child.cloneNode(true));
  return make("g", { class: name, transform: `rotate(${90 * rotation} ${UNIT / 2} ${UNIT / 2})` }, ...shapes);
}

/** Return a picture of the tile in hand, turned. */
export function drawTile(next, rotation) {
  return frame(copyTile(next, rotation));
}

/** Return a picture of the tile in hand, which lies on the board, and on it copies of `elements`, choices there. */
export function drawClose(next, elements) {
  const copies = elements.map((element) => {
    const copy = element.cloneNode(true);
    for (const name of ["transform", "tabindex", "role", "aria-pressed"]) copy.removeAttribute(name);
    shrink(copy, CLOSE);
    const disc = copy.querySelector("circle");
    const at = { x: disc.getAttribute("cx"), y: Number(disc.getAttribute("cy")) + 3, class: "name" };
    const segment = element.dataset.location.split(".")[1];
    if (!copy.querySelector("text")) copy.append(make("text", at, decodeURIComponent(segment)));
    return copy;
  });
  return [frame(copyTile(next, 0), ...copies), copies];
}

/** Let the discs of a choice leave room for those of other segments. */
function shrink(choice, part) {
  for (const disc of choice.querySelectorAll("circle")) disc.setAttribute("r", part * disc.getAttribute("r"));
}

function frame(...children) {
  return make("svg", { class: "zamek-board", viewBox: "-4 -4 108 108" }, ...children);
}

/** Draw what lies before the player as buttons; those in `open`, a set of locations, can be chosen. */
export function drawButtons(buttons, open, place) {
  place.hidden = !buttons.length;
  place.replaceChildren(...buttons.map(({ location, words }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    button.dataset.location = location;
    button.disabled = !open.has(location);
    button.classList.toggle("choice", !button.disabled);
    return button;
  }));
}

/** Return what stands in words in a picture, of supplies what they are. */
export function tellWords(picture) {
  return [...picture.querySelectorAll("text, .supply > title")].map((element) => element.textContent).join(", ");
}

/** Frame the tile on a cell of the board alone; null: none. */
export function markTile(board, cell) {
  board.querySelector(".mark")?.remove();
  const tile = board.querySelector(`.tile[data-cell="${cell}"]`);
  tile?.append(make("rect", { class: "mark", x: 4, y: 4, width: UNIT - 8, height: UNIT - 8 }));
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
