"""Values, bodies and headers that protocol.md allows but no honest program writes. Each is counted by its name."""
from codec import Raw, cbor

LAST, MOST = (1 << 62) - 1, (1 << 64) - 1
NEUTRAL = b"\1" + bytes(31)
HALF, NAN = Raw(b"\xf9\x3e\x00"), Raw(b"\xf9\x7e\x00")
UUID = "0a1b2c3d-4e5f-8a6b-9c7d-8e9fa0b1c2d3"
UUID_BYTES = bytes.fromhex(UUID.replace("-", ""))
FIRST_TAG, END_OF_TAGS = 1 << 16, (1 << 16) + (1 << 48)
TAGS = [FIRST_TAG, FIRST_TAG + 5, 1 << 32, END_OF_TAGS - 1]
FIELDS = [2, 3, 4, 5, 5, 5, 5, 6, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 40, 77, 254, 255, *TAGS]
KINDS = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6, 77, MOST]
ODD_FIELDS = {
    "field of an add alone": [0, 1], "note on the event": [-1, -2, -3, -(1 << 63)],
    "alternative of no field": [256, 257, 512, 3841], "field beyond the last": [4096, 4101, FIRST_TAG - 1],
    "field beyond tags": [END_OF_TAGS, END_OF_TAGS + 5, (1 << 63) - 1],
}
TEXTS = ["", "a", "b", "c", "d", "e\u0301", "\u00e9", "\0", "\u202e\U0001f4d3", "line\r\nline", " ", "a" * 300]


def nested(depth, inner=7):
    for _ in range(depth): inner = [inner]
    return inner


# Values, by name, that have an unknown shape, are at or beyond a limit, or look like another value.
VALUES = {
    "null": [None], "nothing at all": [[]], "text at its limit": ["x" * 4096],
    "text beyond its limit": ["x" * 4097, "\u00e9" * 2049], "note at its limit": ["n" * 65536],
    "note beyond its limit": ["n" * 65537],
    "tag at its limit": ["t" * 256], "tag beyond its limit": ["t" * 257, "\u00e9" * 129],
    "texts at their limit": [["t" * 256], ["t"] * 64], "texts beyond their limit": [["t" * 257], ["t"] * 65],
    "texts that are empty": [[""], ["", ""], ["a", "a"]],
    "no reference": [[0], [0, 0], [1 << 62], [0, 1 << 62], [4000, 1], [1, 2, 3], [MOST], [MOST, 1], [-1], [1, -1]],
    "array of an unknown shape": [["a", 1], [[1]], [True], [None], [b""], [1, "a"], ["a", None], nested(30), nested(30, [])],
    "map": [{}, {"k": "v"}, {1: 2}, {Raw(b"\xf5"): 1, 1: 2}, {Raw(b"\xf6"): []}, {"b": 1, "aa": 2, -1: 3}],
    "map at its limit": [{"k": "v" * 4089}], "map beyond its limit": [{"k": "v" * 4090}],
    "bytes": [b"", bytes(16), b"\xff" * 4096], "bytes beyond their limit": [bytes(4097)],
    "draw that reads": [cbor([[0, 11], 3, 2, [[bytes([n]) * 16, 1] for n in (1, 2, 3)]])],
    "integer at an end": [0, -1, 1 << 53, (1 << 63) - 1, -(1 << 63)],
    "integer beyond the weight": [(1 << 53) + 1],
    "integer beyond the signed 64-bit range": [1 << 63, MOST, -(1 << 63) - 1, -(1 << 64)],
    "float": [Raw(bytes.fromhex(n)) for n in ("f93e00", "fa47c35000", "fb3ff199999999999a", "f97e00", "f98000", "f9fc00")],
    "simple value": [Raw(b"\xf7"), Raw(b"\xe0"), Raw(b"\xf8\x20"), Raw(b"\xf8\xff")],
    "tag": [Raw(b"\xc0" + cbor("2026")), Raw(b"\xd8\x25" + cbor(bytes(16))), Raw(b"\xc1\xc1\x01")],
    "big number": [Raw(b"\xc2" + cbor(b"\1" + bytes(8))), Raw(b"\xc3" + cbor(b"\xff" * 9))],
}
SOURCES = {
    "source": ["u1", "u2", "u3", [1, "u1"], [2, "u1"], [4, UUID]], "source of importer 0": [[0, "u1"], [0, "u2"]],
    "source in both forms of a UUID": [UUID, UUID_BYTES, [0, UUID], [0, UUID_BYTES], [1, UUID_BYTES], [1, UUID]],
    "source that is nearly a UUID": [UUID.upper(), UUID + "0", UUID[:-1], UUID.replace("-", ""), "-" * 36, UUID[1:] + "-"],
    "uid of an odd length": ["", "u" * 4096, [1, "u" * 4000], [1, ""]],
    "source of importer 2^64-1": [[MOST, "u1"], [MOST, UUID_BYTES]],
    "uid too long": ["u" * 4097, [1, "u" * 4096]],
    "no source": [b"", bytes(15), bytes(17), [1, bytes(15)], [-1, "u1"], ["u1", 1], [1, "u1", 1], 5, [5], [0, 5], None, {}, True,
                  [1, 2 ** 40], ["u1"], [1, None]],
}
EXTRAS = [{4: 0}, {-1: [1]}, {"x": None}, {b"": {}}, {Raw(b"\xf5"): 1}, {MOST: "newer"}, {24: nested(29), 5: NAN}]
NEWER = [{6: 0}, {-1: [1], 7: "newer"}, {"x": {1: None}}, {MOST: b"n" * 600}, {Raw(b"\xf4"): Raw(b"\xf7")}, {b"k": nested(30)}]
SOURCE_DIGESTS = [bytes([n]) * 32 for n in (1, 2)]


def senseless_trust(key, landmark, reference):
    """Returns bodies of trust events and markers that are invalid or have additional items."""
    id_, sequence, hash16 = landmark
    return [
        [9], [9, key], [9, key[:31], "short"], [9, NEUTRAL, "neutral"], [9, key, 5], [9, "key", "name"],
        [9, key, None], [10, key], [10, key, 5], [10, NEUTRAL, []], [10, key, [[id_, sequence]]], [10, key, [[id_, 0, hash16]]],
        [10, key, [landmark, 7]], [10, key, [[id_, sequence, hash16, 1]]], [10, key, {}], [10, key, [[id_[:15], sequence, hash16]]],
        [11], [11, id_], [11, id_, 0, hash16], [11, id_, LAST + 1, hash16], [11, id_, -1, hash16], [11, id_, sequence, hash16[:8]],
        [12], [12, 0], [12, LAST + 1], [12, [2]], [12, [0, 0]], [12, [1, 2, 3]], [12, "2"], [12, None], [12, -1],
        [13, key], [14], [15, 1, 2], [16], [16, key[:31], 0], [16, key, -1], [17, key], [17, 1, 1], [16, key, HALF],
        [9, key, Raw(b"\xf7")], [12, Raw(b"\xf7")],
    ]


def senseless(reference):
    """Returns invalid bodies of the domain that refer to a record."""
    return [
        [0], [1], [2], [3], [4], [1, reference, 5], [1, reference, "name", 5], [0, "list"], [1, 0, 5, "a"], [1, LAST + 1, 5, "a"], [0, 1, 5],
        [2, [0, 0]], [3, [4000, 2]], [1, [2], 5, "a"], [1, [1, 2, 3], 5, "a"], [0, -1], [0, [1]], [0, None], [2, None], [2, -1], [2, 1, 5],
        [4, reference, 5], [1, reference, 1 << 63, "a"], [1, reference, -(1 << 63) - 1, "a"], [1, reference, 5, "a", None, "b"],
        [1, reference, 5, "a", NAN, "b"], [2, reference, 5], [3, reference, "x", 1], [2, "2"], [1, [MOST, 1], 5, "a"],
    ]


UNKNOWN_VERBS = [5, 6, 7, 13, 14, 15, 19, 20, 21, 22, 23, 24, 255, 256, 1 << 32, MOST]
