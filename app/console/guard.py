"""Sign-in to the console, and the check that a form was sent by its user from these pages."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from functools import wraps
from urllib.parse import parse_qsl, urlsplit

from psycopg import InternalError, OperationalError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.console import house
from daybook.app.console.pages import Refused, page, refused
from daybook.app.server.inside import available
from daybook.app.server.loopback import is_loopback_host, outside
from daybook.app.server.refusals import denied, seconds_of
from daybook.app.server.sign_in import (
    SESSION_COOKIE,
    needs_tokens,
    sessions,
)
from daybook.checkpoints.people.delegations import standing_in
from daybook.checkpoints.reach import unavailable
from daybook.state.errors import DaybookError, InputRefused, TooMany
from daybook.state.run_input import check_caller
from daybook.state.session import ROLES, Person

NO_PAGE = "Page not found. Nothing was done."

_FORM = "daybook_form"
_HOURS = 12
_LARGEST_FORM = 64_000
_NOBODY = re.compile(r"development\.(customer|clerk|operator)\.(.+)")

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Headers of every page: only our scripts, no frames, no caching."""


class Guard:
    """Stand before every page: headers, the person, and on a POST that it is theirs."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] in (403, 404):
                    named = scope.get("path_params", {}).get("thread_id")
                    denied("a page of the console", request.state.person, named)
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request = Request(scope, receive)
        try:
            response = await self._instead(request)
            if response is None:
                await self._app(scope, receive, guarded)
        except (OperationalError, InternalError) as error:
            response = refused(request, str(unavailable(error)), 503)
        except HTTPException as error:
            response = refused(
                request, NO_PAGE, 404 if error.status_code == 405 else error.status_code
            )
        except TooMany as error:
            response = refused(request, str(error), 429)
            response.headers.update(seconds_of(error))
        except Refused as error:
            response = refused(request, error.sentence, error.status)
        except DaybookError as error:
            response = refused(request, str(error), 503)
        if response is not None:
            await response(scope, receive, guarded)

    async def _instead(self, request: Request) -> Response | None:
        """Find who asks; return what they are told instead of the page, or nothing."""
        state = request.state
        state.development = not await needs_tokens()
        state.person, state.form_token, state.form = None, "", {}
        if state.development and (why := outside(request.scope)):
            return refused(
                request,
                f"Until a token exists, this server accepts local requests only, and {why}. "
                "Create a token with `daybook token USER --role operator`.",
                403,
            )
        if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
            return refused(request, NO_PAGE, 404)
        state.person = await _person_of(request)
        is_sign_in = request.url.path.endswith("/sign-in")
        state.form_token = _form_token(request)
        if request.method == "POST":
            try:
                state.form = await _form(request)
            except InputRefused as error:
                return refused(request, str(error), 413)
            if not _is_from_here(request) or not _has_token(request):
                return refused(
                    request,
                    "This form was not sent from the console, or its page has expired. Nothing was "
                    "done. Reload the page and try again.",
                    403,
                )
        if state.person is None and not is_sign_in:
            if request.headers.get("hx-request"):
                return Response(status_code=401, headers={"HX-Redirect": "/console/sign-in"})
            return RedirectResponse("/console/sign-in", 303)
        return None


def person_of(request: Request) -> Person:
    """Return who is signed in; the guard has seen to it that someone is."""
    person: Person = request.state.person
    return person


def form_of(request: Request) -> Mapping[str, str]:
    """Return the fields of a form that the guard has let through; none if none was sent."""
    form: Mapping[str, str] = request.state.form
    return form


async def owned_thread(request: Request) -> tuple[str, Person, str]:
    """Return the thread that a page is about, who asks, and whose it is.

    Raises:
        Refused: there is none, or none that this person may see.
    """
    thread_id, person = request.path_params["thread_id"], person_of(request)
    owner = await house.owner_of(thread_id, person)
    if owner is None:
        raise Refused(house.NO_THREAD, 404)
    return thread_id, person, owner


async def open_thread(request: Request) -> tuple[str, Person, str]:
    """Return the same of a thread that nobody may have begun; it is then of who asks.

    Raises:
        Refused: it is another person's.
    """
    thread_id, person = request.path_params["thread_id"], person_of(request)
    if not await house.may_see(thread_id, person):
        raise Refused(house.NO_THREAD, 404)
    return thread_id, person, await house.owner_of(thread_id, person) or person.user_id


Shows = Callable[[Request], Awaitable[Response]]


def for_staff(shows: Shows) -> Shows:
    """Refuse customers a page, of whosever thread it is and whether there is one or not."""

    @wraps(shows)
    async def guarded(request: Request) -> Response:
        if not person_of(request).is_staff:
            raise Refused("This page is for staff.", 403)
        return await shows(request)

    return guarded


async def first_page(request: Request) -> Response:
    """Send staff to the inbox, and customers to their conversations."""
    place = "inbox" if person_of(request).is_staff else "threads"
    return RedirectResponse(f"/console/{place}", 303)


async def sign_in_page(request: Request) -> Response:
    """Show the sign-in form."""
    # A form of a page that nobody is signed in on is bound to this cookie alone.
    nonce = request.cookies.get(_FORM) or secrets.token_urlsafe(24)
    request.state.form_token = _token(nonce, request.cookies.get(SESSION_COOKIE, ""))
    response = _asked(request)
    _keep(request, response, _FORM, nonce)
    return response


async def sign_in(request: Request) -> Response:
    """Sign in with a token, or in development mode with a name and a role."""
    form = form_of(request)
    if request.state.development:
        person = Person(form.get("user", "").strip(), form.get("role", ""))
        try:
            check_caller(person.user_id, person.role)
        except InputRefused as error:
            return _asked(request, str(error), 403)
        kept = f"development.{person.role}.{person.user_id}"
    else:
        token = form.get("token", "").strip()
        begun = await available(sessions().begin(token, timedelta(hours=_HOURS)))
        if begun is None:
            unknown = (
                "This token is not valid. It may have expired or been revoked. Ask an operator "
                "for a new one."
            )
            return _asked(request, unknown, 403)
        kept = begun
    response = RedirectResponse("/console/", 303)
    _keep(request, response, SESSION_COOKIE, kept)
    # What was open before someone signed in cannot be sent afterwards.
    _keep(request, response, _FORM, secrets.token_urlsafe(24))
    return response


def _asked(request: Request, sentence: str = "", status: int = 200) -> Response:
    user = house.domains()[0].user
    about = {"sentence": sentence, "roles": ROLES, "user": user}
    return page(request, "sign_in.html", status=status, **about)


async def sign_out(request: Request) -> Response:
    """End the session and its open streams; its cookie is no longer valid."""
    if kept := request.cookies.get(SESSION_COOKIE):
        await available(sessions().end(kept))
    response = RedirectResponse("/console/sign-in", 303)
    response.delete_cookie(SESSION_COOKIE, path="/console")
    response.delete_cookie(_FORM, path="/console")
    return response


async def _person_of(request: Request) -> Person | None:
    kept = request.cookies.get(SESSION_COOKIE)
    # Without the cookie of its forms nothing could be sent: one signs in again.
    if not kept or not request.cookies.get(_FORM):
        return None
    if request.state.development:
        named = _NOBODY.fullmatch(kept)
        if named is None:
            return None
        return await available(standing_in(house.postgres().pool, Person(named[2], named[1])))
    return await available(sessions().person_with(kept))


def _form_token(request: Request) -> str:
    nonce = request.cookies.get(_FORM, "")
    return _token(nonce, request.cookies.get(SESSION_COOKIE, "")) if nonce else ""


def _token(nonce: str, signed_in: str) -> str:
    """Derive the token of forms from cookies that no other site can read."""
    return hmac.new(nonce.encode(), signed_in.encode(), hashlib.sha256).hexdigest()


def _has_token(request: Request) -> bool:
    given, wanted = form_of(request).get("form_token", ""), request.state.form_token
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def _is_from_here(request: Request) -> bool:
    """Tell whether the browser says that one of our own pages sends this."""
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return False
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


async def _form(request: Request) -> Mapping[str, str]:
    """Read the fields of a form.

    Raises:
        InputRefused: it is too large.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            raise InputRefused(
                f"The form is larger than {_LARGEST_FORM:,} bytes. Nothing was done."
            )
    fields = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    # No database keeps a NUL, and no page sends one.
    return {name: value.replace("\0", "\ufffd") for name, value in fields}


def _keep(request: Request, response: Response, name: str, kept: str) -> None:
    response.set_cookie(
        name,
        kept,
        max_age=_HOURS * 3600,
        path="/console",
        httponly=True,
        samesite="strict",
        secure=not is_loopback_host(request.url.hostname or ""),
    )
