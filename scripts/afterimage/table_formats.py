"""Table formats, under the names that the macros use."""

from afterimage.macros import Macros

TABLE_FORMATS = tuple(Macros().table_formats())
