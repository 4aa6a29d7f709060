"""What a query worker reads of the runs that stand on a handout: their curves and their plateaus."""

from collections.abc import Sequence

from core.service import TABLES, BackgroundQuery, Reader, RunInfo, curve_of_run, plateaus, stored_config

MOST_POINTS = 600
"""of a curve, on paper"""


def register_handouts() -> None:
    """Let query workers read them."""
    TABLES.update(handout=_read)


def sheet_question(runs: Sequence[RunInfo]) -> BackgroundQuery:
    """What to ask."""
    names, head = ",".join(info.id for info in runs), sum(info.frames for info in runs)
    return BackgroundQuery("handout", names, head=head)


def _read(reader: Reader, question: BackgroundQuery) -> object:
    return {
        run_id: {
            "curve": curve_of_run(reader, run_id, MOST_POINTS),
            "plateaus": plateaus(stored_config(reader, run_id), reader.frames(run_id)),
        }
        for run_id in question.run.split(",")
    }
