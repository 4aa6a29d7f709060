"""`fit` beside `train`: what it costs to take arrays and to answer in their own units."""

import gc
from time import process_time

import numpy as np

from benchmarks.bars import verdict
from core import RunConfig, fit, train

POINTS, WIDTH, REPEATS = 200, 12, 41
BAR = 1.2


def data() -> tuple[np.ndarray, np.ndarray]:
    """Noisy data on a scale of their own."""
    random = np.random.default_rng(7)
    x = random.uniform(0.0, 60.0, POINTS)
    return x, 40.0 * np.sin(x / 9.0) + 3.0 * random.normal(size=POINTS)


def ratio(repeats: int = REPEATS) -> float:
    """Processor time of `fit` per that of `train` on the same run, warm: the median of so many pairs."""
    x, y = data()
    result = fit(x, y, width=WIDTH, method="anls", seed=0)
    query, datasets = result.query, result.dataset
    seconds: dict[str, list[float]] = {"fit": [], "train": []}
    lengths: set[int] = set()

    def by_fit() -> None:
        lengths.add(len(fit(x, y, width=WIDTH, method="anls", seed=0).sequence))

    def by_train() -> None:
        lengths.add(len(list(train(RunConfig.from_query(query, datasets=datasets)))))

    for turn in range(repeats):
        gc.collect()  # whoever comes after it finds cold caches, so they take turns
        for name, work in (("fit", by_fit), ("train", by_train))[:: 1 if turn % 2 else -1]:
            start = process_time()
            work()
            seconds[name].append(process_time() - start)
    assert len(lengths) == 1
    pairs = zip(seconds["fit"], seconds["train"], strict=True)
    return float(np.median([mine / theirs for mine, theirs in pairs]))


def main() -> None:
    """One figure."""
    found = ratio()
    bar = verdict(found, BAR, "less")
    print(f"fit / train, {POINTS} points, width {WIDTH}, ANLS, warm: {found:.2f} times {bar}")
