from typing import Any


class Refusal(Exception):
    """Say no to a request: nothing was performed.

    `status` is the HTTP status, `code` the machine's word for the reason, `message` a sentence,
    `extra` more fields of the answer (such as how many are available).
    """

    def __init__(self, status: int, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.extra = extra

    @property
    def body(self) -> dict[str, Any]:
        """Return the JSON body of the answer."""
        return {"error": self.code, "message": self.message, **self.extra}
