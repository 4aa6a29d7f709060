"""The page's callbacks, one file per concern; what each does is a plain function that needs no browser."""

from dash import Dash

from components.pages.lab.callbacks.boot import register_boot
from components.pages.lab.callbacks.form import Names, register_form
from components.pages.lab.callbacks.lesson import register_lesson
from components.pages.lab.callbacks.presentation import register_presentation
from components.pages.lab.callbacks.served import register_served
from components.pages.lab.callbacks.share import register_share
from components.pages.lab.callbacks.tables import register_tables
from components.pages.lessons.folder import LessonFolder
from core.service import RunService


def register_callbacks(app: Dash, service: RunService, folder: LessonFolder, names: Names) -> None:
    """Give the app all of them; `names` are those of the page's controls."""
    register_boot(app)
    register_form(app, service, names)
    register_lesson(app, service, folder)
    register_presentation(app, service, folder)
    register_served(app, service)
    register_share(app, service)
    register_tables(app, service)
