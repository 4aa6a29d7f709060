"""The page's callbacks, one file a concern; what each does is a plain function that needs no browser."""

from dash import Dash

from components.callbacks.axis import register_axis
from components.callbacks.boot import register_boot
from components.callbacks.form import Names, register_form
from components.callbacks.lesson import register_lesson
from components.callbacks.room import register_room
from components.callbacks.served import register_served
from components.callbacks.share import register_share
from components.callbacks.tables import register_tables
from components.shelf import Shelf
from core.service import RunService


def register_callbacks(app: Dash, service: RunService, shelf: Shelf, names: Names) -> None:
    """Give the app all of them; `names` are those of the page's controls."""
    register_axis(app)
    register_boot(app)
    register_form(app, service, names)
    register_lesson(app, service, shelf)
    register_room(app, service, shelf)
    register_served(app, service)
    register_share(app, service)
    register_tables(app, service)
