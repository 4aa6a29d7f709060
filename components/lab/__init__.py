"""The Lab's own Dash components: typed classes that Dash's generator made from the TypeScript in src/."""

from components.lab.Entry import Entry
from components.lab.Markup import Markup
from components.lab.Panel import Panel
from components.lab.Player import Player
from components.lab.Sketch import Sketch
from components.lab.Tick import Tick

__all__ = ["Entry", "Markup", "Panel", "Player", "Sketch", "Tick"]
