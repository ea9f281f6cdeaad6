"""A store that speaks as much of S3 as objects that are made need, and checks who asks."""

import hashlib
import hmac
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY_ID, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "eu-central-1"


@dataclass
class Store:
    """Hold objects by their path.

    Attributes:
        overwrites: `If-None-Match` is not known to it.
        loses: replies of requests that were carried out, as many.
    """

    url: str = ""
    objects: dict[str, bytes] = field(default_factory=dict)
    overwrites: bool = False
    loses: int = 0

    @property
    def variables(self) -> dict[str, str]:
        """Name it in the standard variables."""
        about = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET}
        return {**about, "AWS_REGION": REGION, "AWS_ENDPOINT_URL_S3": self.url}

    def answer(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, bytes]:
        """Carry out one request."""
        if not is_signed(method, path, headers, body):
            return 403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>"
        if method == "GET":
            found = self.objects.get(path)
            return (200, found) if found is not None else (404, b"<Error/>")
        if path in self.objects and headers.get("if-none-match") == "*" and not self.overwrites:
            return 412, b"<Error><Code>PreconditionFailed</Code></Error>"
        self.objects[path] = body
        return 200, b""


def is_signed(method: str, path: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Check AWS's Signature Version 4 as it is written down, by code of its own."""
    form = r"AWS4-HMAC-SHA256 Credential=(.+?)/(.+), ?SignedHeaders=(.+), ?Signature=(\w+)"
    if not (read := re.fullmatch(form, headers.get("authorization", ""))):
        return False
    key_id, scope, names, signature = read.groups()
    place, _, query = path.partition("?")
    signed = "".join(f"{name}:{headers[name].strip()}\n" for name in names.split(";"))
    content = hashlib.sha256(body).hexdigest()
    asked = "\n".join([method, place, query, signed, names, content])
    text = "\n".join(
        [
            "AWS4-HMAC-SHA256",
            headers["x-amz-date"],
            scope,
            hashlib.sha256(asked.encode()).hexdigest(),
        ]
    )
    key = f"AWS4{SECRET}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.digest(key, part.encode(), hashlib.sha256)
    is_ours = key_id == KEY_ID and scope.split("/")[1:] == [REGION, "s3", "aws4_request"]
    return is_ours and headers["x-amz-content-sha256"] == content and key.hex() == signature


class _Answer(BaseHTTPRequestHandler):
    store: Store

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status, said = self.store.answer(self.command, self.path, headers, body)
        if self.store.loses:
            self.store.loses -= 1
            return
        self.send_response(status)
        self.send_header("etag", '"e"')
        self.send_header("last-modified", "Sun, 29 Nov 2026 12:00:00 GMT")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    do_GET = do_PUT

    def log_message(self, *about: object) -> None:
        """Log nothing."""


@contextmanager
def s3_server() -> Iterator[Store]:
    """Let one listen, in threads of its own."""
    store = Store()
    answer = type("Answer", (_Answer,), {"store": store})
    with ThreadingHTTPServer(("127.0.0.1", 0), answer) as server:
        store.url = f"http://127.0.0.1:{server.server_address[1]}"
        listening = threading.Thread(target=server.serve_forever)
        listening.start()
        yield store
        server.shutdown()
        listening.join()
