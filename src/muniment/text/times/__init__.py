"""Times told in a text, as stretches of time: one resolver for what is said and for what is asked.

Rule of this room: pure; what is not understood is left out.
"""

from muniment.text.times.lexicon import MONTHS
from muniment.text.times.resolving import resolve
from muniment.text.times.values import Timed, Value
from muniment.text.times.windows import Window, tells_time, windows

__all__ = ["MONTHS", "Timed", "Value", "Window", "resolve", "tells_time", "windows"]
