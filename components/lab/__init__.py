"""The Lab's own Dash components: typed classes that Dash's generator made from the TypeScript in src/."""

from components.lab.Panel import Panel
from components.lab.Player import Player

__all__ = ["Panel", "Player"]
