"""Tables of the source that serve a connector or a tool: nothing to make models of."""

from afterimage.scaffold import known
from afterimage.scaffold.topic import Topic

HELPERS = known.MACROS.helper_kinds()
# What only a signal table has in its second column.
SIGNALS = {
    "execute-snapshot",
    "stop-snapshot",
    "pause-snapshot",
    "resume-snapshot",
    "snapshot-window-open",
    "snapshot-window-close",
}


def helper_of(topic: Topic) -> str | None:
    """The kind of helper a topic's table is, by its name or its rows; none for all else."""
    if not topic.changes:
        return None
    if kind := known.MACROS.helper_kind_of(topic.table):
        return kind
    columns = list(topic.seen)
    if len(columns) == 3 and SIGNALS & topic.texts.get(columns[1], set()):
        return "signal"
    return None
