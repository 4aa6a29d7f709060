"""What every answer of the web server has in common: who may ask, headers, errors."""

import hmac
import logging
import string
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from flask import Flask, Response, current_app, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from .addresses import answers_to
from .arguments import discard_body
from .files.disk import unusable
from .queries.service import NotYetError
from .queue import QueueFullError
from .responses import error_response, json_response
from .settings import Settings
from .store import StoreError

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)

_BODY_SLACK = 4_096
_COMING = "<!DOCTYPE html><title>Being made</title><p>The file is being made and comes by itself."
_SAFE = ("GET", "HEAD", "OPTIONS")
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ADMIN_COOKIE = "plateau_admin"


def protect(server: Flask, settings: Settings, script_hashes: Callable[[], Sequence[str]]) -> None:
    """Give a Flask server the common checks, headers and error answers."""
    # Within JSON a line's end takes two characters: what is too large is told by who reads the data.
    server.config["MAX_CONTENT_LENGTH"] = 2 * settings.limits.upload_bytes + _BODY_SLACK
    if settings.proxies:
        hops = settings.proxies
        server.wsgi_app = ProxyFix(server.wsgi_app, hops, hops, hops, hops)  # type: ignore[method-assign]
    else:
        server.wsgi_app = _noticing_proxies(server.wsgi_app)  # type: ignore[method-assign, assignment]
    server.wsgi_app = _spelled(server.wsgi_app)  # type: ignore[method-assign, assignment]

    server.before_request(partial(_refusal, settings))

    @server.after_request
    def add_headers(response: Response) -> Response:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        if request.path.startswith("/assets/") and "m" in request.args and response.status_code == 200:
            # Named with the time of its last change: under this name it never changes again.
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        if _is_welcome(settings):
            _let_read(response)
        if response.mimetype == "text/html":
            # A page that registers an inline script of Dash does so at the first request.
            response.headers.setdefault("Content-Security-Policy", _policy(settings, script_hashes()))
        return response

    _explain_errors(server, settings)


def _refusal(settings: Settings) -> Response | None:
    """The answer to a request that is not for this server, or not from its pages."""
    # No browser leaves the name out; a proxy that asks how the server is may use a name of its own.
    named = "Host" in request.headers and request.path != "/healthz"
    if named and not answers_to(request.host, settings):
        return error_response(
            f"This server does not answer to the name {request.host[:80]!r}. Open it by its address, or "
            "have the name added to PLATEAU_HOSTS.",
            400,
        )
    if _is_traversal(request.path):
        return error_response("No such page.", 404)
    if request.method not in _SAFE and not (_same_origin() or _is_welcome(settings)):
        return error_response(
            f"Requests from other web sites are refused. This server was asked as {request.host[:80]!r}; "
            "behind a proxy, PLATEAU_PROXIES makes it believe the name that the proxy passes on.",
            403,
        )
    return _answer_for_other_methods() if _is_interface() else None


def _explain_errors(server: Flask, settings: Settings) -> None:
    """Refusals of the web framework, as JSON where a script asks."""

    @server.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        discard_body()
        return error_response(
            f"{request.content_length or 0:,} bytes are too many; data may have "
            f"{settings.limits.upload_bytes:,} at most.",
            413,
        )

    @server.errorhandler(HTTPException)
    def explain_refusal(error: HTTPException) -> ResponseReturnValue:
        if not _is_api():
            return error
        sent = error.get_response().headers
        kept = {name: sent[name] for name in ("Allow", "WWW-Authenticate") if name in sent}
        return error_response(error.description or error.name, error.code or 500, kept)


def _answer_for_other_methods() -> Response | None:
    """Under /api: what may be done at an address, which of it was meant, or that there is nothing.

    The pages have a rule that takes every address, so that routing alone would find a page there.
    """
    if request.url_rule is not None and _is_route(request.url_rule) and request.method != "OPTIONS":
        return None
    adapter = current_app.create_url_adapter(request)
    assert adapter is not None
    allowed = set()
    for method in _METHODS:
        try:
            rule, _ = adapter.match(method=method, return_rule=True)
        except HTTPException:  # no rule, or a redirect to another spelling: the contract has one for each
            continue
        if _is_route(rule):
            allowed |= (rule.methods or set()) | {"OPTIONS"}
    if not allowed:
        return error_response(f"There is nothing at {request.path[:80]}.", 404)
    allow = {"Allow": ", ".join(sorted(allowed))}
    if request.method == "OPTIONS":
        return Response(status=200, headers=allow)
    return error_response(f"{request.method} is not possible here; {allow['Allow']} are.", 405, headers=allow)


def _is_route(rule: Rule) -> bool:
    return str(rule) == "/api" or str(rule).startswith("/api/")


def _noticing_proxies(application: "WSGIApplication") -> "WSGIApplication":
    """Say once that requests come through a proxy that was not declared: all visitors then look like one."""
    noticed = threading.Event()

    def ask(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if "HTTP_X_FORWARDED_FOR" in environ and not noticed.is_set():
            noticed.set()
            log.warning(
                "A request came through a reverse proxy, whose headers are not believed. If it is yours, set "
                "PLATEAU_PROXIES to the number of proxies, so that visitors have addresses of their own."
            )
        return application(environ, start_response)

    return ask


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
        more: dict[str, Any] = {} if error.ahead is None else {"ahead": error.ahead}
        return error_response(str(error), 429, retry_after=error.retry_after, **more)

    @server.errorhandler(NotYetError)
    def not_yet(error: NotYetError) -> Response:
        again = {"Retry-After": str(error.retry_after)}
        if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
            return Response(_COMING, 202, again | {"Refresh": str(error.retry_after)}, mimetype="text/html")
        return json_response({"ahead": error.ahead, "retry_after": error.retry_after}, 202, again)

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


def is_admin(token: str) -> bool:
    """Whether a request brings the token: as a bearer, as the password of any name, or in /admin's cookie.

    There is no exception for this machine: what comes through a proxy beside the server comes from this
    machine too, and need not differ in any header. Who is really here can read the file with the token.
    """
    given = request.authorization
    sent = (given.token or given.password or "") if given else ""
    return is_token(sent, token) or is_token(request.cookies.get(ADMIN_COOKIE, ""), admin_cookie(token))


def admin_cookie(token: str) -> str:
    """What a browser keeps that has brought the token; it lasts as long as the token does."""
    return hmac.new(token.encode(), b"plateau admin cookie", "sha256").hexdigest() if token else ""


def ask_for_token() -> Response:
    """The answer to who has not brought it; a browser then asks for a name and a password."""
    return Response(
        "This is for whoever looks after the server. Any name is accepted; the password is "
        "PLATEAU_ADMIN_TOKEN, or the content of the file admin-token in the server's home.",
        401,
        {"WWW-Authenticate": 'Basic realm="Plateau Lab"', "Cache-Control": "no-store"},
        mimetype="text/plain",
    )


def is_token(sent: str, secret: str) -> bool:
    """Whether a text is a secret; nothing is when there is none."""
    return bool(secret) and hmac.compare_digest(sent.encode("utf-8", "replace"), secret.encode())


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


def _is_interface() -> bool:
    return request.path == "/api" or request.path.startswith("/api/")


def _is_api() -> bool:
    return _is_interface() or request.path in ("/healthz", "/readyz")


def _is_traversal(path: str) -> bool:
    """Dots, backslashes and control characters, also when they are encoded twice."""
    plain = unquote(unquote(path)).replace("\\", "/")
    return ".." in plain.split("/") or any(ord(letter) < 32 for letter in plain) or "\\" in path


def _is_welcome(settings: Settings) -> bool:
    """Whether a page of another site asks that may; a browser tells where it comes from."""
    origin = request.headers.get("Origin", "")
    return _is_interface() and origin != "" and origin in map(str.strip, settings.origins.split(","))


def _let_read(response: Response) -> None:
    """Tell the browser that the page may read the answer. It sends a token and no cookies."""
    response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
    response.headers["Access-Control-Expose-Headers"] = "ETag, Location, Plateau-Run, Retry-After"
    response.vary.add("Origin")
    if request.method == "OPTIONS":
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = "authorization, content-type, if-none-match"


def _same_origin() -> bool:
    """Whether no other site's page has sent it. Clients that are no browsers send no Origin, and need not."""
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host
