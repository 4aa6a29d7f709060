"""Who is asking: a random name in a signed cookie, or, for a script, the token that a browser made for it.

The name itself stays in the browser. What the server keeps and shows is its hash, the
handle, so that reading a run's starter does not let anybody act in their place.
"""

import hashlib
import secrets

from flask import Response, g, request
from itsdangerous import BadSignature, Signer
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from .accounts import Client, quota_of, subnet_of
from .service import RunService

NOBODY = "plateau.nobody"
"""Marks, in the environment of a request, that the server asks itself; no header gets there by this name."""
COOKIE = "plateau"
_YEAR = 365 * 24 * 3600


class Visitors:
    """Reads and sets the cookie."""

    def __init__(self, service: RunService) -> None:
        self._people, self._tokens = service.people, service.tokens
        self._framed = service.settings.frame_ancestors not in ("'self'", "'none'")
        self._signer = Signer(service.secret, salt="plateau-visitor", digest_method=hashlib.sha256)

    def current(self) -> Client:
        """The client of this request; one without a cookie gets one with the answer."""
        if "client" not in g:
            g.client = self._with_token() or self._known() or self._new()
        client: Client = g.client
        return client

    def _with_token(self) -> Client | None:
        """The browser that a script acts for; who brings a token that is none is not taken for a newcomer."""
        given = request.authorization
        if given is None or given.type != "bearer" or not request.path.startswith("/api/"):
            return None
        handle = self._tokens.owner(given.token or "")
        if handle is None:
            raise Unauthorized(
                "This token is not known here: it was revoked, or cut short. Make another one on /runs.",
                www_authenticate=WWWAuthenticate("bearer", {"realm": "Plateau Lab"}),
            )
        return self._client(handle)

    def _known(self) -> Client | None:
        cookie = request.cookies.get(COOKIE, "")
        try:
            name = self._signer.unsign(cookie).decode()
        except (BadSignature, UnicodeDecodeError):
            return None
        return self._client(_handle(name))

    def _client(self, handle: str) -> Client:
        address = subnet_of(request.remote_addr)
        self._people.see(handle)
        return Client(handle, quota_of(handle, address, settled=self._people.settled(handle)))

    def _new(self) -> Client:
        name = secrets.token_hex(16)
        g.cookie = self._signer.sign(name).decode()
        quota = quota_of("", subnet_of(request.remote_addr), settled=False)
        return Client(_handle(name), quota, known=False)

    def viewer(self) -> Client | None:
        """Who looks: the server itself is nobody."""
        return None if NOBODY in request.environ else self.current()

    def greet(self) -> None:
        """Whoever asks for a page gets a cookie with it; scripts and styles are the same for all."""
        if not request.path.startswith(("/_dash", "/_favicon", "/assets")):
            self.current()

    def remember(self, response: Response) -> Response:
        """Send the cookie of a client that is new."""
        if "cookie" in g and not response.cache_control.public:
            # In a frame of another site a browser keeps only cookies that say they may be there.
            framed = request.is_secure and self._framed
            site = "None" if framed else "Lax"
            response.set_cookie(
                COOKIE,
                g.cookie,
                max_age=_YEAR,
                secure=request.is_secure,
                httponly=True,
                samesite=site,
                partitioned=framed,
            )
        return response


def _handle(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:16]
