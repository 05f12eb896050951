"""The test vectors of docs/store-vectors.md, for `sealed.py`."""

import struct

import blocks
from sealed import *  # noqa: F403
from sealed import MAGIC, Refused, Reader

VECTORS = {}


def vector(name, *pairs):
    assert name not in VECTORS, name
    VECTORS[name] = pairs


def counting(start, count):
    return bytes((start + n) % 256 for n in range(count))


def error(read, *values):
    """The error with which values are refused."""
    try:
        read(*values)
    except Refused as refused:
        return str(refused)
    raise AssertionError("it is read")


KEY, OTHER = counting(0, 32), counting(100, 32)
BOOK, STORE, REPLICA, HASH = (counting(start, 16) for start in (0x10, 0x30, 0x50, 0x70))

# Section 2: store keys.
for number, key in enumerate([KEY, OTHER, bytes(32)], 1):
    vector(
        f"store key {number}",
        ("key", key),
        ("key id", key_id(key)),
        ("name secrets", hkdf(key, b"daybook name v1", 64)),
        ("salt secret", hkdf(key, b"daybook object salt v1", 32)),
    )

# Section 3: names.
vector(
    "plain names",
    ("package", "k-" + counting(1, 16).hex()),
    ("knock", "p-" + counting(1, 16).hex()),
    ("bell", "bell"),
)
LAST = (1 << 62) - 1
for number, (key, first, last) in enumerate(
    [(KEY, 1, 1), (KEY, 17, 4711), (OTHER, 17, 4711), (KEY, LAST, LAST)], 1
):
    digest = counting(0x90 + number, 16)
    name = seal_name(key, range_bytes(REPLICA, first, last, HASH) + digest)
    assert open_name(key, name) == (REPLICA, first, last, HASH, digest)
    vector(
        f"name {number}",
        ("key", key),
        ("replica", REPLICA),
        ("first", first),
        ("last", last),
        ("hash", HASH),
        ("digest", digest),
        ("name", name),
    )
for number, (key, first, last) in enumerate([(KEY, 1, 1), (OTHER, 17, LAST)], 1):
    name = seal_name(key, range_bytes(REPLICA, first, last, HASH) + counting(0x90, 16), "l")
    assert open_name(key, name) == (REPLICA, first, last, HASH, counting(0x90, 16))
    vector(
        f"name of a loss {number}",
        ("key", key),
        ("replica", REPLICA),
        ("first", first),
        ("last", last),
        ("hash", HASH + counting(0x90, 16)),
        ("name", name),
    )
NAME = seal_name(KEY, range_bytes(REPLICA, 1, 2, HASH) + HASH)


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def respelt(bit):
    _, content = parse_name(NAME)
    return "e-" + letters(flipped(content, bit))


def next_letter(letter):
    alphabet = "abcdefghijklmnopqrstuvwxyz234567"
    return alphabet[alphabet.index(letter) + 1]


for what, text in [
    ("an unknown kind", "x-" + NAME[2:]),
    ("a kind in capitals", "E-" + NAME[2:]),
    ("a letter less", NAME[:-1]),
    ("padding", NAME + "="),
    ("a combining mark after the hyphen", "e-\u0301" + NAME[2:]),
    ("a combining mark instead of two letters", "e-\u0301" + NAME[4:]),
    ("a package with a combining mark", "k-\u0301" + counting(1, 16).hex()[2:]),
    ("capitals", "e-" + NAME[2:].upper()),
    ("a digit that Base32 does not have", NAME[:-2] + "1a"),
    ("an unused bit", NAME[:-1] + next_letter(NAME[-1])),
    ("a package with a digit less", "k-" + counting(1, 16).hex()[1:]),
    ("a package in capitals", "k-" + counting(0xA0, 16).hex().upper()),
    ("the beginning of another key id", respelt(0)),
    ("a changed code", respelt(64)),
    ("changed content", respelt(8 * 88 - 1)),
    ("a name of events as one of a loss", "l-" + NAME[2:]),
    ("first 0", seal_name(KEY, range_bytes(REPLICA, 0, 2, HASH) + HASH)),
    ("last before first", seal_name(KEY, range_bytes(REPLICA, 3, 2, HASH) + HASH)),
    ("last 2^62", seal_name(KEY, range_bytes(REPLICA, 3, 1 << 62, HASH) + HASH)),
]:
    vector(
        "bad name: " + what, ("key", KEY), ("name", text), ("error", error(open_name, KEY, text))
    )

# Section 4: objects.
SIZES = [0, 256, 257, 264, 265, 512, 513, 4004, 65_540, 70_000, 1_000_004, 16 << 20]
vector("padded sizes", *[(str(size), padded_size(size)) for size in SIZES])
WHERE, IDS = (REPLICA, 17, 4711, HASH), BOOK + STORE


def object_pairs(key, where, sealed, name=None):
    replica, first, last, hash16 = where
    return [
        ("key", key),
        ("book", BOOK),
        ("store", STORE),
        ("replica", replica),
        ("first", first),
        ("last", last),
        ("hash", hash16),
        ("name", name or name_of(key, where, sealed)),
        ("object", sealed),
    ]


for number, (key, where, frames) in enumerate(
    [
        (KEY, WHERE, b""),
        (KEY, WHERE, b"one frame"),
        (OTHER, WHERE, b"one frame"),
        (KEY, (REPLICA, 1, LAST, HASH), counting(1, 252)),
        (KEY, WHERE, counting(1, 253)),
        (KEY, WHERE, bytes(400)),
    ],
    1,
):
    sealed = seal(key, IDS, where, frames)
    assert open_object(key, IDS, name_of(key, where, sealed), sealed) == frames
    vector(f"object {number}", *object_pairs(key, where, sealed), ("frames", frames))

GOOD = seal(KEY, IDS, WHERE, b"one frame")


def padded(count, content, size=256):
    return seal_padded(KEY, IDS, WHERE, (struct.pack(">I", count) + content).ljust(size, b"\0"))


def bad_object(what, sealed, name=None, store=IDS):
    name = name or name_of(KEY, WHERE, sealed)
    vector(
        "bad object: " + what,
        ("key", KEY),
        ("book", store[:16]),
        ("store", store[16:]),
        ("name", name),
        ("object", sealed),
        ("error", error(open_object, KEY, store, name, sealed)),
    )


bad_object("the last byte is missing", GOOD[:-1], name_of(KEY, WHERE, GOOD))
bad_object("a byte less than the smallest", GOOD[:-1])
bad_object("a size between two padded ones", padded(256, bytes(256), 261))
bad_object("another magic", b"DBSEAX" + GOOD[6:])
bad_object("a newer version", flipped(GOOD, 56))
bad_object("another key id", flipped(GOOD, 64))
bad_object("a changed salt", flipped(GOOD, 8 * 24))
bad_object("a changed commitment", flipped(GOOD, 8 * 56))
bad_object("a changed byte of the content", flipped(GOOD, 8 * 72))
bad_object("a changed tag", flipped(GOOD, 8 * len(GOOD) - 1))
bad_object("the name of other events", GOOD, name_of(KEY, (REPLICA, 18, 4711, HASH), GOOD))
bad_object("the name of another branch", GOOD, name_of(KEY, (REPLICA, 17, 4711, BOOK), GOOD))
bad_object("another store", GOOD, store=BOOK + BOOK)
bad_object("content longer than the object", padded(253, b""))
bad_object("more padding than needed", padded(9, b"one frame", 272))
bad_object("padding that is not zero", padded(9, b"one frame" + bytes(242) + b"\1"))

# Section 5: the vector of RFC 9180, appendix A.2.1.
RECIPIENT = bytes.fromhex("8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb")
EPHEMERAL = bytes.fromhex("f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600")
MESSAGE, INFO, DATA = b"Beauty is truth, truth beauty", b"Ode on a Grecian Urn", b"Count-0"
recipient = X25519PrivateKey.from_private_bytes(RECIPIENT)
enc, ciphertext = hpke_seal(MESSAGE, public(recipient), EPHEMERAL, INFO, DATA)
assert hpke_open(enc, ciphertext, recipient, INFO, DATA) == MESSAGE
vector(
    "HPKE",
    ("recipient seed", RECIPIENT),
    ("recipient", public(recipient)),
    ("ephemeral seed", EPHEMERAL),
    ("info", INFO),
    ("data", DATA),
    ("message", MESSAGE),
    ("encapsulated", enc),
    ("ciphertext", ciphertext),
)


# Section 6: key packages.
class Device:
    def __init__(self, number):
        self.signing_seed, self.agreement_seed = bytes([number]) * 32, bytes([number + 1]) * 32
        self.signing = Ed25519PrivateKey.from_private_bytes(self.signing_seed)
        self.agreement = X25519PrivateKey.from_private_bytes(self.agreement_seed)
        self.key, self.agreement_key = public(self.signing), public(self.agreement)


DESK, PHONE, THIEF, TABLET = Device(0x01), Device(0x11), Device(0x21), Device(0x31)
PACKAGERS, TIME = {DESK.key, PHONE.key, THIEF.key}, 1_700_000_000_000
ORIGIN = make_origin(BOOK, KEY, TIME, DESK.signing, [THIEF.key])
FIRST = make_package(KEY, ORIGIN, DESK.signing, [DESK.agreement_key, PHONE.agreement_key])
ADDED = make_package(KEY, ORIGIN, PHONE.signing, [TABLET.agreement_key])
ALONE_ORIGIN = make_origin(BOOK, OTHER, 0, PHONE.signing, [])
ALONE = make_package(OTHER, ALONE_ORIGIN, PHONE.signing, [PHONE.agreement_key])


def package_pairs(key, origin, packager, recipients, package):
    return [
        ("key", key),
        ("book", BOOK),
        ("time", origin[2]),
        ("maker seed", (DESK if origin[3] == DESK.key else PHONE).signing_seed),
        ("revoked", b"".join(origin[4])),
        ("packager seed", packager.signing_seed),
        ("agreement seeds", b"".join(each.agreement_seed for each in recipients)),
        ("package", package),
        ("name", package_name(package)),
    ]


for number, (key, origin, packager, recipients, package) in enumerate(
    [
        (KEY, ORIGIN, DESK, [DESK, PHONE], FIRST),
        (KEY, ORIGIN, PHONE, [TABLET], ADDED),
        (OTHER, ALONE_ORIGIN, PHONE, [PHONE], ALONE),
    ],
    1,
):
    for device in recipients:
        opened = open_package(package, package_name(package), BOOK, PACKAGERS, device.agreement)
        assert opened == (key, origin)
    vector(f"package {number}", *package_pairs(key, origin, packager, recipients, package))


def bad_package(what, package, reader=PHONE, name=None):
    name = name or package_name(package)
    vector(
        "bad package: " + what,
        ("book", BOOK),
        ("packagers", b"".join(sorted(PACKAGERS))),
        ("agreement seed", reader.agreement_seed),
        ("name", name),
        ("package", package),
        ("error", error(open_package, package, name, BOOK, PACKAGERS, reader.agreement)),
    )


NAMED, WRAPS, SALT, SEALED = read_package(FIRST, package_name(FIRST))
STATEMENT = make_statement(ORIGIN, DESK.signing, WRAPS)


def stating(statement=STATEMENT, wraps=WRAPS, **fault):
    return seal_package(KEY, wraps, statement, **fault)


def changed_origin(**fields):
    origin = list(ORIGIN)
    for name, value in fields.items():
        origin[int(name[1:])] = value
    return origin


def stating_origin(packager=DESK, **fields):
    return stating(make_statement(changed_origin(**fields), packager.signing, WRAPS))


def wrapping(change):
    return stating(wraps=[change(wrap) for wrap in WRAPS])


bad_package("the name of another package", FIRST, name=package_name(ADDED))
bad_package("cut short by a byte under its name", FIRST[:-1], name=package_name(FIRST))
bad_package("cut short by a byte", FIRST[:-1])
bad_package("a byte more", FIRST + b"\0")
bad_package("a version in two bytes", b"\x85\x18\1" + FIRST[2:])
bad_package("a newer version", stating(version=2))
bad_package("four elements", b"\x84" + FIRST[1:])
bad_package("a map", b"\xa5" + FIRST[1:])
bad_package("a short key id", cbor([1, NAMED[:15], WRAPS, SALT, SEALED]))
bad_package("no recipients", stating(wraps=[]))
bad_package("recipients in the wrong order", stating(wraps=WRAPS[::-1]))
bad_package("a recipient twice", stating(wraps=[WRAPS[0], WRAPS[0]]))
bad_package("not for this device", FIRST, TABLET)
bad_package(
    "a wrapped key that was changed",
    wrapping(lambda wrap: [wrap[0], wrap[1], flipped(wrap[2], 0)]),
)
bad_package(
    "a key of the exchange of small order", wrapping(lambda wrap: [wrap[0], bytes(32), wrap[2]])
)
ELSEWHERE = make_origin(STORE, KEY, TIME, DESK.signing, [])
bad_package(
    "a key for another book", make_package(KEY, ELSEWHERE, DESK.signing, [PHONE.agreement_key])
)
bad_package("the id of another key", stating(
    wraps=sorted([recipient_id(each.agreement_key, key_id(OTHER)),
                  *hpke_seal(KEY, each.agreement_key, counting(1, 32),
                             b"daybook key v1" + BOOK + key_id(OTHER), b"")]
                 for each in (DESK, PHONE)), named=key_id(OTHER)))
bad_package("a changed salt", cbor([1, NAMED, WRAPS, flipped(SALT, 0), SEALED]))
bad_package("a changed statement", cbor([1, NAMED, WRAPS, SALT, flipped(SEALED, 0)]))
bad_package("a statement without a tag", cbor([1, NAMED, WRAPS, SALT, b""]))
bad_package("a statement with a byte more", stating(STATEMENT + b"\0"))
bad_package("a short book id", stating_origin(_0=BOOK[:15]))
bad_package("a time of 2^63", stating_origin(_2=1 << 63))
bad_package("a revoked key of small order", stating_origin(_4=[bytes(32)]))
bad_package("a revoked key twice", stating_origin(_4=[THIEF.key] * 2))
bad_package("the origin of another key", stating(make_statement(ALONE_ORIGIN, DESK.signing, WRAPS)))
bad_package("a list of revoked keys that its maker did not sign", stating_origin(_4=[]))
bad_package("a changed time", stating_origin(_2=TIME + 1))
bad_package("the statement of another package", stating(
    make_statement(ORIGIN, PHONE.signing, WRAPS[:1])))
bad_package("the origin of another book", stating(make_statement(ELSEWHERE, DESK.signing, WRAPS)))
bad_package("a packager who is no member", stating_origin(packager=TABLET))

# Section 7: the key ring.
HELD = [KEY, ORIGIN]
HELD_ALONE = [OTHER, ALONE_ORIGIN]


def ring(*keys, book=BOOK, version=1):
    return cbor([version, book, list(keys)])


for number, keys in enumerate([[], [HELD_ALONE], [HELD_ALONE, HELD]], 1):
    assert read_ring(ring(*keys)) == (BOOK, [tuple(key) for key in keys])
    vector(f"ring {number}", ("book", BOOK), ("ring", ring(*keys)))
for what, content in [
    ("empty", b""),
    ("a newer version", ring(version=2)),
    ("a byte more", ring() + b"\0"),
    ("a short key", ring([KEY[:31], ORIGIN])),
    ("keys in the wrong order", ring(HELD, HELD_ALONE)),
    ("a key twice", ring(HELD, HELD)),
    ("another key than the origin names", ring([OTHER, ORIGIN])),
    ("another book", ring(HELD, book=STORE)),
]:
    vector("bad ring: " + what, ("ring", content), ("error", error(read_ring, content)))

FIT = [
    ("the maker is a member, and all revoked devices are known", [DESK, PHONE], [THIEF]),
    ("nobody is revoked", [DESK, PHONE], []),
    ("the maker is no member", [PHONE], []),
    ("the maker is revoked", [DESK, PHONE], [DESK]),
    ("a revoked device is not in the list", [DESK, PHONE], [THIEF, PHONE]),
]
for number, (_, admitted, revoked) in enumerate(FIT, 1):
    admitted, revoked = [b"".join(sorted(each.key for each in group)) for group in (admitted, revoked)]
    sets = [{joined[at : at + 32] for at in range(0, len(joined), 32)} for joined in (admitted, revoked)]
    vector(
        f"fit {number}",
        ("ring", ring(HELD)),
        ("admitted", admitted),
        ("revoked", revoked),
        ("fit", "yes" if is_fit(ORIGIN, *sets) else "no"),
    )

# Section 10: joining through a store.
INVITED = counting(0xC0, 16)
for number, place in enumerate(
    [["/home/ada/cloud"], [""], ["s3://bucket/daybook", "https://s3.example.org:443", "eu-1", True]], 1
):
    text = store_invitation(cbor([DESK.key, INVITED, BOOK, STORE, place]))
    assert read_store_invitation(text) == (DESK.key, INVITED, BOOK, STORE, place)
    vector(
        f"store invitation {number}",
        ("key", DESK.key),
        ("secret", INVITED),
        ("book", BOOK),
        ("store", STORE),
        *(pair for pair in zip(["place", "endpoint", "region", "paths"], place) if pair[1]),
        ("invitation", text.lower()),
    )
SECRET = Secret(INVITED, BOOK, STORE, DESK.key)
PLACE = [("secret", INVITED), ("book", BOOK), ("store", STORE), ("inviter", DESK.key)]
vector(
    "knock secrets",
    *PLACE,
    ("name secret", SECRET.naming),
    ("salt secret", SECRET.salting),
    ("seal secret", SECRET.sealing),
    ("secret name", SECRET.name),
    ("knock", SECRET.object_name(KNOCK)),
    ("answer", SECRET.object_name(ANSWER)),
)
for number, name in enumerate(["phone", "\u00e9" * 50], 1):
    knock = make_knock(SECRET, PHONE.signing, PHONE.agreement_key, name)
    assert read_knock(SECRET, knock) == (PHONE.key, PHONE.agreement_key, name)
    vector(
        f"knock {number}",
        *PLACE,
        ("signing seed", PHONE.signing_seed),
        ("agreement seed", PHONE.agreement_seed),
        ("name", name),
        ("knock", knock),
    )
for number, (outcome, key, name) in enumerate([(0, PHONE.key, "phone 2"), (9, None, "")], 1):
    answer = make_answer(SECRET, DESK.signing, outcome, key, name)
    assert read_answer(SECRET, answer) == (outcome, key, name)
    vector(
        f"answer {number}",
        *PLACE,
        ("inviter seed", DESK.signing_seed),
        ("outcome", outcome),
        *(pair for pair in [("key", key), ("name", name)] if pair[1]),
        ("answer", answer),
    )
GOOD_KNOCK = make_knock(SECRET, PHONE.signing, PHONE.agreement_key, "phone")
FIELDS = [PHONE.key, PHONE.agreement_key, "phone"]
SIGNED = PHONE.signing.sign(SECRET.knock_message(*FIELDS))


def knocking(*items):
    return SECRET.seal(KNOCK, cbor(list(items)))


for what, knock in [
    ("a byte less", GOOD_KNOCK[:-1]),
    ("a later version", b"DBKNOCK\x02" + GOOD_KNOCK[8:]),
    ("a changed salt", flipped(GOOD_KNOCK, 64)),
    ("a changed bit", flipped(GOOD_KNOCK, 8 * 312 - 1)),
    ("another secret", make_knock(Secret(counting(0xD0, 16), BOOK, STORE, DESK.key),
                                  PHONE.signing, PHONE.agreement_key, "phone")),
    ("another book", make_knock(Secret(INVITED, STORE, STORE, DESK.key),
                                PHONE.signing, PHONE.agreement_key, "phone")),
    ("another inviter", make_knock(Secret(INVITED, BOOK, STORE, THIEF.key),
                                   PHONE.signing, PHONE.agreement_key, "phone")),
    ("an answer", make_answer(SECRET, DESK.signing, 0, PHONE.key, "phone")),
    ("a length beyond the padding", SECRET.seal_padded(KNOCK, (253).to_bytes(4, "big") + bytes(252))),
    ("padding", SECRET.seal_padded(KNOCK, bytes(255) + b"\x01")),
    ("too few items", knocking(PHONE.key, PHONE.agreement_key, "phone")),
    ("a longer array", SECRET.seal(KNOCK, b"\x98" + cbor([*FIELDS, SIGNED]))),
    ("more after the array", SECRET.seal(KNOCK, cbor([*FIELDS, SIGNED]) + b"\0")),
    ("an empty name", make_knock(SECRET, PHONE.signing, PHONE.agreement_key, "")),
    ("a name of 101 bytes", make_knock(SECRET, PHONE.signing, PHONE.agreement_key, "x" * 101)),
    ("a control character", make_knock(SECRET, PHONE.signing, PHONE.agreement_key, "a\nb")),
    ("a signing key of small order", knocking(bytes(32), PHONE.agreement_key, "phone", SIGNED)),
    ("an agreement key of small order", knocking(PHONE.key, bytes(32), "phone", SIGNED)),
    ("the signature of another name", knocking(PHONE.key, PHONE.agreement_key, "other", SIGNED)),
    ("the signature of another device", knocking(TABLET.key, PHONE.agreement_key, "phone", SIGNED)),
]:
    vector("bad knock: " + what, *PLACE, ("knock", knock), ("error", error(read_knock, SECRET, knock)))
for bit in range(8 * 312):
    assert error(read_knock, SECRET, flipped(GOOD_KNOCK, bit)) in ("magic", "tag"), bit
for what, answer in [
    ("a knock", GOOD_KNOCK),
    ("signed by another device", make_answer(SECRET, THIEF.signing, 0, PHONE.key, "phone")),
    ("a key of small order", SECRET.seal(ANSWER, cbor([0, bytes(32), "phone", bytes(64)]))),
    ("a name of 129 bytes", SECRET.seal(ANSWER, cbor([8, None, "x" * 129, bytes(64)]))),
    ("another outcome", SECRET.seal(ANSWER, cbor(
        [0, PHONE.key, "", DESK.signing.sign(SECRET.answer_message(12, PHONE.key, ""))]))),
]:
    vector(
        "bad answer: " + what, *PLACE, ("answer", answer), ("error", error(read_answer, SECRET, answer))
    )

# Limits, which are checked here only: the vectors would be too long for the document.
LARGE = GOOD.ljust((16 << 20) + (1 << 19) + 88, b"\0")
assert error(open_object, KEY, IDS, name_of(KEY, WHERE, LARGE), LARGE) == f"size({len(LARGE)})"


def read_named(package):
    return read_package(package, package_name(package))


for limit, read in [(1 << 20, read_named), (64 << 20, read_ring)]:
    assert error(read, bytes(limit)) == "content(wrongType(expected: array, at: 0))"
    assert error(read, bytes(limit + 1)) == f"tooLong({limit + 1})"


def many(count):
    return [n.to_bytes(32, "big") for n in range(1, count + 1)]


def packaging(count):
    return cbor([1, NAMED, [[each[16:], each, bytes(48)] for each in many(count)], SALT, SEALED])


def revoking(count):
    return ring([KEY, make_origin(BOOK, KEY, 0, DESK.signing, many(count))])


def holding(count):
    return ring(*([key, [BOOK, key_id(key), time, DESK.key, [], bytes(64)]]
                  for time, key in enumerate(many(count))))


assert len(read_named(packaging(4096))[1]) == 4096
assert error(read_named, packaging(4097)) == "content(tooMany(at: 19))"
assert len(read_ring(revoking(16384))[1][0][1][4]) == 16384
assert error(read_ring, revoking(16385)) == "content(tooMany(at: 125))"
assert len(read_ring(holding(4096))[1]) == 4096
assert error(read_ring, holding(4097)) == "content(tooMany(at: 19))"


def main(path, write):
    unknown = sorted(blocks.names(path) - set(VECTORS))
    for name in unknown:
        print("unknown:", name)
    return blocks.compare(path, VECTORS, write) or (1 if unknown else 0)
