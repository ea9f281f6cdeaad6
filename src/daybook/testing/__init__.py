"""Kill your own agent, with a provider that misbehaves (docs/testing.md)."""

from daybook.testing.http import Answer, Request, as_json, serve
from daybook.testing.matrix import BEHAVIOURS, crash_matrix, run_crash_matrix
from daybook.testing.model import ReplayedModel, ScriptedModel, last_result
from daybook.testing.provider import Behaviour, Fault, Provider, Refusal
from daybook.testing.report import Report

__all__ = [
    "BEHAVIOURS",
    "Answer",
    "Behaviour",
    "Fault",
    "Provider",
    "Refusal",
    "ReplayedModel",
    "Report",
    "Request",
    "ScriptedModel",
    "as_json",
    "crash_matrix",
    "last_result",
    "run_crash_matrix",
    "serve",
]
