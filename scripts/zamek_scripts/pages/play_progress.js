// What is waited for: a game that is made ready, an agent that thinks, code that is compiled.

const EVERY = 500; // milliseconds between two questions what is going on
const SOON = 1500; // milliseconds of thinking that need no words
const find = (id) => document.getElementById(id);
let timer = null;

/** Tell how far a game is that is made ready; null: it is ready. */
export function showOpening(opening) {
  find("opening").hidden = opening === null;
  document.querySelector("main").hidden = opening !== null;
  if (opening === null) return;
  const [list, bar, words] = find("opening").querySelectorAll("ol, progress, p");
  list.replaceChildren(...opening.steps.map((step, number) => {
    const item = Object.assign(document.createElement("li"), { textContent: step });
    item.className = number < opening.done ? "done" : number === opening.done ? "now" : "";
    if (item.className === "now") item.setAttribute("aria-current", "step");
    return item;
  }));
  bar.value = opening.share;
  words.textContent = `${tellCompiling(opening, opening.compiled)} ${opening.seconds} s.`;
}

function tellCompiling({ compiling }, compiled) {
  if (!compiled && !compiling) return "Loading.";
  const now = compiling ? `Compiling ${compiling}.` : "";
  return `${now} ${compiled} functions compiled to machine code; they are kept for the next time.`.trim();
}

/** Tell what an agent does as long as `isThinking`, and offer to end its search. */
export function followThinking(isThinking) {
  clearTimeout(timer);
  timer = null;
  if (isThinking) timer = setTimeout(() => look(null), EVERY);
  else find("doing").hidden = find("hurry").hidden = true;
}

async function look(before) {
  const asked = timer;
  try {
    const doing = await (await fetch("/doing")).json();
    if (timer !== asked) return; // it has decided since
    const first = before ?? doing.compiled; // functions compiled before it began
    showDoing(doing, doing.compiled - first);
    timer = setTimeout(() => look(first), EVERY);
  } catch {
    followThinking(false); // the game says itself that it cannot be reached
  }
}

function showDoing(doing, compiled) {
  find("doing").hidden = !(doing.seconds * 1000 > SOON);
  find("hurry").hidden = !doing.can_hurry || find("doing").hidden;
  const parts = [`${Math.round(doing.seconds)} s`];
  if (doing.compiling || compiled) parts.push(tellCompiling(doing, compiled));
  else if (doing.simulations) parts.push(`${doing.simulations.toLocaleString("en")} games simulated`);
  find("doing").textContent = parts.join(" · ");
}
