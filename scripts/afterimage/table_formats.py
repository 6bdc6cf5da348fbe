"""The formats of tables, as the macros know them."""

from afterimage.macros import Macros

TABLE_FORMATS = tuple(Macros().table_formats())
