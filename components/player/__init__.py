"""The Lab's own Dash components: typed classes that Dash's generator made from the TypeScript in src/."""

import sys

from components.player.Choices import Choices
from components.player.Panel import Panel
from components.player.parts import player_parts
from components.player.Player import Player
from components.player.Select import Select
from components.player.Sketch import Sketch

NAMESPACE = "plateau_lab"
"""What the bundle is called in the browser. For every property of every component Dash imports a package of
this name, to tell its version if it has to complain; without one it would look for it in every folder each
time, which was half the time of a page."""
sys.modules.setdefault(NAMESPACE, sys.modules[__name__])

__all__ = ["NAMESPACE", "Choices", "Panel", "Player", "Select", "Sketch", "player_parts"]
