"""Small frames: one with additions of a newer version, and bad ones with one fault each."""

import daybook
from daybook import cbor, deflated, sealed, stored
from good import desk, frame, vector

ZERO32, ZERO16 = bytes(32), bytes(16)


def information(**changes):
    """The information of the small frame; `_n` replaces the value of key n, and `...` removes it."""
    items = {0: 0, 2: ZERO32, 3: [ZERO16]}
    items.update((int(name[1:]), value) for name, value in changes.items())
    return cbor({key: value for key, value in items.items() if value is not ...})


EVENT = b"\x05" + cbor([2, 1])
SMALL = information() + EVENT
AT = len(information())
frame("small frame", SMALL, 2, 2, stored)
frame(
    "small frame with newer information and extras",
    information(_9="newer") + cbor([5, {9: "newer"}]) + cbor([2, 1]),
    2,
    2,
    stored,
)


def member(content, first, count, pack=stored, **fault):
    return daybook.member(content, first, count, pack, desk.id, **fault)


def bad(name, error, frame):
    vector("bad: " + name, ("error", error), ("member", frame))


def content(name, error, bytes_, count=1, first=2, pack=stored):
    bad(name, error, member(bytes_, first, count, pack))


GOOD = member(SMALL, 2, 1)
bad("magic", "gzip(notAMember(at: 0))", b"\x1e" + GOOD[1:])
bad(
    "a header constant (MTIME is 1)",
    "gzip(notAMember(at: 0))",
    member(SMALL, 2, 1, start=b"\x1f\x8b\x08\x06\1\0\0\0\0\xff"),
)
bad("header CRC", "gzip(headerChecksum(at: 0))", member(SMALL, 2, 1, header_crc=1))
bad("first sequence, one bit changed", "gzip(headerChecksum(at: 0))", GOOD[:21] + b"\x03" + GOOD[22:])
bad(
    "a longer extra field",
    "envelope",
    member(SMALL, 2, 1, label=b"DB\x1a\0", more=b"\0"),
)
bad("another subfield", "envelope", member(SMALL, 2, 1, label=b"DX\x19\0"))
bad("version 0", "version(0)", member(SMALL, 2, 1, version=0))
bad("version 2", "version(2)", member(SMALL, 2, 1, version=2))
bad("no events", "envelope", member(SMALL, 2, 0))
bad("sequence 0", "envelope", member(SMALL, 0, 1))
bad("sequence 2^62", "envelope", member(SMALL, 1 << 62, 1))
bad("events up to 2^62", "envelope", member(SMALL + EVENT, (1 << 62) - 1, 2))
bad("more events than bytes", "envelope", member(SMALL, 2, 1398102))
bad("a member beyond the frame limit", "envelope", member(SMALL, 2, 1, length=2 << 20))
bad("member length, one too many", "length", member(SMALL, 2, 1, length=1) + b"\0")
bad("member length, one too few", "gzip(truncated(at: 0))", member(SMALL, 2, 1, length=-1))
bad("cut short by a byte", "length", GOOD[:-1])
bad("content CRC", "gzip(contentChecksum(at: 0))", member(SMALL, 2, 1, crc=1))
bad("ISIZE", "gzip(contentLength(at: 0))", member(SMALL, 2, 1, isize=1))
bad(
    "a deflate block of an invalid type",
    "gzip(deflate(code: -3, at: 0))",
    member(SMALL, 2, 1, pack=lambda c: b"\x07" + stored(c)[1:]),
)
bad(
    "a bomb",
    "gzip(bomb(at: 0))",
    member(information() + b"\x05" + cbor([2, 1, 2, bytes(1 << 16)]), 2, 1, pack=sealed),
)

content(
    "a delta in more bytes than necessary",
    f"content(notShortest(at: {AT}))",
    information() + b"\x18\x05" + cbor([2, 1]),
)
content(
    "a body in more bytes than necessary",
    f"content(notShortest(at: {AT + 2}))",
    information() + b"\x05\x82\x18\x02\x01",
)
content(
    "a body of indefinite length",
    f"content(indefinite(at: {AT + 1}))",
    information() + b"\x05\x9f\x02\x01\xff",
)
content(
    "a text that is not UTF-8",
    f"content(invalidText(at: {AT + 5}))",
    information() + b"\x05\x84\x01\x01\x05\x61\xff",
)
content(
    "a break alone",
    f"content(indefinite(at: {AT + 3}))",
    information() + b"\x05\x82\x02\xff",
)
content(
    "a simple value that fits one byte",
    f"content(reserved(at: {AT + 5}))",
    information() + b"\x05\x84\x01\x01\x05\xf8\x1f",
)
content(
    "an array that lacks an item",
    f"content(truncated(at: {AT + 4}))",
    information() + b"\x05\x82\x81\x01",
)
content(
    "a value 33 deep",
    f"content(tooDeep(at: {AT + 36}))",
    information() + b"\x05\x84\x01\x01\x05" + b"\x81" * 33 + b"\x01",
)
content(
    "a reserved item head",
    f"content(reserved(at: {AT}))",
    information() + b"\x1c" + cbor([2, 1]),
)
content(
    "more items than bytes",
    f"content(tooMany(at: {AT + 5}))",
    information() + b"\x05\x84\x01\x01\x05\x98\xff\x01",
)
content(
    "a header of three",
    f"content(wrongLength(expected: 2, at: {AT}))",
    information() + b"\x83\x05\xa1\x00\x01\x00" + cbor([2, 1]),
)
content(
    "a negative delta",
    f"content(wrongType(expected: unsigned, at: {AT}))",
    information() + b"\x20" + cbor([2, 1]),
)
content(
    "extras in the wrong order",
    f"content(unsortedKeys(at: {AT + 5}))",
    information() + b"\x82\x05\xa2\x03\x01\x00\x01" + cbor([2, 1]),
)
content(
    "extras twice",
    f"content(duplicateKey(at: {AT + 5}))",
    information() + b"\x82\x05\xa2\x00\x01\x00\x01" + cbor([2, 1]),
)
content(
    "extras that are empty",
    f"content(truncated(at: {AT + 2}))",
    information() + b"\x82\x05\xa0" + cbor([2, 1]),
)
content(
    "more that is 0",
    f"content(outOfRange(at: {AT + 4}))",
    information() + b"\x82\x05\xa1\x02\x00" + cbor([2, 1]),
)


def with_extras(extras):
    return information() + cbor([5, extras]) + cbor([2, 1])


content("seen that is empty", f"content(tooMany(at: {AT + 4}))", with_extras({1: []}))
content(
    "seen of two",
    f"content(wrongLength(expected: 3, at: {AT + 5}))",
    with_extras({1: [[ZERO16, 1]]}),
)
content(
    "seen of five",
    f"content(wrongLength(expected: 3, at: {AT + 5}))",
    with_extras({1: [[ZERO16, 1, ZERO16, [1, 1], 0]]}),
)
content(
    "seen of half a log id",
    f"content(wrongLength(expected: 16, at: {AT + 6}))",
    with_extras({1: [[ZERO16[:8], 1, ZERO16]]}),
)
content(
    "seen of sequence 2^62",
    f"content(outOfRange(at: {AT + 5 + 1 + 17}))",
    with_extras({1: [[ZERO16, 1 << 62, ZERO16]]}),
)
content(
    "a missing range of nothing",
    f"content(outOfRange(at: {AT + 42}))",
    with_extras({1: [[ZERO16, 9, ZERO16, [2, 0]]]}),
)
content("a link to event 0", f"content(outOfRange(at: {AT + 4}))", with_extras({3: 0}))
content(
    "a link of three",
    f"content(wrongLength(expected: 2, at: {AT + 4}))",
    with_extras({3: [0, 1, 1]}),
)
content(
    "a link to event 2^62",
    f"content(outOfRange(at: {AT + 4}))",
    with_extras({3: [0, 1 << 62]}),
)
content("a link into a log beyond the table", "header(sequence: 2)", with_extras({3: [0, 1]}))
content(
    "seen of sequence 0",
    f"content(outOfRange(at: {AT + 5 + 1 + 17}))",
    with_extras({1: [[ZERO16, 0, ZERO16]]}),
)
content(
    "a missing range beyond the sequence",
    f"content(outOfRange(at: {AT + 42}))",
    with_extras({1: [[ZERO16, 9, ZERO16, [9, 2]]]}),
)
content(
    "missing ranges that touch",
    f"content(outOfRange(at: {AT + 44}))",
    with_extras({1: [[ZERO16, 9, ZERO16, [2, 1, 3, 1]]]}),
)
content(
    "missing ranges with an odd end",
    f"content(wrongLength(expected: 2, at: {AT + 41}))",
    with_extras({1: [[ZERO16, 9, ZERO16, [2, 1, 3]]]}),
)
content(
    "missing ranges of none",
    f"content(wrongLength(expected: 2, at: {AT + 41}))",
    with_extras({1: [[ZERO16, 9, ZERO16, []]]}),
)
content("an index beyond the table", "header(sequence: 2)", with_extras({1: [[0, 1, ZERO16]]}))
content("a link to itself", "header(sequence: 2)", with_extras({3: 2}))
content(
    "a time beyond 63 bits",
    "header(sequence: 2)",
    information() + cbor((1 << 64) - 1) + cbor([2, 1]),
)

content(
    "a when beyond 63 bits",
    "header(sequence: 2)",
    information(_1=(1 << 63) - 1) + cbor([5, {0: 1}]) + cbor([2, 1]),
)

content(
    "a when beyond 64 bits",
    f"content(outOfRange(at: {AT + 4}))",
    with_extras({0: 1 << 63}),
)
content(
    "a when before the frame beyond 64 bits",
    "content(outOfRange(at: 4))",
    information(_1=1 << 63) + EVENT,
)

content("more cut off", "command(sequence: 2)", with_extras({2: 1}))
content("more cut off after two events", "command(sequence: 3)", with_extras({2: 2}) + EVENT, 2)
content(
    "more within a command",
    "command(sequence: 3)",
    information() + (cbor([5, {2: 1}]) + cbor([2, 1])) * 2,
    2,
)
content("a command of too many events", "command(sequence: 2)", with_extras({2: 16384}))

content("one seed too few", "secrets(block: 0)", information(_3=[]) + EVENT)
content("one seed for two blocks", "secrets(block: 1)", information() + EVENT + EVENT, 2, first=128)
content("one seed too many", "secrets(block: 0)", information(_3=[ZERO16, ZERO16]) + EVENT)
content("one salt too many", "secrets(block: 0)", information(_3=[[ZERO16, ZERO16]]) + EVENT)
content("no salt for a body", "secrets(block: 0)", information(_3=[[None]]) + EVENT)
STRIPPED = b"\x05" + cbor({0: ZERO32, 1: [ZERO16, 1, ZERO16]})
content("a seed for a stripped body", "secrets(block: 0)", information() + STRIPPED)
content("salts of no events", f"content(tooMany(at: {AT - 17}))", information(_3=[[]]) + EVENT)
content(
    "a first event that is stripped",
    "secrets(block: 0)",
    information(_3=[[None]]) + STRIPPED,
    first=1,
)
content("a redundant when", "information", information(_1=0) + EVENT)
content("a table of no logs", "information", information(_4=0) + EVENT)
content("a table of another length", "information", information(_4=2, _5=[ZERO16]) + EVENT)
content("a table without its length", "information", information(_5=[ZERO16]) + EVENT)
content("no time", "information", information(_0=...) + EVENT)
content("no chain hash", "information", information(_2=...) + EVENT)

content("a first event that is not open", "body(sequence: 1)", SMALL, first=1)
for what, keys in [
    ("of a key of small order", [bytes(32), desk.agreement]),
    ("of a key in a second encoding", [b"\xed" + b"\xff" * 31, desk.agreement]),
    ("of an agreement key of small order", [desk.key, bytes(32)]),
]:
    opening = cbor([8, *keys, desk.incarnation, "desk"])
    content("an open " + what, "body(sequence: 1)", information() + b"\x05" + opening, first=1)
content("an open of nothing", "body(sequence: 1)", information() + b"\x05\x81\x08", first=1)
content(
    "an open that is not first", "body(sequence: 2)", information() + b"\x05" + cbor(desk.opening())
)
content(
    "a body that is a text",
    f"content(wrongType(expected: array, at: {AT + 1}))",
    information() + b"\x05" + cbor("text"),
)
content(
    "a verb that is a text",
    f"content(wrongType(expected: unsigned, at: {AT + 2}))",
    information() + b"\x05" + cbor(["add", 1]),
)
content("a body without a verb", f"content(truncated(at: {AT + 1}))", information() + b"\x05\x80")
content(
    "a stripped body of one key",
    "body(sequence: 2)",
    information(_3=[[None]]) + b"\x05" + cbor({0: ZERO32}),
)
content(
    "a stripped body of 1,025 bytes",
    "body(sequence: 2)",
    information(_3=[[None]]) + b"\x05" + cbor({0: ZERO32, 1: [ZERO16, 1, ZERO16], 2: bytes(948)}),
    pack=deflated,
)

content("a count one too small", f"content(wrongType(expected: map, at: {AT + 4}))", SMALL + EVENT)
content("a count one too large", f"content(truncated(at: {AT + 4}))", SMALL, 2)
content(
    "a head of another key",
    f"content(outOfRange(at: {AT + 5}))",
    SMALL + cbor({1: bytes(64)}),
)
content(
    "a head of no keys", f"content(wrongLength(expected: 1, at: {AT + 4}))", SMALL + cbor({})
)
content(
    "a head of 1,025 bytes",
    f"content(tooMany(at: {AT + 4}))",
    SMALL + cbor({0: bytes(64), 1: bytes(953)}),
    pack=deflated,
)
content(
    "a signature of 63 bytes",
    f"content(wrongLength(expected: 64, at: {AT + 6}))",
    SMALL + cbor({0: bytes(63)}),
)
content("something after the head", "trailing", SMALL + cbor({0: bytes(64)}) + b"\x00")
