"""The process that makes dear answers for the whole application, files of a race included."""

from components.race_files import register_race_files
from core.service.desk.clerk import main as answer


def main() -> None:
    """See core.service.process for how it is started."""
    register_race_files()
    answer()
