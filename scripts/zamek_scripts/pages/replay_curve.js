// The curve of scores of a game that is replayed, with its axes; `replay.js` has the game.

const WIDE = 400, HIGH = 160; // of the picture
const LEFT = 34, RIGHT = 8, TOP = 18, BOTTOM = 30; // of the plot, from the edges of the picture
const [ACROSS, DOWN] = [WIDE - LEFT - RIGHT, HIGH - TOP - BOTTOM];
let now = null; // where the step shown lies
const x = (number) => LEFT + (ACROSS * number) / Math.max(1, moments.length - 1);

function expectedMargin(moment) {
  const value = moment.thoughts?.unit === "points" ? moment.thoughts.options[0][1] : null;
  return value === null || story.players.length !== 2 ? null : moment.player === 0 ? value : -value;
}

// A line in the colour of a player; one of the views lies over a wider line that tells it from any ground.
function drawLine(player, attributes, name = "line") {
  const dashes = `stroke-dasharray: ${DASHES[player % DASHES.length]}`;
  const casing = player in story.look.pawns ? [draw(name, { class: "casing", style: dashes, ...attributes })] : [];
  return [...casing, draw(name, { class: "line", style: `stroke: ${colourOf(player)}; ${dashes}`, ...attributes })];
}

// Round numbers from `least` to `most`, a handful of them.
function listTicks(least, most, wanted = 4) {
  const rough = Math.max(1, (most - least) / wanted), power = 10 ** Math.floor(Math.log10(rough));
  const by = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const ticks = [];
  for (let tick = Math.ceil(least / by) * by; tick <= most; tick += by) ticks.push(tick);
  return ticks;
}

function drawAxes(least, most, y) {
  const lines = listTicks(least, most).flatMap((tick) => [
    draw("line", { class: tick ? "grid" : "zero", x1: LEFT, x2: WIDE - RIGHT, y1: y(tick), y2: y(tick) }),
    draw("text", { class: "tick", x: LEFT - 5, y: y(tick) + 3.5, "text-anchor": "end" }, String(tick).replace("-", "−")),
  ]);
  const turns = listTicks(1, moments.at(-1).turn, 6).flatMap((turn) => {
    const at = x(moments.findIndex((moment) => moment.turn === turn));
    return [
      draw("line", { class: "grid", x1: at, x2: at, y1: TOP + DOWN, y2: TOP + DOWN + 4 }),
      draw("text", { class: "tick", x: at, y: TOP + DOWN + 15, "text-anchor": "middle" }, String(turn)),
    ];
  });
  return [...lines, ...turns,
    draw("text", { class: "axis", x: LEFT, y: 11 }, story.look.measure),
    draw("text", { class: "axis", x: WIDE - RIGHT, y: HIGH - 3, "text-anchor": "end" }, "turn"),
  ];
}

function drawCurve() {
  const margins = moments.map(expectedMargin), known = margins.filter((margin) => margin !== null);
  const scores = moments.flatMap((moment) => moment.scores);
  const most = Math.max(1, ...scores, ...known), least = Math.min(0, ...scores, ...known);
  const y = (points) => TOP + (DOWN * (most - points)) / (most - least);
  const lines = story.players.flatMap((_, player) => drawLine(player, {
    points: moments.map((moment, number) => `${x(number)},${y(moment.scores[player])}`).join(" "),
  }, "polyline"));
  const points = margins.flatMap((margin, number) => (margin === null ? [] : [`${x(number)},${y(margin)}`]));
  const blunders = moments.flatMap((moment, number) => (isBlunder(moment) ? [draw("line", {
    class: "blunder", x1: x(number), x2: x(number), y1: TOP + DOWN - 8, y2: TOP + DOWN,
  })] : []));
  now = draw("line", { class: "now", y1: TOP, y2: TOP + DOWN });
  const svg = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" },
    draw("title", {}, `${capital(story.look.measure)} of the players, from ${Math.min(...scores)} to ${Math.max(...scores)}`),
    ...drawAxes(least, most, y), draw("polyline", { class: "expected", points: points.join(" ") }),
    ...lines, ...blunders, now);
  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * WIDE - LEFT;
    go(Math.round((at / ACROSS) * (moments.length - 1)));
  });
  const names = story.players.map((name, player) => {
    const sample = draw("svg", { class: "sample", viewBox: "0 0 30 8", "aria-hidden": "true" },
      ...drawLine(player, { x1: 0, x2: 30, y1: 4, y2: 4 }));
    return make("span", {}, sample, ` ${name}   `);
  });
  const legend = points.length ? [`··· margin of ${nameOf(0)} that ${story.agent} expects`] : [];
  at("curve").replaceChildren(svg, make("p", {}, ...names, legend.join("   ")));
}
