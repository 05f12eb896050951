"""Keys and signatures that prove nothing, computed with separate arithmetic, and invalid bodies."""

import hashlib

from daybook import cbor
from good import DESK, LANDMARK, desk, phone, vector
from reader import makes_sense, signs

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def root(square):
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    return x if (x * x - square) % P == 0 else None


def point(y):
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P) % P)
    return x if x is None else (x if x % 2 == 0 else P - x, y)


def add(one, two):
    (x1, y1), (x2, y2) = one, two
    product = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def times(number, what):
    sum_ = (0, 1)
    while number:
        sum_ = add(sum_, what) if number & 1 else sum_
        what, number = add(what, what), number >> 1
    return sum_


def bytes_of(number, sign=0):
    return (number | sign << 255).to_bytes(32, "little")


# A point of the whole group, multiplied by ORDER, is one of the eight points of small order.
TORSION = next(t for y in range(2, 99) if point(y)
               for t in [times(ORDER, point(y))] if times(4, t) != (0, 1))
SMALL = sorted({times(n, TORSION) for n in range(8)}, key=lambda each: (each[1], each[0] & 1))
assert len(SMALL) == 8 and all(times(8, each) == (0, 1) for each in SMALL)
YS = sorted({y for _, y in SMALL})
EDWARDS = [bytes_of(y, sign) for y in YS for sign in (0, 1)]
SECOND = [bytes_of(number, sign) for number in range(P, 2**255) for sign in (0, 1)]
# The same points on the other curve: u = (1 + y) / (1 - y), and 0 for the neutral point, which has no u.
US = sorted({(1 + y) * pow(1 - y, -1, P) % P for y in YS if y != 1} | {0})
MONTGOMERY = [bytes_of(u) for u in US]
SECOND_OF_THOSE = [bytes_of(number) for number in range(P, 2**255)]
assert not any(map(signs, EDWARDS + SECOND)) and signs(desk.key) and signs(phone.key)


def numbered(name, *keys):
    vector(name, *[(str(n), key) for n, key in enumerate(keys, 1)])


numbered("signing keys of small order", *EDWARDS)
numbered("signing keys in a second encoding", SECOND[0], SECOND[2], SECOND[3], *SECOND[-2:])
numbered("agreement keys of small order", *MONTGOMERY, bytes_of(P - 1))
numbered(
    "agreement keys in a second encoding",
    SECOND_OF_THOSE[0],
    SECOND_OF_THOSE[1],
    SECOND_OF_THOSE[-1],
    bytes_of(int.from_bytes(desk.agreement, "little"), 1),
)


def sign(first):
    """A signature with a given R and the scalar 0, which matches only the neutral point."""
    expanded = int.from_bytes(hashlib.sha512(desk.signing_seed).digest()[:32], "little")
    scalar = expanded & ~7 & ~(1 << 255) | 1 << 254
    hashed = hashlib.sha512(first + desk.key + MESSAGE).digest()
    return first + bytes_of(int.from_bytes(hashed, "little") * scalar % ORDER)


MESSAGE = b"daybook"
SIGNED = desk.signing.sign(MESSAGE)
MORE = SIGNED[:32] + bytes_of(int.from_bytes(SIGNED[32:], "little") + ORDER)
vector(
    "signatures",
    ("public key", desk.key),
    ("message", MESSAGE),
    ("good", SIGNED),
    ("good, R is the neutral point", sign(bytes_of(1))),
    ("bad, S is L more", MORE),
    ("bad, R spelt as p + 1", sign(bytes_of(P + 1))),
    ("bad, R is 1 with a sign", sign(bytes_of(1, 1))),
)

WEAK, ODD = EDWARDS[2], bytes(31)
LAST = (1 << 62) - 1
SOURCE = bytes(range(32))
ID, SEQUENCE, HASH = LANDMARK
SENSELESS = [
    ("open, of nothing", [8]),
    ("open, without a name", [8, desk.key, desk.agreement, desk.incarnation]),
    ("open, of a key of small order", [8, WEAK, *desk.opening()[2:]]),
    ("open, of an agreement key of small order", [8, desk.key, bytes(32), desk.incarnation, "desk"]),
    ("open, of a short incarnation", [8, desk.key, desk.agreement, bytes(15), "desk"]),
    ("admit, of nothing", [9]),
    ("admit, without a name", [9, phone.key]),
    ("admit, of a short key", [9, ODD, "phone"]),
    ("admit, of a key of small order", [9, WEAK, "phone"]),
    ("admit, of a key in a second encoding", [9, SECOND[2], "phone"]),
    ("admit, by a number", [9, phone.key, 5]),
    ("revoke, without what is kept", [10, phone.key]),
    ("revoke, with a number kept", [10, phone.key, 5]),
    ("revoke, of a key of small order", [10, WEAK, []]),
    ("revoke, with a landmark of two", [10, phone.key, [[ID, SEQUENCE]]]),
    ("revoke, with a landmark of four", [10, phone.key, [[*LANDMARK, 0]]]),
    ("revoke, with event 0 kept", [10, phone.key, [LANDMARK, [ID, 0, HASH]]]),
    ("retire, of an id alone", [11, ID]),
    ("retire, at event 2^62", [11, ID, LAST + 1, HASH]),
    ("erase, of nothing", [12]),
    ("erase, of event 0", [12, 0]),
    ("erase, of event 2^62", [12, [0, LAST + 1]]),
    ("erase, of a reference as a value", [12, [2]]),
    ("reserved for trust", [13, desk.key]),
    ("begin, of nothing", [16]),
    ("begin, of a short digest", [16, ODD, 0]),
    ("end, without a count", [17, SOURCE]),
    ("end, at -1", [17, SOURCE, -1]),
    ("reserved for markers", [19]),
    ("an unknown verb", [24, 1]),
]
vector("bodies that change nothing", *[(name, cbor(body)) for name, body in SENSELESS])
SENSIBLE = [
    ("open", [*desk.opening(), "newer"]),
    ("admit", [9, phone.key, ""]),
    ("admit, with a naming in a newer form", [9, phone.key, "phone", "newer"]),
    ("admit, with more", [9, phone.key, "phone", 1, "newer"]),
    ("revoke", [10, phone.key, [[ID, LAST, HASH]], "newer"]),
    ("retire", [11, ID, 1, HASH, "newer"]),
    ("erase", [12, LAST]),
    ("erase, with a hash in a newer form", [12, [9, 1], bytes(15), "newer"]),
    ("begin", [16, SOURCE, (1 << 64) - 1, "newer"]),
    ("end", [17, SOURCE, 0]),
]
vector("bodies that make sense", *[(name, cbor(body)) for name, body in SENSIBLE])
assert not any(makes_sense(body) for _, body in SENSELESS)
assert all(makes_sense(body) for _, body in SENSIBLE)

# In a log whose table has one entry.
vector(
    "domain bodies that change nothing",
    *[
        (name, cbor(body))
        for name, body in [
            ("without a target", [0]),
            ("a field without a value", [1, 2, 5]),
            ("a field that is a text", [1, 2, "name", 5]),
            ("a kind that is a text", [0, "list"]),
            ("an edit of event 0", [1, 0, 5, "a"]),
            ("an edit of event 2^62", [1, LAST + 1, 5, "a"]),
            ("a delete of event 0 elsewhere", [2, [0, 0]]),
            ("a restore into a log beyond the table", [3, [1, 2]]),
            ("an edit of a reference as a value", [1, [2], 5, "a"]),
            ("an unknown verb", [7, 2]),
        ]
    ],
)
vector(
    "arrays that are not references",
    *[(name, cbor(value)) for name, value in [
        ("event 0", [0]),
        ("event 0 elsewhere", [0, 0]),
        ("event 2^62", [LAST + 1]),
        ("event 2^62 elsewhere", [0, LAST + 1]),
        ("a log beyond the table", [1, 2]),
        ("three numbers", [0, 2, 3]),
        ("nothing", []),
    ]],
)
