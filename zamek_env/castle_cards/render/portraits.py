"""Small portraits of the 37 kinds of cards, put together from a few parts: robes, hats, things carried."""

from functools import cache

from zamek_env.render.shapes import Circle, Path, Polygon, Shape

_BOX = 24.0  # the parts below are drawn in a square of this side; hats may stand out of it

_COLOURS = {
    "black": "#2f2a2c",
    "blue": "#3f6fb0",
    "bone": "#fdf8ea",
    "brown": "#8a5a2b",
    "dusk": "#55506a",
    "gold": "#e0ad1c",
    "green": "#4d8a4a",
    "leaf": "#8cb04f",
    "pale": "#d5e6f2",
    "pink": "#dd8fae",
    "purple": "#7a4fa3",
    "red": "#b0382c",
    "rust": "#c96f34",
    "skin": "#eec39a",
    "steel": "#93a0ae",
    "straw": "#e6c86a",
}
_OUTLINES = {  # corners as x,y
    "arm": "4,18.6 20,4.6 21.4,6.2 6.4,19",
    "base": "1,18.4 23,18.4 23,21 1,21",
    "beard": "7.4,10 9.6,11.6 12,11 14.4,11.6 16.6,10 15.4,15 12,17.8 8.6,15",
    "beret": "6,6.6 6.2,3.2 12,1.4 18.8,3.4 17.6,6.6",
    "bow": "16,2 20,6 21.4,12 20,18 16,22 17,22.6 21.6,18.6 23.2,12 21.6,5.4 17,1.4",
    "brim": "3.2,7.2 20.8,7.2 18.5,4.9 5.5,4.9",
    "cone": "6.8,5.6 12.6,-3.4 17.2,5.6",
    "cross": "11,15.6 13,15.6 13,17.6 15,17.6 15,19.6 13,19.6 13,23.4 11,23.4 11,19.6 9,19.6 9,17.6 11,17.6",
    "crown": "7,6.8 6,0.8 9.3,3.6 12,-0.6 14.7,3.6 18,0.8 17,6.8",
    "dagger": "18.2,9 19.8,16 21.4,16 21.4,17.4 19.4,17.4 19.4,21 17,21 17,17.4 15,17.4 15,16 16.6,16",
    "dome": "7.6,6 8.6,3.2 12,1.8 15.4,3.2 16.4,6",
    "dragon": "1,15 7,8 8,1.6 12,6.6 17,6 22.4,10.4 23.6,14 17.5,14.8 22,17.2 14.6,19 12,24 2,24 5,18",
    "fan": "14.6,22.6 13.4,14.4 17.8,12.4 22.4,14 24,18.4",
    "feather": "15.5,5.2 18,-1.8 22,-3.2 20,1.8 16.8,5.6",
    "flask": "17,11.4 20,11.4 20,15 23.4,21.8 13.6,21.8 17,15",
    "ghost": "4,24 4.6,9 8,3.4 12,2 16,3.4 19.4,9 20,24 17,21.6 14.6,24 12,21.6 9.4,24 7,21.6",
    "hair": "6.4,9 7.4,4.6 12,3.2 16.6,4.6 17.6,9 18.6,18 15.5,16.4 8.5,16.4 5.4,18",
    "heart": "12,23 8,18.8 8.4,16.6 10.4,16 12,17.8 13.6,16 15.6,16.6 16,18.8",
    "helm": "6.8,3.6 12,1.8 17.2,3.6 17,13.6 12,16.4 7,13.6",
    "hennin": "7.6,6.4 18.6,-3 16.8,7",
    "hood": "5.4,17 5.8,7 8.4,3 12,2 15.6,3 18.2,7 18.6,17 15.8,14.4 16.2,8.4 12,5.6 7.8,8.4 8.2,14.4",
    "horns": "7.4,6.4 4.4,5.8 1.6,0.4 6,3.4 8.8,3.4 15.2,3.4 18,3.4 22.4,0.4 19.6,5.8 16.6,6.4",
    "jester": "11.8,7.2 6.8,6.8 3.6,3.6 1.8,6.6 0.6,3 4.6,-1 9.6,1.2 12,3",
    "jester's": "12.2,7.2 17.2,6.8 20.4,3.6 22.2,6.6 23.4,3 19.4,-1 14.4,1.2 12,3",
    "liquid": "15.6,18 21.4,18 23.4,21.8 13.6,21.8",
    "mask": "7.2,7.8 16.8,7.8 16.2,10.8 13.2,10.4 12,9.4 10.8,10.4 7.8,10.8",
    "neck": "14.6,17.4 6.4,12 7.2,10.6 15.8,16",
    "plume": "11.6,2.6 12.4,-2.4 17.4,-2.6 20.6,2.6 16.4,1 13.6,3",
    "post": "10.6,18.4 12.4,9 14.2,9 14.6,18.4",
    "robe": "2,24 3.4,18.4 9,14.6 15,14.6 20.6,18.4 22,24",
    "sash": "4.6,17.6 8,15.2 19.4,24 14.8,24",
    "scroll": "14.6,15.4 22,14.2 22.8,20.8 15.4,22",
    "slit": "7.6,6.8 16.4,6.8 16.4,8.8 7.6,8.8",
    "spear": "19.4,-1 21.4,5 20.1,5 20.1,24 18.7,24 18.7,5 17.4,5",
    "staff": "19.4,5 20.6,5 20.6,24 19.4,24",
    "star": "20,0.6 20.9,3 23.4,3 21.4,4.6 22.2,7.2 20,5.6 17.8,7.2 18.6,4.6 16.6,3 19.1,3",
    "string": "16,2 16.7,2 16.7,22 16,22",
    "sword": "19.2,1.4 20.7,15 23,15 23,16.8 20.2,16.8 20.2,21 18.2,21 18.2,16.8 15.4,16.8 15.4,15 17.7,15",
    "telescope": "13,9 23,4.6 24.2,8 14,11.6",
    "tiara": "7.4,6.4 8.2,3.4 10.2,4.4 12,0.8 13.8,4.4 15.8,3.4 16.6,6.4",
    "trumpet": "13.4,12.2 21.6,8.4 23.4,5.2 25,13 22.6,11 13.8,14",
    "wings": "10,16 0.6,6.4 0.2,15 4,20.6 12,17 20,20.6 23.8,15 23.4,6.4 14,16",
}
_DISCS = {  # x, y, radius
    "bell": (1.4, 6.4, 1.6),
    "bell's": (22.6, 6.4, 1.6),
    "coin": (18.2, 19.2, 3.4),
    "eye": (9.6, 9.6, 1.5),
    "eye's": (14.4, 9.6, 1.5),
    "glass": (18.2, 18, 2.4),
    "head": (12, 9.6, 4.8),
    "lute": (17.6, 19.4, 4),
    "orb": (20, 3.6, 2.8),
    "ring": (18.2, 18, 3.6),
    "sack": (18, 18.6, 4.4),
    "stone": (21.6, 3.8, 2.8),
    "wheel": (5.6, 21, 3),
    "wheel's": (18.4, 21, 3),
}
_FACE = "head=skin"
_PORTRAITS = {  # from the back to the front
    "Ghost": "ghost=bone eye=black eye's=black",
    "Lookout": f"robe=brown {_FACE} beret=green telescope=gold",
    "Magician": f"robe=blue {_FACE} beard=bone cone=blue brim=blue star=gold",
    "Archer": f"robe=green {_FACE} hood=green bow=brown string=brown",
    "Witch": "robe=black hair=rust head=leaf cone=black brim=black",
    "Alchemist": f"robe=purple {_FACE} beard=brown dome=purple flask=pale liquid=green",
    "Soldier": f"robe=red {_FACE} dome=steel brim=steel spear=brown",
    "Captain": f"robe=red sash=gold {_FACE} dome=gold brim=gold plume=red sword=steel",
    "Traitor": f"robe=dusk {_FACE} mask=black dome=steel brim=steel dagger=steel",
    "Merchant": f"robe=green {_FACE} beard=brown beret=rust coin=gold",
    "King": f"robe=red {_FACE} beard=brown crown=gold",
    "Minstrel": f"robe=leaf {_FACE} beret=red feather=bone neck=brown lute=rust",
    "Courtesan": f"hair=rust robe=pink {_FACE} fan=red",
    "Queen": f"hair=brown robe=purple {_FACE} crown=gold",
    "Princess": f"hair=straw robe=pink {_FACE} tiara=gold",
    "Prince": f"robe=blue {_FACE} crown=gold sash=gold",
    "Conspirator": f"robe=black {_FACE} mask=black hood=purple",
    "Spy": f"robe=dusk {_FACE} hood=dusk ring=brown glass=pale",
    "Ambassador": f"robe=blue sash=bone {_FACE} beard=brown scroll=bone",
    "Thief": f"robe=brown {_FACE} mask=black beret=black sack=straw",
    "Fool": f"robe=gold {_FACE} jester=red jester's=green bell=gold bell's=gold",
    "Village Idiot": f"robe=brown {_FACE} dome=straw brim=straw",
    "Priest": f"robe=black {_FACE} dome=bone cross=gold",
    "Lady in Waiting": f"robe=leaf hair=brown {_FACE} hennin=pink",
    "Courtier": f"robe=purple {_FACE} beret=blue feather=gold",
    "Assassin": f"robe=black {_FACE} hood=black dagger=steel",
    "King's Counselor": f"robe=dusk {_FACE} beard=bone dome=dusk scroll=straw",
    "Mistress": f"hair=black robe=red {_FACE} heart=bone",
    "Prince Charming": f"robe=pale {_FACE} tiara=gold heart=red",
    "Black Knight": "robe=black helm=black slit=bone plume=red sword=steel",
    "Siege Engine": "wheel=brown wheel's=brown base=brown post=brown arm=rust stone=steel",
    "Barbarian": f"robe=brown {_FACE} beard=rust horns=bone dome=steel",
    "Fairy": f"wings=pale robe=pink hair=straw {_FACE} star=gold",
    "Enchanter": f"robe=purple {_FACE} beard=steel cone=purple staff=brown orb=pale",
    "Dragon": "dragon=green eye's=gold",
    "Herald": f"robe=rust {_FACE} beret=rust feather=red trumpet=gold",
    "Knight": "robe=steel helm=steel slit=black plume=blue",
}
EDGE = "#3a2f28"


@cache
def draw_portrait(card: str) -> tuple[Shape, ...]:
    """Return the portrait of a card as shapes in a square of side 1."""
    return tuple(_draw_part(*part.split("=")) for part in _PORTRAITS[card].split())


def _draw_part(name: str, colour: str) -> Shape:
    fill, width = _COLOURS[colour], 0.7 / _BOX
    if name in _DISCS:
        x, y, radius = (part / _BOX for part in _DISCS[name])
        return Circle((x, y), radius, fill, EDGE, width)
    corners = (corner.split(",") for corner in _OUTLINES[name].split())
    points: Path = tuple((float(x) / _BOX, float(y) / _BOX) for x, y in corners)
    return Polygon(points, fill, EDGE, width)
