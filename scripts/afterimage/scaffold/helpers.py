"""Tables of the source that serve a connector or a tool and get no models."""

from afterimage.scaffold import known
from afterimage.scaffold.topic import Topic

HELPERS = known.MACROS.helper_kinds()
# Values that only a signal table has in its second column.
SIGNALS = {
    "execute-snapshot",
    "stop-snapshot",
    "pause-snapshot",
    "resume-snapshot",
    "snapshot-window-open",
    "snapshot-window-close",
}


def helper_of(topic: Topic) -> str | None:
    """The kind of helper table, by its name or its rows; none for other tables."""
    if not topic.changes:
        return None
    if kind := known.MACROS.helper_kind_of(topic.table):
        return kind
    columns = list(topic.seen)
    if len(columns) == 3 and SIGNALS & topic.texts.get(columns[1], set()):
        return "signal"
    return None
