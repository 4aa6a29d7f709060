"""What every answer of the web server has in common: who may ask, headers, errors."""

import hmac
import logging
import string
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

import orjson
from flask import Flask, Response, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

from core.config.fields import field_names
from core.service.addresses import is_loopback
from core.service.desk.desk import NotYetError
from core.service.files.disk import unusable
from core.service.queue import QueueFullError
from core.service.settings import Settings
from core.service.store import StoreError
from core.spelling import FieldError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)

_BODY_SLACK = 4_096
_COMING = "<!DOCTYPE html><title>Being made</title><p>The file is being made and comes by itself."
_SAFE = ("GET", "HEAD", "OPTIONS")


def json_response(document: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer (numbers that are not finite become null)."""
    body = orjson.dumps(document, option=orjson.OPT_SERIALIZE_NUMPY)
    return Response(
        body, status, {"Cache-Control": "no-store", **(headers or {})}, mimetype="application/json"
    )


def error_response(sentence: str, status: int, **more: object) -> Response:
    """An error as JSON."""
    retry = more.get("retry_after")
    # A query may quote half a character, which JSON cannot carry.
    sentence = sentence.encode("utf-8", "replace").decode()
    return json_response({"error": sentence, **more}, status, {"Retry-After": str(retry)} if retry else None)


def refused_value(error: ValueError) -> Response:
    """What was refused, and the key that it concerns."""
    field = error.field if isinstance(error, FieldError) and error.field in field_names() else None
    return error_response(str(error), 400, field=field)


def protect(server: Flask, settings: Settings, script_hashes: Callable[[], Sequence[str]]) -> None:
    """Give a Flask server the common checks, headers and error answers."""
    # Within JSON a line's end takes two characters: what is too large is told by who reads the data.
    server.config["MAX_CONTENT_LENGTH"] = 2 * settings.limits.upload_bytes + _BODY_SLACK
    if settings.proxies:
        hops = settings.proxies
        server.wsgi_app = ProxyFix(server.wsgi_app, hops, hops, hops, hops)  # type: ignore[method-assign]
    server.wsgi_app = _spelled(server.wsgi_app)  # type: ignore[method-assign, assignment]
    policy = _policy(settings, script_hashes())

    @server.before_request
    def refuse() -> Response | None:
        if settings.hosts and urlsplit(f"//{request.host}").hostname not in settings.hosts.split(","):
            return error_response("This server is not known by that name.", 400)
        if _is_traversal(request.path):
            return error_response("No such page.", 404)
        if request.method not in _SAFE and not _same_origin():
            return error_response("Requests from other web sites are refused.", 403)
        return None

    @server.after_request
    def add_headers(response: Response) -> Response:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        if request.path.startswith("/assets/") and "m" in request.args and response.status_code == 200:
            # Named with the time of its last change: under this name it never changes again.
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        if response.mimetype == "text/html":
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    @server.errorhandler(HTTPException)
    def explain_refusal(error: HTTPException) -> ResponseReturnValue:
        if not _is_api():
            return error
        return error_response(error.description or error.name, error.code or 500)


def _spelled(application: "WSGIApplication") -> "WSGIApplication":
    """Bytes that stand in a query as they are, which no browser sends, are spelled as a URL spells them: what
    they mean is then read, or not understood, as that of any other."""

    def ask(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        query = environ.get("QUERY_STRING", "")
        if not query.isascii():
            environ["QUERY_STRING"] = quote(query, safe=string.punctuation, encoding="latin-1")
        return application(environ, start_response)

    return ask


def register_errors(server: Flask) -> None:
    """Answers to what the run service raises."""

    @server.errorhandler(QueueFullError)
    def full(error: QueueFullError) -> Response:
        return error_response(str(error), 429, retry_after=error.retry_after)

    @server.errorhandler(NotYetError)
    def not_yet(error: NotYetError) -> Response:
        again = {"Retry-After": str(error.retry_after)}
        if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
            return Response(_COMING, 202, again | {"Refresh": str(error.retry_after)}, mimetype="text/html")
        return json_response({"status": "being made", "ahead": error.ahead}, 202, again)

    @server.errorhandler(PermissionError)
    def forbidden(error: PermissionError) -> Response:
        # The operating system's own has a number.
        return error_response(str(error), 403) if error.errno is None else disk_trouble(error)

    @server.errorhandler(StoreError)
    def store_trouble(error: StoreError) -> Response:
        return error_response(str(error), 503, retry_after=5)

    @server.errorhandler(OSError)
    def disk_trouble(error: OSError) -> Response:
        log.warning("%s %s: %s", request.method, request.path, error)
        return error_response(unusable(error), 503, retry_after=5)

    @server.errorhandler(Exception)
    def trouble(error: Exception) -> ResponseReturnValue:
        if not _is_api():
            raise error
        log.exception("%s %s failed", request.method, request.path)
        return error_response("Something went wrong in the server; its log says what.", 500)


def may_look(token: str) -> bool:
    """Whoever has the token; without one, this machine alone, and not by way of a proxy."""
    if token:
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(sent.encode(), token.encode())
    return is_loopback(request.remote_addr or "") and "X-Forwarded-For" not in request.headers


def _policy(settings: Settings, hashes: Sequence[str]) -> str:
    """Scripts from here only, nothing from elsewhere. Plotly and Dash write styles into elements."""
    parts = {
        "default-src": "'self'",
        "script-src": " ".join(("'self'", *hashes)),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": settings.frame_ancestors,
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


def _is_api() -> bool:
    return request.path.startswith("/api/") or request.path in ("/healthz", "/readyz")


def _is_traversal(path: str) -> bool:
    """Dots, backslashes and control characters, also when they are encoded twice."""
    plain = unquote(unquote(path)).replace("\\", "/")
    return ".." in plain.split("/") or any(ord(letter) < 32 for letter in plain) or "\\" in path


def _same_origin() -> bool:
    """A browser says where a request comes from; a script that does not say is nobody's victim."""
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host
