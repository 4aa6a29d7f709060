"""All claims by name, in the order of the paper."""

from reproduction.criteria import Criterion, criteria

CLAIMS: dict[str, Criterion] = dict(criteria().claims)
