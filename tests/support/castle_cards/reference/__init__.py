"""The slow reference engine of Castle, the card game. It imports nothing else of this project.

board.py      what lies in the box; piles of cards: what fits where, what is protected, what may be moved
effects.py    what each card does
reference.py  the turn, what players know, and the record of a game
"""
