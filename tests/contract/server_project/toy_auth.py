"""Who may do what to the toy."""

from typing import Any

from langgraph_sdk import Auth

auth = Auth()


@auth.authenticate
async def authenticate(authorization: str | None) -> dict[str, Any]:
    """Take "Bearer <name>" for the user's word, and add a claim of our own."""
    if not authorization:
        raise Auth.exceptions.HTTPException(status_code=401, detail="who are you?")
    return {"identity": authorization.removeprefix("Bearer "), "role": "clerk"}


@auth.on.threads.create_run
async def create_run(ctx: Auth.types.AuthContext, value: Auth.types.RunsCreate) -> None:
    """Make every run durable, and let nobody jump into the graph."""
    if (value["kwargs"].get("command") or {}).get("goto"):
        raise Auth.exceptions.HTTPException(status_code=403, detail="no jumps")
    value["kwargs"]["durability"] = "sync"


@auth.on.threads.update
async def update(ctx: Auth.types.AuthContext, value: Auth.types.ThreadsUpdate) -> None:
    """Let nobody rewrite a thread."""
    raise Auth.exceptions.HTTPException(status_code=403, detail="no rewriting")
