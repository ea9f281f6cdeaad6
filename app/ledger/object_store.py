"""An S3-compatible store in which objects are created and never overwritten."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from daybook.app.server.loopback import is_loopback_host
from daybook.state.errors import DaybookError
from daybook.state.extras import from_extra

_SECONDS = 30


def client() -> Any:
    """Import what speaks S3.

    Raises:
        NotInstalled: the extra `s3` is not installed.
    """
    with from_extra():
        return import_module("obstore")


class ObjectStore:
    """Make objects in a bucket.

    Where it is and who asks stands in the standard variables (AWS_REGION, AWS_ENDPOINT_URL_S3,
    AWS_ACCESS_KEY_ID and so on), else it is asked of the machine's or the container's role.

    Args:
        url: `s3://BUCKET/PREFIX`.
    """

    def __init__(self, url: str) -> None:
        self._s3, self._stores = client(), import_module("obstore.store")
        parts = urlsplit(url)
        self._bucket, self._prefix = parts.netloc, parts.path.strip("/")
        self._url = f"s3://{self._bucket}/{self._prefix}"

    async def make(self, name: str, content: bytes, *, is_first: bool) -> None:
        """Make an object; one that is there already with the same content is as good.

        Args:
            is_first: see first that this store refuses to overwrite.

        Raises:
            DaybookError: another one is there, or it was not taken. The store's words are not
                repeated, which may hold what it was asked.
        """
        try:
            await asyncio.to_thread(self._make, name, content, is_first)
        except self._s3.exceptions.BaseError as error:
            raise DaybookError(
                f"{self._url} did not accept the signed heads ({type(error).__name__}). They stay "
                "in the journal next to the key and will be sent with the next ones."
            ) from None

    def _make(self, name: str, content: bytes, is_first: bool) -> None:
        store = self._opened()
        try:
            self._s3.put(store, name, content, mode="create")
            if is_first:
                self._s3.put(store, name, content, mode="create")
                raise DaybookError(
                    f"The store at {self._url} ignores If-None-Match and overwrites objects, so "
                    "heads would prove nothing there. Use another store."
                )
        except self._s3.exceptions.AlreadyExistsError:
            if bytes(self._s3.get(store, name).bytes()) != content:
                raise DaybookError(
                    f"{self._url} has a different {name} than this journal. Nothing was "
                    "overwritten: the journal here, and perhaps the database, was lost or "
                    "rewritten. Compare the two."
                ) from None

    def _opened(self) -> Any:
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
        is_here = is_loopback_host(urlsplit(endpoint).hostname or "")
        return self._stores.S3Store(
            self._bucket,
            prefix=self._prefix or None,
            client_options={"timeout": timedelta(seconds=_SECONDS), "allow_http": is_here},
            retry_config={"max_retries": 2, "retry_timeout": timedelta(seconds=_SECONDS)},
        )
