"""A model file of a few hundred bytes, written by hand: the largest token of a pair, as one number for the pair."""

from __future__ import annotations

INT64, FLOAT = 7, 1


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: int | str | bytes) -> bytes:
    """One field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def node(kind: str, inputs: list[str], output: str, *attributes: bytes) -> bytes:
    parts = [*(field(1, name) for name in inputs), field(2, output), field(4, kind), *(field(5, one) for one in attributes)]
    return field(1, b"".join(parts))


def integer(name: str, value: int) -> bytes:
    return field(1, name) + field(3, value) + field(20, 2)


def integers(name: str, value: int) -> bytes:
    return field(1, name) + field(8, value) + field(20, 7)


def tensor(place: int, name: str, kind: int) -> bytes:
    shape = field(2, field(1, field(2, "rows")) + field(1, field(2, "columns")))
    return field(place, field(1, name) + field(2, field(1, field(1, kind) + shape)))


def largest_token(*, inputs: tuple[str, ...] = ("input_ids", "attention_mask"), keep: bool = False) -> bytes:
    """A model that answers (rows, 1): the largest id that the mask lets through. With `keep` it answers every token."""
    nodes = [
        node("Cast", [inputs[0]], "ids", integer("to", FLOAT)),
        node("Cast", [inputs[1]], "mask", integer("to", FLOAT)),
        node("Mul", ["ids", "mask"], "logits" if keep else "own"),
    ]
    if not keep:
        nodes.append(node("ReduceMax", ["own"], "logits", integers("axes", 1), integer("keepdims", 1)))
    graph = [*nodes, field(2, "largest"), *(tensor(11, name, INT64) for name in inputs), tensor(12, "logits", FLOAT)]
    return field(1, 7) + field(7, b"".join(graph)) + field(8, field(2, 11))
