"""A game that was played to its end, as the page that replays it."""

from zamek_agents.registry import make_agent
from zamek_env.game import Game
from zamek_scripts.playing.session import NotNowError, Session
from zamek_scripts.replaying.record_story import make_story
from zamek_scripts.replaying.replay_page import make_page

BLUNDER = 3.0  # points from which a loss is marked


def make_replay(session: Session, agent: str) -> str:
    """Return the page that replays the game, with the thoughts of an agent, one of `Presenter.advisers`; "": of none.

    Raises `NotNowError` before the end, `ValueError` for another name.
    """
    session.check_adviser(agent)
    if not session.game.is_terminal:
        raise NotNowError("there is a replay once the game is over: it shows what is hidden")
    record = session.game.record(list(session.presenter.names))
    components = session.game.ruleset.components if isinstance(session.game, Game) else None
    return make_page(make_story(record, components, make_agent(agent) if agent else None, blunder=BLUNDER))
