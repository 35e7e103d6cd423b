"""Reports a state record that contradicts itself."""


class ConsistencyError(ValueError):
    """A state record that contradicts itself: a bug in the engine; the message names the field."""


def require(condition, field, got, problem):
    """Raise a `ConsistencyError` about `field` of a state record unless `condition` holds."""
    if not condition:
        raise ConsistencyError(f"{field} is {got}, but {problem}")
