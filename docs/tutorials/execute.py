"""Executes the tutorials and keeps their outputs: `make tutorials`. Pictures are drawn by Chromium."""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent


def execute(path: Path) -> None:
    """Run all cells of a notebook, and write it with its outputs."""
    os.environ |= {"PYTHONPATH": str(HERE.parents[1]), "PLOTLY_RENDERER": "svg"}
    os.environ.setdefault("BROWSER_PATH", "/usr/bin/chromium")
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for notebook in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(HERE.glob("*.ipynb")):
        execute(notebook)
