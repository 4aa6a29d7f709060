"""The studies that ship with the app: which they are, and where they are kept.

Each is one small file of rows and thinned curves; the Study page opens it at once.
"""

from pathlib import Path

from core.service import study_id_of

FOLDER = Path(__file__).resolve().parent / "study_library"
EVERY_METHOD = (
    "epochs=1e5,1e5,1e5,1,3000,3000,500,3000,3000,1e5,1e5,1000,1000,1000,3000,3000"
    "&method=gd,adam,flow,lsq,ls_gd,ls_adam,anls,anls_plus,adaptive_width,"
    "momentum,nesterov,gauss_newton,sggn,varpro,lbfgs,sgd"
)
"""Of every method what takes it a second or so."""
READY: tuple[tuple[str, str, str], ...] = (
    (
        "Six methods, a hundred seeds",
        "epochs=1e6,1e6,2e4,2e4,500,500&method=gd,adam,ls_gd,ls_adam,anls,anls_plus&seed=0..99",
        "Gradient descent, Adam, their least-squares hybrids, ANLS and ANLS+ on sin πx: who gets stuck, how "
        "often and how long.",
    ),
    (
        "Wider and wider",
        "epochs=1e6,500,500&method=gd,anls,anls_plus&seed=0..19&width=5,10,20,40,80",
        "Does a wider network help? The best losses drop like the fourth power of the width.",
    ),
    (
        "Across the edge of stability",
        "epochs=1e5&learning_rate=0.001,0.003,0.01,0.03,0.1,0.2,0.3,0.5&seed=0..19",
        "Learning rates of gradient descent, from safe to too large.",
    ),
    (
        "Which method for a wave?",
        f"{EVERY_METHOD}&seed=0..9",
        "All methods on sin πx, same starts: who is lowest, and after how many seconds.",
    ),
    ("Which method for more waves?", f"{EVERY_METHOD}&seed=0..9&target=sin5", "The same on sin 5πx."),
    (
        "Which method for a jump between waves?",
        f"{EVERY_METHOD}&seed=0..4&target=f2",
        "The same on f₂, which has two frequencies and is not continuous.",
    ),
    ("Which method for a step?", f"{EVERY_METHOD}&seed=0..9&target=step", "The same on a single jump."),
    ("Which method for a chirp?", f"{EVERY_METHOD}&seed=0..9&target=chirp", "A wave that gets faster."),
    (
        "Which method for noise?",
        f"{EVERY_METHOD}&noise=0.2&seed=0..9",
        "All methods on sin πx with noise of 0.2: the lowest loss fits some of it.",
    ),
)
"""Title, canonical query and a sentence on each."""


def path_of(query: str) -> Path:
    """Where a study is kept."""
    return FOLDER / f"{study_id_of(query)}.xz"
