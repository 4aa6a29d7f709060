"""The bounds that the product accepts, in one object.

Every check that refuses an input reads its bound here, and every sentence that
refuses one quotes it. The defaults suit one small machine; the environment can
override each of them but `frames`, which is part of a run's result (see
core.service.settings).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Largest accepted sizes; a value beyond one is refused, never clamped."""

    width: int = 1_024
    points: int = 10_000
    epochs: float = 1e9
    flow_epochs: float = 1e12
    cpu_seconds: float = 600.0
    step_seconds: float = 300.0
    """A run whose single step takes longer is ended; the first one may have to compile its kernels."""
    answer_seconds: float = 60.0
    """Tables and files that take longer are given up."""
    memory_bytes: int = 2 << 30
    """What one process that computes may have."""
    formula_length: int = 200
    formula_nodes: int = 64
    formula_depth: int = 20
    query_bytes: int = 4_096
    link_data_bytes: int = 1_500
    upload_bytes: int = 8_000_000
    uploads_bytes: int = 200_000_000
    """Uploads together that no run or study holds; the longest unused go first."""
    uploads_per_client: int = 20_000_000
    """The same of one browser, or of all newcomers of an address."""
    running_per_client: int = 8
    queued_per_client: int = 8
    per_address: int = 256
    """Runs that all browsers of one address may have under way and waiting together."""
    queued: int = 512
    run_bytes: int = 50_000_000
    total_bytes: int = 2_000_000_000
    frames: int = 4_000
    overlaid_runs: int = 8
    """Runs of one link that the Lab shows at once; more are a study."""
    study_runs: int = 10_000
    study_seconds: float = 100_000.0
    """Computing time of all runs of a study together."""
    studies_per_client: int = 4
    """Studies that one browser may have under way, or all newcomers of an address."""
    studies_per_address: int = 100
    """Studies that all browsers of one address may have under way together."""
    studies: int = 200
    """Studies that are kept; the oldest that are not under way go first."""

    @property
    def per_client(self) -> int:
        """Runs that one browser may have under way and waiting together: places that do not run may wait."""
        return self.running_per_client + self.queued_per_client


LIMITS = Limits()
