"""Bytes to text.

A byte order mark decides. Without one, UTF-16 shows in its zeros at every second place; what is valid UTF-8
is UTF-8, since text in another encoding hardly ever is; the rest is Windows' western code page, which
spreadsheets write and which contains Latin-1.
"""

from ...spelling import FieldError

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_NAMES = {"utf-8-sig": "UTF-8", "utf-8": "UTF-8", "cp1252": "Windows-1252"}
_SPREADSHEET = "This is a spreadsheet or an archive, not text. Save the sheet as CSV and open that file."
_FOREIGN = (
    (b"PK\x03\x04", _SPREADSHEET),
    (b"\xd0\xcf\x11\xe0", _SPREADSHEET),
    (b"\x1f\x8b", "This file is compressed. Unpack it and open the CSV file inside."),
    (b"PAR1", "This is a Parquet file. Save the table as CSV and open that file."),
    (b"%PDF", "This is a PDF. Copy the table into a spreadsheet and save it as CSV."),
    (b"\x89HDF", "This is an HDF5 file. Save the columns as CSV and open that file."),
    (b"\x93NUMPY", "This is a NumPy file. Save it with numpy.savetxt and open that file."),
)
_SAMPLE = 4_096


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file, and the name of its encoding; FieldError for what is no text."""
    for mark, sentence in _FOREIGN:
        if data.startswith(mark):
            raise FieldError("data", sentence)
    name = _encoding(data)
    text = data.decode(name, "replace").removeprefix("\ufeff")
    if "\0" in text:
        raise FieldError("data", "This file holds no text. Save the table as CSV and open that file.")
    return text, _NAMES.get(name, name.upper())


def _encoding(data: bytes) -> str:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:_SAMPLE]
    if len(head) > 3 and head.count(0) > len(head) // 3:
        return "utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"
    try:
        data.decode()
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
