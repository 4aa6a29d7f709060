"""The link that leads to a study from the settings of the Lab, and the pictures of the ready studies."""

from contextlib import suppress

from flask import Blueprint, current_app, redirect, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from components.common.comparison import ALSO
from components.common.view import split_query
from components.pages.study.ready import ready_picture
from core.config import join_query, runs_from_query
from core.config import split_query as split_pairs
from reproduction.ready_studies import READY


def study_routes(limit: int) -> Blueprint:
    """`/study?seeds=20`: the settings beside it, for so many seeds, up to `limit`."""
    routes = Blueprint("study_page", __name__)

    @routes.get("/study")
    def study() -> Response | str:
        seeds = request.args.get("seeds", "")
        if seeds.isascii() and seeds.isdigit() and 1 <= int(seeds[:6]) <= limit:
            return redirect(f"/study?{_settings(request.query_string.decode(), int(seeds))}")
        return current_app.extensions["app"].index(path="study")

    @routes.get("/study/ready/<int:place>.svg")
    def picture(place: int) -> Response:
        if place >= len(READY):
            raise NotFound("There is no such ready study.")
        kept = {"Cache-Control": "private, max-age=3600"}
        theme = "dark" if request.args.get("theme") == "dark" else "light"
        return Response(ready_picture(place, theme), mimetype="image/svg+xml", headers=kept)

    return routes


def _settings(query: str, seeds: int) -> str:
    """The settings of a query, for so many seeds, in their canonical spelling if they are right."""
    try:
        pairs = split_pairs(split_query(query)[0], 4_096)
    except ValueError:
        pairs = {}
    for key in (ALSO, "seeds"):
        pairs.pop(key, "")
    asked = join_query(pairs | {"seed": f"0..{seeds - 1}"})
    with suppress(ValueError):
        return runs_from_query(asked).query
    return asked
