"""How much the properties are tried: the whole folder stays below a minute."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "daybook",
    max_examples=60,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("daybook")
