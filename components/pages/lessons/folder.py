"""The lessons of a folder, read again whenever a file changes: who writes one sees it at once."""

from pathlib import Path

from components.pages.lessons.parser import Lesson, parse_lesson

GUIDE = "README"
"""The file in the folder that is for those who write lessons."""


class LessonFolder:
    """A folder and what is in it. A file that cannot be read takes no other with it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp: tuple[tuple[str, int, int], ...] | None = None
        self._lessons: dict[str, Lesson] = {}
        self.errors: tuple[str, ...] = ()

    def lessons(self) -> dict[str, Lesson]:
        """By name, in their order; `errors` then has what is wrong with the others."""
        files = sorted(path for path in self._folder.glob("*.md") if path.stem != GUIDE)
        stamp = tuple((path.stem, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
        if stamp != self._stamp:
            lessons, errors = [], []
            for path in files:
                try:
                    lessons.append(parse_lesson(path.stem, path.read_text(encoding="utf-8")))
                except (ValueError, OSError) as error:
                    errors.append(str(error))
            lessons.sort(key=lambda lesson: (lesson.order, lesson.name))
            self._lessons = {lesson.name: lesson for lesson in lessons}
            self.errors, self._stamp = tuple(errors), stamp
        return self._lessons
