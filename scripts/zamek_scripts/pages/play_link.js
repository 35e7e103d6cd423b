// Asks the server, and listens to what it tells of the game.

import { showOpening } from "./play_progress.js";
import { capital } from "./play_side.js";

const RETRY = 2000; // milliseconds, where the server does not answer
const SHORTLY = 300; // milliseconds, while the game is made ready
const GONE = "The game cannot be reached. Is `zamek play` still running? If you started it again, open the address that it prints.";
const find = (id) => document.getElementById(id);

let page = null; // `known()`, what it shows, `prepare(news)`, `show(news)`, `showMessages()` and `showBusy()`
let refusal = null; // {words, state}: why the last thing asked for was refused, and the state told after that
let lost = false; // the server does not answer
const lines = new Map(); // by number: the lines of pictures that the server has told
export let isBusy = false; // an answer is awaited

/** Return what the server told after `known`, put together with that. */
export function unpack(news, known) {
  for (const [number, line] of Object.entries(news.lines)) lines.set(Number(number), line);
  const pictures = news.pictures.map((numbers) => numbers.map((number) => lines.get(number)).join("\n"));
  const moves = news.moves && [...(known?.moves ?? []).slice(0, news.first), ...news.moves];
  return { ...news, pictures, moves };
}

/** Return which game a revision is of. */
export function gameOf({ revision }) {
  return revision.split(".")[0];
}

/** Return whether a revision came before another one of the same game. */
export function isOlder(revision, other) {
  const [[game, number], [otherGame, otherNumber]] = [revision.split("."), other.split(".")];
  return game === otherGame && Number(number) < Number(otherNumber);
}

/** Return what there is to complain of in a state of the game; a refusal says nothing of another one. */
export function listComplaints(state) {
  return [refusal?.state === state ? refusal.words : "", lost ? GONE : ""].filter((words) => words);
}

/** Ask for something at `address`, with what there is to say `more`; then what is shown is told. */
export async function ask(address, more = {}) {
  if (isBusy) return;
  setBusy(true);
  const known = page.known();
  let news = null;
  try {
    const body = JSON.stringify({ state: known.state, ...more });
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const answer = await fetch(`${address}?after=${encodeURIComponent(known.revision)}`, sent);
    const words = answer.ok ? "" : await readRefusal(answer);
    const told = await (answer.ok ? answer : await fetch("/state")).json();
    await page.prepare(told);
    news = unpack(told, known);
    refusal = answer.ok ? null : { words, state: news.state };
  } catch {
    lost = true;
  }
  setBusy(false);
  if (news === null) page.showMessages();
  else page.show(news);
}

function setBusy(now) {
  isBusy = now;
  page.showBusy();
}

async function readRefusal(answer) {
  try {
    return `${capital((await answer.json()).error)}.`;
  } catch {
    return `The game failed to answer (${answer.status}); what it says stands where \`zamek play\` runs.`;
  }
}

/** Show whatever the server tells, for ever. `handlers` are those of `page`. */
export async function listen(handlers) {
  page = handlers;
  for (;;) {
    try {
      const known = page.known();
      const answer = await fetch(known === null ? "/state" : `/state?after=${encodeURIComponent(known.revision)}`);
      if (answer.status === 200) {
        lost = false;
        const news = await answer.json();
        showOpening(news.opening ?? null);
        if (news.opening) {
          find("status").textContent = "One moment …";
          await new Promise((resolve) => setTimeout(resolve, SHORTLY));
          continue;
        }
        await page.prepare(news);
        if (news.revision !== page.known()?.revision) page.show(unpack(news, known));
        else page.showMessages();
      } else if (answer.status === 204) {
        lost = false;
        page.showMessages();
      } else throw new Error(answer.statusText);
    } catch {
      lost = true;
      if (page.known() !== null) page.showMessages();
      else find("status").textContent = "The game cannot be reached.";
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}
