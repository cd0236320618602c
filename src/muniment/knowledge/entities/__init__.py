"""Things that are spoken of, and the names they go by: keys to look them up, likeness, linking, merging, and forgetting.

Rule of this room: pure. What contradicts weighs more than what agrees, and what is unsure is left for somebody to decide.
"""

from muniment.knowledge.entities.forgetting import without
from muniment.knowledge.entities.keys import keys_of
from muniment.knowledge.entities.link import Linked, Named, link
from muniment.knowledge.entities.marks import marks_of, names_of
from muniment.knowledge.entities.merging import following, merge, split, undo

__all__ = ["Linked", "Named", "following", "keys_of", "link", "marks_of", "merge", "names_of", "split", "undo", "without"]
