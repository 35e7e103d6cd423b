// Looking back while a game is played: its positions, move by move, asked of the server as they are wanted.

const find = (id) => document.getElementById(id);

/** Let the controls go through the game. `show` is handed a position of the past, or null for the present; `unpack`
 *  makes a view of what the server tells; `revision` names what the page knows. */
export function makePast({ show, unpack, revision }) {
  let moves = 0; // played so far
  let wanted = 0; // so that of answers only the last one asked for is shown
  const past = { played: null, go, set, leave, handleKey };

  /** Note how many moves were played. */
  function set(count) {
    moves = count;
    find("past-slider").max = count;
    tell();
  }

  /** Forget the past: there is another game. */
  function leave() {
    past.played = null;
    document.body.classList.remove("past");
  }

  function tell() {
    const at = past.played ?? moves;
    find("past-slider").value = at;
    find("past-slider").setAttribute("aria-valuetext", at === moves ? "now" : `after move ${at} of ${moves}`);
    for (const id of ["past-first", "past-back"]) find(id).disabled = at === 0;
    for (const id of ["past-next", "past-last"]) find(id).disabled = past.played === null;
  }

  /** Show the game after that many moves; all of them: as it stands. */
  async function go(played) {
    const number = ++wanted;
    const aim = Math.max(0, played);
    if (aim >= moves) {
      if (past.played === null) return;
      past.played = null;
      show(null);
      return tell();
    }
    const answer = await fetch(`/past/${aim}?after=${encodeURIComponent(revision())}`);
    const then = answer.ok ? unpack(await answer.json()) : null;
    if (number !== wanted || then === null) return;
    past.played = aim;
    show(then);
    tell();
  }

  function handleKey(event) {
    if (event.key === ",") go((past.played ?? moves) - 1);
    else if (event.key === ".") go((past.played ?? moves) + 1);
    else if (event.key === "Escape" && past.played !== null) go(moves);
    else return false;
    event.preventDefault();
    return true;
  }

  find("past-first").addEventListener("click", () => go(0));
  find("past-back").addEventListener("click", () => go((past.played ?? moves) - 1));
  find("past-next").addEventListener("click", () => go((past.played ?? moves) + 1));
  find("past-last").addEventListener("click", () => go(moves));
  find("past-slider").addEventListener("input", () => go(Number(find("past-slider").value)));
  return past;
}
