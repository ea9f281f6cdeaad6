"""Mutations of the engine, each of which the simulator must find: a judge that cannot fail is none.

Run as `python -m evals.sim.mutants`; `make mutants`.
"""
