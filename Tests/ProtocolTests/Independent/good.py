"""The good vectors: two logs of one story, and the names and files that are made from them."""

import unicodedata

from daybook import Device, Log, branch_id, cbor, deflated, member, salt, sealed, sha, short
from reader import entity_id, state, words
from recovery import counting

VECTORS = {}


def vector(name, *pairs):
    VECTORS[name] = pairs


START = 1_700_000_000_000
desk, phone = Device(1, 2, 3, "desk"), Device(0x11, 0x12, 0x13, "phone")
DESK, PHONE = Log(desk, bytes(range(0x20, 0x30))), Log(phone, bytes(range(0x40, 0x50)))
DESK.add(START, desk.opening())
DESK.add(
    1000, [0, 0, 5, "Ada", 6, "Lovelace", 7, 1815 * 512 + 12 * 32 + 10], when=1_600_000_000_000
)
DESK.add(60_000, [1, 2, 6, "King"])
DESK.add(5, [9, phone.key, "phone"])
DESK.add(1000, [2, 2])
PHONE.add(START + 10_000, phone.opening())
PHONE.add(10_000, [0, 1, 5, "Home", 6, 0x336699], {1: [[desk.id, 2, DESK.hash[2][:16]]]})
PHONE.add(0, [0, 2, 0, "milk-1", 5, "Buy milk", 6, [2], 9, 2])
PHONE.add(10_000, [1, [0, 2], 6, "Byron"])
DESK.add(1000, [3, 2], {1: [[phone.id, 1, PHONE.hash[1][:16]]], 2: 1, 3: 5})
DESK.add(0, [1, 2, 2, "first programmer"])
DESK.add(1000, [12, 2, DESK.hash[2][:16]])
DESK.add(1000, [16, sha(b"a source"), 0])

# The desk's disk is copied after event 5, and the copy's disk is copied after its event 6.
CLONE = DESK.branch(5)
CLONE.add(2000, [1, 2, 6, "Lovelace King"])
SECOND_CLONE = CLONE.branch(6)
CLONE.add(1000, [2, 2])
SECOND_CLONE.add(5000, [1, 2, 5, "Augusta Ada"])


# Section 9.1: the certificate of a key.
def certificate(device):
    def der(tag, *parts):
        content = b"".join(parts)
        length = bytes([len(content)]) if len(content) < 128 else bytes([0x81, len(content)])
        return bytes([tag]) + length + content

    algorithm = der(0x30, der(0x06, b"\x2b\x65\x70"))
    name = der(0x30, der(0x31, der(0x30, der(0x06, b"\x55\x04\x03"), der(0x0C, b"daybook"))))
    dates = der(0x30, der(0x17, b"700101000000Z"), der(0x18, b"99991231235959Z"))
    key = der(0x30, algorithm, der(0x03, b"\0", device.key))
    version = der(0xA0, der(0x02, b"\x02"))
    body = der(0x30, version, der(0x02, b"\x01"), algorithm, name, dates, name, key)
    return der(0x30, body, algorithm, der(0x03, b"\0", device.signing.sign(body)))


vector(
    "certificate",
    ("signing seed", desk.signing_seed),
    ("public key", desk.key),
    ("certificate", certificate(desk)),
)

# Section 2: names.
vector(
    "replica",
    ("signing seed", desk.signing_seed),
    ("public key", desk.key),
    ("agreement seed", desk.agreement_seed),
    ("agreement key", desk.agreement),
    ("incarnation", desk.incarnation),
    ("replica id", desk.id),
)
birthday = entity_id(DESK.hash[2])
vector(
    "names",
    ("chain hash 1", DESK.hash[1]),
    ("book id", DESK.hash[1][:16]),
    ("chain hash 2", DESK.hash[2]),
    ("entity id", birthday),
    ("short id", short(birthday)),
    ("branch hash", DESK.hash[2]),
    ("branch id", branch_id(DESK.hash[2])),
)
vector(
    "short ids",
    *[
        (short(bytes.fromhex(x)), bytes.fromhex(x))
        for x in ("00" * 16, "ff" * 16, "0123456789abcdeffedcba9876543210", "f0" + "00" * 14 + "01")
    ],
)
vector(
    "fingerprint",
    ("public key", desk.key),
    ("SHA-256", sha(desk.key)),
    ("words", words(sha(desk.key))),
)

# Section 3: headers and bodies.
zero16 = bytes(range(16))
HEADERS = [
    ("a plain delta", 5, None),
    ("delta 24", 24, None),
    ("when earlier", 0, {0: -1}),
    ("more", 7, {2: 16383}),
    ("link here", 7, {3: 5}),
    ("link elsewhere", 7, {3: [0, 5]}),
    ("seen by id", 7, {1: [[desk.id, 2, zero16]]}),
    ("seen by index, with holes", 7, {1: [[0, 9, zero16, [2, 1, 4, 3]]]}),
    ("all four", 1 << 32, {0: 1000, 1: [[desk.id, 2, zero16], [0, 3, zero16]], 2: 1, 3: [1, 1]}),
]
vector("headers", *[(n, cbor([d, x] if x else d)) for n, d, x in HEADERS])
ENTRIES = [[bytes([1]) * 16, 1], [bytes([2]) * 16, 2], [bytes([3]) * 16, 0]]
draw = cbor([[0, 11], 3, 2, ENTRIES])
vector(
    "draw",
    ("record", draw),
    ("thrown", "0 11"),
    ("total", 3),
    ("ticket", 2),
    ("choice", bytes([2]) * 16),
)
vector(
    "domain bodies",
    ("add", cbor([0, 0, 5, "Ada"])),
    ("add, from a source", cbor([0, 2, 0, [1, "milk-1"], 5, "Buy milk"])),
    ("add, from an operation log", cbor([0, 2, 0, bytes(range(16)), 5, "Buy milk"])),
    ("edit", cbor([1, 2, 5, None])),
    ("edit elsewhere", cbor([1, [0, 2], 6, [0, 4], 7, True])),
    ("edit, with notes", cbor([1, 2, 3, ["a", "b"], 4, {"k": "v"}, -1, {"line": "3"}, -2, "typo"])),
    ("edit, because", cbor([1, 2, 7, True, -2, "paid at the door"])),
    ("delete, because", cbor([2, 2, -2, "sold"])),
    ("delete", cbor([2, 2])),
    ("restore", cbor([3, [0, 2]])),
    ("alias", cbor([4, 2, 5, [0, 2]])),
)
WITH_TITLE = [1, 2, 5, "Ada"]


def tag_key(text):
    """The key of a tag; Python's Unicode version must assign all characters used here."""
    return unicodedata.normalize("NFC", text).casefold()


def tag(text):
    return 65536 + int.from_bytes(sha(b"daybook tag v1" + tag_key(text).encode())[:6], "big")


TAG_A = tag("a")
# Unicode 16.0 assigns U+1C89, so this text is its own key.
OWN_KEY = "\u1c89E\u0301"
TAGS = ["food", "Food", "Cafe\u0301", "STRASSE", "Straße", "ẞ", "İ", "ı", "Ꮿ", "ꮿ", "Σς", "ﬁ", "買い物"]
vector(
    "tags",
    *[pair for n, text in enumerate(TAGS, 1) for pair in (
        (f"text {n}", text.encode()), (f"key {n}", tag_key(text).encode()), (f"number {n}", tag(text)))],
    (f"text {len(TAGS) + 1}", OWN_KEY.encode()),
    (f"key {len(TAGS) + 1}", OWN_KEY.encode()),
    (f"number {len(TAGS) + 1}", 65536 + int.from_bytes(sha(b"daybook tag v1" + OWN_KEY.encode())[:6], "big")),
)
BEYOND = [
    ("tag", 3, ["a" * 257]),
    ("tags", 3, ["a"] * 65),
    ("weight", 6, (1 << 53) + 1),
    ("largest integer", 6, (1 << 64) - 1),
    ("field", 4096, True),
    ("alternative alone", 262, True),
    ("field below those of tags", 65535, True),
    ("text of a tag", TAG_A, "a" * 257),
    ("field above those of tags", 65536 + (1 << 48), True),
]
WITHIN = [
    ("tags", 3, ["a" * 256] + ["b"] * 63),
    ("weight", 6, 1 << 53),
    ("field", 255, True),
    ("alternative", 3845, "Bea"),
    ("text of a tag", TAG_A, "a" * 256),
    ("number of a tag", 65535 + (1 << 48), False),
    ("note", -1, ["a"] * 65),
]
vector(
    "values beyond the limits",
    *[("too much: " + name, cbor(WITH_TITLE + [field, value])) for name, field, value in BEYOND],
    ("values beyond the limits fold as", cbor(WITH_TITLE)),
    *[("at the limit: " + name, cbor(WITH_TITLE + [field, value])) for name, field, value in WITHIN],
)
ADDED = bytes(range(16))
ENTITY = bytes([*ADDED[:6], ADDED[6] & 15 | 128, ADDED[7], ADDED[8] & 63 | 128, *ADDED[9:]])
vector(
    "several values of one event",
    ("add", cbor([0, 2, 5, "a"])),
    ("hash16 at the add", ADDED),
    ("edit", cbor([1, 2, 5, "b", 261, "c", 255, True])),
    ("document", cbor([ENTITY, 2, True, [], {5: ["b", "c"], 255: [True]}])),
    ("alone", cbor([1, 2, 261, "d"])),
    ("alone is folded as", cbor([1, 2])),
)
LANDMARK = [phone.id, 4, PHONE.hash[4][:16]]
vector(
    "trust bodies",
    ("open", cbor(desk.opening())),
    ("admit", cbor([9, phone.key, "phone"])),
    ("admit, invited", cbor([9, phone.key, "phone", [1, bytes(range(16))]])),
    ("admit, folder", cbor([9, phone.key, "phone", 1, [2, "stick"]])),
    ("revoke", cbor([10, phone.key, [LANDMARK]])),
    ("revoke all", cbor([10, phone.key, []])),
    ("retire", cbor([11] + LANDMARK)),
    ("erase", cbor([12, 2, DESK.hash[2][:16]])),
    ("erase elsewhere", cbor([12, [0, 2], PHONE.hash[2][:16]])),
    ("erase, as of old", cbor([12, 2])),
)
vector(
    "markers",
    ("source", sha(b"a source")),
    ("begin", cbor([16, sha(b"a source"), 0])),
    ("end", cbor([17, sha(b"a source"), 1000])),
    ("observe", cbor([18])),
)
STRIPPED = cbor({0: DESK.salted[2], 1: [desk.id, 8, DESK.hash[8][:16]]})
vector(
    "stripped body",
    ("salted digest", DESK.salted[2]),
    ("erase log", desk.id),
    ("erase sequence", 8),
    ("erase hash", DESK.hash[8][:16]),
    ("body", STRIPPED),
)


# Sections 4 and 5: the chain and its heads.
def log(name, written):
    pairs = [
        ("replica id", written.device.id),
        ("seed of block 0", written.seed),
        ("hash 0", written.hash[0]),
    ]
    for n in range(1, len(written.headers)):
        pairs += [
            (f"header {n}", written.headers[n]),
            (f"body {n}", written.bodies[n]),
            (f"time {n}", written.time[n]),
            (f"salt {n}", written.salts[n]),
            (f"salted {n}", written.salted[n]),
            (f"hash {n}", written.hash[n]),
        ]
    vector(name, *pairs)


log("log of desk", DESK)
log("log of phone", PHONE)
vector(
    "salts of later blocks",
    ("seed", DESK.seed),
    ("salt 64", salt(DESK.seed, 64)),
    ("salt 65", salt(DESK.seed, 65)),
)
vector(
    "head",
    ("signing seed", desk.signing_seed),
    ("replica id", desk.id),
    ("sequence", 7),
    ("time", DESK.time[7]),
    ("chain hash", DESK.hash[7]),
    ("message", DESK.message(7)),
    ("signature", DESK.sign(7)),
)


# Section 6: frames and files of frames.
def frame(name, c, a, b, pack=deflated, replica=desk.id):
    m = member(c, a, b - a + 1, pack, replica)
    vector(name, ("first sequence", a), ("event count", b - a + 1), ("content", c), ("member", m))


frame("frame of the first event", DESK.content(1, 1), 1, 1)
frame("frame of events 2 to 5", DESK.content(2, 5), 2, 5)
frame("frame of a command", DESK.content(6, 7), 6, 7)
frame("sealed frame", DESK.content(1, 7, head=True), 1, 7, sealed)
frame("stripped frame", DESK.content(1, 7, head=True, stripped={2: STRIPPED}), 1, 7, sealed)
NEWER = {2: STRIPPED.replace(b"\xa2", b"\xa3", 1) + cbor(2) + cbor("newer")}
frame(
    "stripped frame by a newer version",
    DESK.content(1, 7, head=True, stripped=NEWER, newer={1: "newer"}),
    1,
    7,
    sealed,
)
frame("frame with the table", DESK.content(8, 8, count=1, table=[phone.id]), 8, 8)
frame("frame with the table's length", DESK.content(9, 9, count=1), 9, 9)
frame("frame of the phone", PHONE.content(1, 4, head=True), 1, 4, sealed, phone.id)

vector(
    "forks",
    ("replica id", desk.id),
    ("last event all share", 5),
    ("hash of the desk at 7", DESK.hash[7]),
    ("branch of the desk", branch_id(DESK.hash[7])),
    ("hash of the clone at 6", CLONE.hash[6]),
    ("branch of both clones", branch_id(CLONE.hash[6])),
    ("last event the clones share", 6),
    ("hash of the first clone at 7", CLONE.hash[7]),
    ("branch of the first clone", branch_id(CLONE.hash[7])),
    ("hash of the second clone at 7", SECOND_CLONE.hash[7]),
    ("branch of the second clone", branch_id(SECOND_CLONE.hash[7])),
)
frame("frame of the clones", CLONE.content(6, 6, head=True), 6, 6, sealed)
frame("frame of the first clone", CLONE.content(7, 7, head=True), 7, 7, sealed)
frame("frame of the second clone", SECOND_CLONE.content(7, 7, head=True), 7, 7, sealed)

FIRST = member(DESK.content(1, 1), 1, 1, deflated, desk.id)


def broken(name, end, damage, *frames):
    vector("file: " + name, ("end", end), ("damage", damage), ("file", b"".join(frames)))


OTHER = Log(desk, DESK.seed)
OTHER.add(START + 1, desk.opening())
OTHER.add(999, [2, 1])
SECOND = member(DESK.content(2, 5), 2, 4, deflated, desk.id)
broken("whole, with zeros at the end", "torn", "none", FIRST, SECOND, bytes(8))
STRANGE = member(OTHER.content(2, 2), 2, 1, deflated, desk.id)
broken(
    "a second frame of another chain",
    "damaged",
    f"tornTail(byteCount: {len(STRANGE)}) at {len(FIRST)}",
    FIRST,
    STRANGE,
)
PHONES = member(PHONE.content(1, 1), 1, 1, deflated, phone.id)
broken(
    "another log's frame",
    "moved",
    f"hole(byteCount: {len(PHONES)}, foreign) at {len(FIRST)}",
    FIRST,
    PHONES,
    SECOND,
)
broken("a torn end", "torn", f"tornTail(byteCount: 40) at {len(FIRST)}", FIRST, SECOND[:40])
broken(
    "zeros before a frame",
    "moved",
    f"hole(byteCount: 4, gzip(notAMember(at: {len(FIRST)}))) at {len(FIRST)}",
    FIRST,
    bytes(4),
    SECOND,
)
broken(
    "a missing frame",
    "sound",
    f"missing(2...5) at {len(FIRST)}",
    FIRST,
    member(DESK.content(6, 7), 6, 2, deflated, desk.id),
)

# Section 7: names on disk.
vector(
    "machine mark",
    ("machine-id", "0123456789abcdef0123456789abcdef"),
    ("mark", sha(b"daybook machine v1", b"0123456789abcdef0123456789abcdef")[:16]),
)
vector(
    "segment names",
    ("000000000001.gz", "1…"),
    ("000000000001-000000000064.gz", "1…64"),
    ("1000000000000-1000000000001.gz", "1000000000000…1000000000001"),
    ("4611686018427387903.gz", "4611686018427387903…"),
    ("4611686018427387904.gz", "none"),
    ("18446744073709551615.gz", "none"),
    ("000000000001-4611686018427387904.gz", "none"),
    ("1.gz", "none"),
    ("000000000000.gz", "none"),
    ("000000000002-000000000001.gz", "none"),
    ("0000000000001.gz", "none"),
    ("000000000001.GZ", "none"),
    (".000000000001.gz.draft", "none"),
)
ORDERS = [
    "1 2 3 4-6 7", "1 2 4 5 6", "2 3", "3 2", "1 2 2 3", "1 3 2", "1 2 4 3 5 6", "1 2 4 3 6",
    "1 2 3-5 4 6", "1 2-4 3-5 6", "1 2 7 4 5 6 3 8", "1 2 3' 3 4", "1 2 3 4' 5", "1 2 3 4' 5'",
]
vector("frames of a tail", *[(order, counting(order)) for order in ORDERS])

# Section 12: the state.
b_id, l_id, t_id = entity_id(DESK.hash[2]), entity_id(PHONE.hash[2]), entity_id(PHONE.hash[3])
docs = [
    [
        b_id,
        0,
        True,
        [],
        {2: ["first programmer"], 5: ["Ada"], 6: ["King", "Byron"], 7: [1815 * 512 + 394]},
    ],
    [l_id, 1, True, [], {5: ["Home"], 6: [0x336699]}],
    [t_id, 2, True, [[0, "milk-1"]], {5: ["Buy milk"], 6: [[l_id]], 9: [2]}],
]
def digest(name, documents):
    hashed = state(documents)
    documents = ("documents", cbor(sorted(documents)))
    vector(name, documents, ("state", hashed), ("digest", sha(hashed)), ("words", words(sha(hashed))))


digest("digest", docs)
# With the branches of the desk's log, none of which has seen the events of the others.
forked = {2: ["first programmer"], 5: ["Augusta Ada"], 6: ["Lovelace King", "Byron"]}
docs[0][4] = {**forked, 7: [1815 * 512 + 394]}
digest("digest of forks", docs)
# Dead documents: three in one bucket, and one each in the buckets before and after it.
ids = [bytes.fromhex(start) + bytes(13) for start in ("7f0000", "7effff", "7f0001", "7f0fff", "7f1000")]
dead = [[id_, 1, False, [], {}] for id_ in ids]
pairs = [(each[0].hex(), sha(cbor(each))) for each in dead]
vector("buckets", *pairs, ("state", state(dead)), ("digest", sha(state(dead))))
vector("digest of nothing", ("state", state([])), ("digest", sha(state([]))))
