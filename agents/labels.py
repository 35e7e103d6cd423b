"""Names of agents where there is little room: in tables and pictures."""

IN_TABLES = 60  # characters of a name


def shorten_name(name: str, length: int = IN_TABLES) -> str:
    """Return a name in at most `length` characters: of a longer one the beginning and more of the end.

    The beginning says what kind of agent it is, and the end tells two paths apart.
    """
    if len(name) <= length:
        return name
    end = 2 * length // 3
    return f"{name[: length - end - 1]}…{name[-end:]}"
