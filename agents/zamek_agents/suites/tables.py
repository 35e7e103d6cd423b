"""What agents lose, as a table."""

from collections.abc import Mapping, Sequence

from zamek_agents.labels import shorten_name
from zamek_agents.suites.measure import PEOPLE, Loss
from zamek_agents.suites.suite import CHOOSE, ENDGAME, ENDGAME_OF_4, ENDGAME_TILES, PLACE, SCORE, SEND
from zamek_env.common.extras import needs_extra

with needs_extra("cli", "a table"):
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

HEADINGS = {
    CHOOSE: "tiles chosen", PLACE: "placements", SEND: "sends", SCORE: "scorings",
    ENDGAME: "last three tiles", ENDGAME_OF_4: "last four tiles",
}  # fmt: skip


def make_table(losses: Sequence[Loss], excess: Mapping[str, float]) -> Table:
    """Return a table of one line an agent and kind of decision; `excess` is {kind: points too high at most}.

    Of recorded games it also says how often agents chose what was played.
    """
    uncertain = {HEADINGS[kind]: points for kind, points in excess.items() if kind not in ENDGAME_TILES}
    amounts = ", ".join(f"{heading} {points:.2f}" for heading, points in uncertain.items())
    of_games = any(loss.agent == PEOPLE for loss in losses)
    over = " over games" if of_games else ""
    caption = f"Regret: points that a decision loses against the best choice, with a 95 % interval{over}."
    if amounts:
        caption += f"\nToo high by at most about: {amounts}; somewhat more for weak agents than for strong ones."
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, caption=caption, caption_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in ("decisions", "regret", "95 % interval", "best choice", *["as people"] * of_games):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("of")
    agents = list(dict.fromkeys(loss.agent for loss in losses))
    found = {(loss.agent, loss.kind): loss for loss in losses}
    for agent in agents:
        kinds = [kind for kind in HEADINGS if (agent, kind) in found]
        for number, kind in enumerate(kinds):
            loss = found[agent, kind]
            shown = f"{loss.interval[0]:.2f} … {loss.interval[1]:.2f}" if loss.interval else "unknown"
            row = [str(loss.decisions), f"{loss.regret:.2f}", shown, f"{loss.best:.0%}"]
            if of_games:
                row.append("" if loss.as_people is None else f"{loss.as_people:.0%}")
            name = shorten_name(agent) if number == 0 else ""
            table.add_row(name, *row, HEADINGS[kind], end_section=number == len(kinds) - 1)
    return table
