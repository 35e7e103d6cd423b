"""The parts of the slow reference engine of Castle, the card game.

Plain dicts, lists and objects, importing nothing else of this project.

    cards.py      what lies in the box
    board.py      piles of cards: what fits where, what is protected, what may be moved
    knowledge.py  which cards a player knows to be in somebody's hand
    position.py   where a game may begin, and what a decision is
    deciding.py   decisions that many effects share
    targets.py    cards taken back or removed
    moves.py      cards moved
    pawns.py      pawns changed
    hands.py      hands and the exchange
    effects.py    which card does what
    record.py     the record of a game
"""
