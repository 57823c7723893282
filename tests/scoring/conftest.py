"""Properties here play rounds; how long an example takes says more about the machine than about the code."""

from hypothesis import HealthCheck, settings

settings.register_profile("rounds", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("rounds")
