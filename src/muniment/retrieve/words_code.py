"""Words that programming languages set among the names of a program, as index terms. Prose has few of them.

Rule of this file: words only.
"""

from __future__ import annotations

CODE = (
    "def self return elif import none true fals str int len arg kwarg lambda isinst except const var null undefin nil void bool "
    "boolean struct impl fn func println printf std typedef enum foreach endif sizeof append dict tupl obj param np os sys init "
    "catch throw extend async await yield tri rais assert string float char static namespac argv"
)
