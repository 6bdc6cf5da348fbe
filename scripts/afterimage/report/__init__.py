"""The outcomes of each source's landed records, from the project's quality models.

`gathered` queries over dbt's own connection (macros/quality/report_rows.sql); `console` and `page`
show the result, in the terminal and as one HTML file.
"""

from afterimage.report.console import show
from afterimage.report.gathered import Report, gather
from afterimage.report.page import page

__all__ = ["Report", "gather", "page", "show"]
