// The picture of the board: what lies there comes from the server, choices are drawn over it.

const SVG = "http://www.w3.org/2000/svg";
const UNIT = 100; // of the picture, a side of a tile
const MARGIN = 25;
const PANEL = ["title", "player", "words", "next", "left"]; // classes of what lies beside the board
const CROWDED = 0.16; // sides of a tile between choices at one point
const CLOSE_CROWDED = 0.12; // the same in a picture of one tile

export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Draw `picture`, an SVG document, into two elements: the board, and what lies beside it. Returns the tile drawn. */
export function drawPicture(picture, board, panel) {
  board.replaceChildren();
  panel.replaceChildren();
  if (picture === null) return null;
  const read = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  const groups = [...read.children].filter((child) => child.nodeName === "g");
  const isBeside = (group) => PANEL.includes(group.getAttribute("class"));
  const font = read.getAttribute("font-family") ?? "sans-serif";
  show(board, groups.filter((group) => !isBeside(group)), font);
  show(panel, groups.filter(isBeside), font);
  return panel.querySelector("g.next[data-tile]");
}

function show(place, groups, font) {
  if (!groups.length) return;
  const all = make("g", {}, ...groups.map((group) => document.importNode(group, true)));
  const svg = make("svg", { "font-family": font }, all);
  place.append(svg);
  const { x, y, width, height } = all.getBBox();
  svg.setAttribute("viewBox", [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].join(" "));
}

/** Return a copy of the tile `next` of the picture, turned by clockwise quarter turns. */
export function copyTile(next, rotation) {
  const shapes = [...next.children].map((child) => child.cloneNode(true));
  return make("g", { transform: `rotate(${90 * rotation} ${UNIT / 2} ${UNIT / 2})` }, ...shapes);
}

/** Return a picture of the tile `next`, which lies on the board already, with `spots` on it, one element each. */
export function drawClose(next, spots) {
  const drawn = spots.map((spot) => {
    const [x, y] = spot.at.map((length) => (length - Math.floor(length)) * UNIT);
    const right = x + spot.aside * CLOSE_CROWDED * UNIT;
    const name = make("text", { y: 3 }, spot.name);
    return make("g", { class: "choice", transform: `translate(${right} ${y})` }, make("circle", { r: 8 }), name);
  });
  return [make("svg", { viewBox: "-4 -4 108 108" }, copyTile(next, 0), ...drawn), drawn];
}

/** Draw what can be chosen over the board, one element a spot; return them. A spot has `key`, `label`, `at`, `aside`, `cell`. */
export function drawSpots(board, spots) {
  const svg = board.querySelector("svg");
  if (!svg) return [];
  svg.querySelector("g.choices")?.remove();
  const drawn = spots.map((spot) => {
    const attributes = { class: "choice", role: "button", tabindex: -1, "aria-label": spot.label, "data-key": spot.key };
    if (spot.cell) {
      const [row, column] = spot.cell;
      attributes.transform = `translate(${column * UNIT} ${row * UNIT})`;
      attributes["data-cell"] = spot.cell.join();
      return make("g", attributes, make("rect", { x: 5, y: 5, width: 90, height: 90, rx: 8 }));
    }
    attributes.transform = `translate(${(spot.at[0] + spot.aside * CROWDED) * UNIT} ${spot.at[1] * UNIT})`;
    return make("g", attributes, make("circle", { r: 12 }));
  });
  if (drawn.length) drawn[0].setAttribute("tabindex", 0);
  svg.append(make("g", { class: "choices" }, ...drawn));
  return drawn;
}

/** Outline the tile at `cell`, [row, column], as the last one laid. */
export function outlineLast(board, cell) {
  const at = { x: cell[1] * UNIT + 3, y: cell[0] * UNIT + 3, width: UNIT - 6, height: UNIT - 6, rx: 6 };
  board.querySelector("svg")?.append(make("rect", { class: "last", ...at }));
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
