"""The package recordlinkage on the same person records: its own blocking, comparing and unsupervised classifier.

Rule of this file: as its manual shows it. Blocking by five fields, Jaro-Winkler on words and equality on numbers, and its ECM
classifier, which is told nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import recordlinkage

Pair = tuple[int, int]


def recordlinkage_pairs(rows: Sequence[Mapping[str, str]]) -> set[Pair]:
    """The pairs it takes for one person's."""
    frame = pd.DataFrame(rows).replace("", None)
    index = recordlinkage.Index()
    for field in ("given_name", "surname", "postcode", "date_of_birth", "soc_sec_id"):
        index.block(field)
    pairs = index.index(frame)
    compare = recordlinkage.Compare()
    for field in ("given_name", "surname", "address_1", "suburb"):
        compare.string(field, field, method="jarowinkler", threshold=0.85, label=field)
    for field in ("street_number", "postcode", "state", "date_of_birth", "soc_sec_id"):
        compare.exact(field, field, label=field)
    features = compare.compute(pairs, frame)
    found = recordlinkage.ECMClassifier(binarize=0.8).fit_predict(features)
    return {(min(a, b), max(a, b)) for a, b in found}
