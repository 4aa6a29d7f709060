"""The link that leads to a study from the settings of the Lab."""

from contextlib import suppress

from flask import Blueprint, current_app, redirect, request
from werkzeug.wrappers import Response

from components.common.comparison import ALSO
from components.common.view import split_query
from core.config import join_query, runs_from_query
from core.config import split_query as split_pairs


def study_routes(limit: int) -> Blueprint:
    """`/study?seeds=20`: the settings beside it, for so many seeds, up to `limit`."""
    routes = Blueprint("study_page", __name__)

    @routes.get("/study")
    def study() -> Response | str:
        seeds = request.args.get("seeds", "")
        if seeds.isascii() and seeds.isdigit() and 1 <= int(seeds[:6]) <= limit:
            return redirect(f"/study?{_settings(request.query_string.decode(), int(seeds))}")
        return current_app.extensions["app"].index(path="study")

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
