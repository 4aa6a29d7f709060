"""The pictures of the Runs page."""

from re import fullmatch

from flask import Blueprint, Response, request

from components.figures.thumbnail import MOST_POINTS, curve_picture
from core.service import ENDED, RunService, curve_of_run

_MOST_DECADES = 12


def runs_routes(service: RunService) -> Blueprint:
    """`/runs/<id>.svg?decades=5`: over so many decades of epochs."""
    routes = Blueprint("runs", __name__)

    @routes.get("/runs/<run_id>.svg")
    def curve(run_id: str) -> Response:
        """The curve; an empty picture where there is none."""
        decades = request.args.get("decades", _MOST_DECADES, type=int)
        if not fullmatch("[0-9a-f]{32}", run_id):
            return Response("", 404)
        status = service.status(run_id)
        points = curve_of_run(service, run_id, MOST_POINTS) if status is not None else []
        lasting = "private, max-age=3600" if status in ENDED and points else "no-store"
        picture = curve_picture(points, min(max(decades, 1), _MOST_DECADES))
        return Response(picture, mimetype="image/svg+xml", headers={"Cache-Control": lasting})

    return routes
