"""Who is asking: a random name in a signed cookie, nothing else.

The name itself stays in the browser. What the server keeps and shows is its hash, the
handle, so that reading a run's starter does not let anybody act in their place.
"""

import hashlib
import secrets

from flask import Response, g, request
from itsdangerous import BadSignature, Signer

from core.service.service import Client

NOBODY = "plateau.nobody"
"""Marks, in the environment of a request, that the server asks itself; no header gets there by this name."""
COOKIE = "plateau"
_YEAR = 365 * 24 * 3600


class Visitors:
    """Reads and sets the cookie."""

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="plateau-visitor", digest_method=hashlib.sha256)

    def current(self) -> Client:
        """The client of this request; one without a cookie gets one with the answer."""
        if "client" not in g:
            g.client = self._known() or self._new()
        client: Client = g.client
        return client

    def _known(self) -> Client | None:
        cookie = request.cookies.get(COOKIE, "")
        try:
            name = self._signer.unsign(cookie).decode()
        except (BadSignature, UnicodeDecodeError):
            return None
        handle = _handle(name)
        return Client(handle, handle)

    def _new(self) -> Client:
        name = secrets.token_hex(16)
        g.cookie = self._signer.sign(name).decode()
        # Throwing cookies away must not multiply the quota.
        return Client(_handle(name), f"address {request.remote_addr}")

    def viewer(self) -> str:
        """Whom a view is counted for: without a cookie an address counts once, the server itself never."""
        return "" if NOBODY in request.environ else self.current().quota

    def greet(self) -> None:
        """Whoever asks for a page gets a cookie with it; scripts and styles are the same for all."""
        if not request.path.startswith(("/_dash", "/_favicon", "/assets")):
            self.current()

    def remember(self, response: Response) -> Response:
        """Send the cookie of a client that is new."""
        if "cookie" in g:
            response.set_cookie(COOKIE, g.cookie, max_age=_YEAR, httponly=True, samesite="Lax")
        return response


def _handle(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:16]
