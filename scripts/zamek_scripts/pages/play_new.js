// Another game, begun on the page: its ruleset, how many play, against whom, in which seat.

import { gameOf } from "./play_link.js";

const form = document.getElementById("new");
const { ruleset, against, players, seat } = form.elements;

/** Let the form call `begin` with what is wished. Returns what shows it: among the options or, once a game is over,
 *  below its result. */
export function makeNewGame(begin) {
  let offers = null; // what the server told, once
  let game = null; // whose ruleset and players are offered at first

  async function offer(view) {
    document.getElementById(view.over ? "result" : "options").append(form);
    if (offers === null) await ask();
    if (!offers.rulesets) return;
    form.hidden = false;
    if (game === gameOf(view)) return; // what somebody is choosing stays
    game = gameOf(view);
    ruleset.value = view.ruleset;
    showTables(view.names.length);
    showSeats(Math.max(0, view.names.indexOf("You")));
  }

  async function ask() {
    offers = {};
    const answer = await fetch("/offers");
    if (!answer.ok) return;
    offers = await answer.json();
    if (!offers.rulesets) return;
    fill(ruleset, Object.keys(offers.rulesets));
    fill(against, offers.opponents);
  }

  /** Offer as many players as the ruleset is for, at first `wanted` or the number nearest to that. */
  function showTables(wanted = Number(players.value)) {
    const counts = offers.rulesets[ruleset.value];
    fill(players, counts);
    players.value = Math.min(Math.max(wanted, counts[0]), counts.at(-1));
    players.disabled = counts.length === 1;
  }

  function showSeats(wanted = Number(seat.value)) {
    const count = Number(players.value);
    seat.replaceChildren(...offers.seats.slice(0, count).map((name, number) => new Option(name, number)));
    seat.value = Math.min(wanted, count - 1);
    for (const choice of [against, seat]) choice.closest("label").hidden = count === 1;
  }

  ruleset.addEventListener("change", () => { showTables(); showSeats(); });
  players.addEventListener("change", () => showSeats());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    begin(Object.fromEntries([ruleset, against, players, seat].map((choice) => [choice.name, choice.value])));
  });
  return offer;
}

function fill(choice, values) {
  choice.replaceChildren(...values.map((value) => new Option(value)));
}
