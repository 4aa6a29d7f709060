"""The windows that people have, and which of them a test takes."""

import pytest

Size = tuple[int, int]

PHONE: Size = (390, 844)
PROJECTOR: Size = (1024, 768)
LAPTOP: Size = (1366, 768)
DESKTOP: Size = (1440, 900)
SIZES = (PHONE, PROJECTOR, LAPTOP, DESKTOP)


def failed_at(*sizes: Size) -> pytest.MarkDecorator:
    """Give a test its `size`: in `make test` those where it failed once, in `make test-long` the others too.

    What needs no page of its own per size changes the window of one page instead, with `playing.at_sizes`.
    """
    others = [pytest.param(size, marks=pytest.mark.long) for size in SIZES if size not in sizes]
    given = [*(pytest.param(size) for size in sizes), *others]
    names = [f"{size[0]}x{size[1]}" for size in (*sizes, *(size for size in SIZES if size not in sizes))]
    return pytest.mark.parametrize("size", given, ids=names)
