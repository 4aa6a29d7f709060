"""A file that somebody brings, read as a person would read it: bytes in, typed columns out.

    encoding    bytes to text: byte order marks, UTF-8, UTF-16, Windows' code page
    dialect     text to rows of cells: delimiter, quotes, comments, what stands before and after the table
    numbers     cells to numbers: decimal mark, thousands, percent and currency signs
    dates       cells to days since 1 January 1970
    columns     a column of cells to values: numbers, dates, times, or words
    table       all of them together: columns with names and kinds
    document    what a preview shows of it, ready for JSON
    choice      which columns are x, y and weight, and the points that they give

Everything is a plain function of bytes, so that it can run in another process.
"""

from .choice import Choice, Import, choose, guess
from .columns import Column
from .document import import_document, import_file
from .table import Table, read_table

__all__ = [
    "Choice",
    "Column",
    "Import",
    "Table",
    "choose",
    "guess",
    "import_document",
    "import_file",
    "read_table",
]
