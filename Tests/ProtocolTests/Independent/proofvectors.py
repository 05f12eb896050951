"""The test vectors of docs/proof-vectors.md, for `proof.py`."""

import blocks
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from proof import (
    Refused,
    branch_id,
    cbor,
    check,
    decode,
    entity_id,
    head_message,
    replica_id,
    sha,
    write,
    zero,
)

VECTORS = {}
START = 1_767_225_600_000
AGREEMENT = bytes.fromhex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")


def counting(start, count):
    return bytes((start + n) % 256 for n in range(count))


class Device:
    """A device that writes a log event by event, and signs any of them."""

    def __init__(self, number, name, trunk=None, at=0):
        self.private = Ed25519PrivateKey.from_private_bytes(counting(number, 32))
        self.key = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.incarnation = counting(number + 64, 16)
        self.replica = replica_id(self.key, self.incarnation)
        self.number = number
        self.headers, self.salts, self.bodies, self.times, self.chain = [], [], [], [0], [zero(self.replica)]
        if trunk:
            for n in range(at):
                self.put(trunk.headers[n], trunk.bodies[n])
        else:
            self.put(START, [8, self.key, AGREEMENT, self.incarnation, name])

    def put(self, header, body):
        """Appends an event, whose header and body may be encoded already. Returns its sequence."""
        header, body = (each if isinstance(each, bytes) else cbor(each) for each in (header, body))
        self.headers.append(header)
        self.bodies.append(body)
        delta = decode(header)[0]
        self.salts.append(sha(b"salt", bytes([self.number, len(self.bodies)]))[:16])
        self.times.append(self.times[-1] + (delta if isinstance(delta, int) else delta[0]))
        self.chain.append(sha(self.chain[-1], header, self.salted(len(self.bodies))))
        return len(self.bodies)

    def salted(self, n):
        return sha(self.salts[n - 1], self.bodies[n - 1])

    def sign(self, n):
        return self.private.sign(head_message(self.replica, n, self.times[n], self.chain[n]))

    def shown(self, n):
        return self.headers[n - 1], self.salts[n - 1], self.bodies[n - 1]

    def hidden(self, n):
        return self.headers[n - 1], self.salted(n)

    def stretch(self, first, last, *shown, signature=True):
        events = [self.shown(n) if n in shown else self.hidden(n) for n in range(first, last + 1)]
        signed = self.sign(last) if signature is True else signature
        return first, self.times[first - 1], self.chain[first - 1], signed, events

    def log(self, *stretches):
        return self.key, self.incarnation, list(stretches)


def vector(name, *pairs):
    assert name not in VECTORS, name
    VECTORS[name] = pairs


def error(data):
    """The error with which a proof is refused."""
    try:
        check(data)
    except Refused as refused:
        return str(refused)
    raise AssertionError("it is read")


laptop, phone, tablet = Device(1, "laptop"), Device(2, "phone"), Device(3, "tablet")
eggos = laptop.put(1_000, [0, 2, 5, "Buy Eggos"])
laptop.put(2_000, [1, eggos, 11, 2026 * 512 + 1 * 32 + 9])
laptop.put(3_000, [9, phone.key, "phone"])
secret = laptop.put(4_000, [0, 2, 5, "Surprise party"])
laptop.put(5_000, [1, secret, 7, True])
laptop.put(6_000, [1, eggos, 5, "Buy waffles"])
twin = laptop.put(7_000, [0, 2, 5, "Buy waffles"])
laptop.put(8_000, [4, twin, 5, [eggos]])
laptop.put(9_000, [10, phone.key, [[phone.replica, 3, phone.chain[1][:16]]]])
laptop.put(1_000, [12, secret, laptop.chain[secret][:16]])
laptop.put(1_000, [11, phone.replica, 1, phone.chain[1][:16]])
laptop.put(1_000, [9, tablet.key, "tablet"])
laptop.put(1_000, [1, eggos, 5])
laptop.put(1_000, [8, laptop.key, AGREEMENT, laptop.incarnation, "again"])
laptop.put([1_000, {}], [1, eggos, 7, False])
phone.put([START, {1: [[laptop.replica, 4, laptop.chain[4][:16]]]}], [18])
phone.put(1_000, [1, [0, eggos], 7, True])
phone.put(1_000, [1, [0, secret], 7, False])
phone.put(1_000, [9, phone.key, "phone"])
phone.put([1_000, {1: [[tablet.replica, 1, tablet.chain[1][:16]]]}], [18])

BOOK = laptop.chain[1][:16]
RECORD = entity_id(laptop.chain[eggos])


def prove(*logs, book=BOOK, record=RECORD):
    return write(book, record, logs)


def good(name, data):
    book, record, shown, hidden, erased = check(data)
    vector(
        f"proof: {name}",
        ("proof", data),
        ("book", book),
        ("record", record),
        ("shown", " ".join(shown)),
        ("hidden", hidden),
        ("erased", " ".join(sorted(each.hex() for each in erased)) or "none"),
    )


OPENING = laptop.stretch(1, 1, 1, signature=None)
FIRST = laptop.stretch(1, 4, 1, 2, 3, 4)
LATER = laptop.stretch(7, 7, 7)
PHONE = phone.stretch(1, 3, 3)
WHOLE = (laptop.log(FIRST, LATER), phone.log(PHONE))

good("two devices", prove(*WHOLE))
good("one chain", prove(laptop.log(laptop.stretch(1, 7, 1, 2, 3, 4, 7)), phone.log(PHONE)))
good("the first event without a signature", prove(laptop.log(OPENING, laptop.stretch(2, 3, 2, 3))))
good("one field", prove(laptop.log(OPENING, laptop.stretch(2, 2, 2), LATER)))
good("joined records", prove(laptop.log(laptop.stretch(1, 3, 1, 2, 3), laptop.stretch(7, 9, 7, 8, 9))))
good("a revoked device", prove(laptop.log(FIRST, laptop.stretch(10, 10, 10)), phone.log(PHONE)))
good(
    "an erased record",
    prove(laptop.log(OPENING, laptop.stretch(5, 5), laptop.stretch(11, 11, 11)), record=entity_id(laptop.chain[5])),
)
copy = Device(1, "laptop", trunk=laptop, at=4)
copy.put(4_500, [1, eggos, 5, "Buy pancakes"])
good("a forked log", prove(laptop.log(laptop.stretch(1, 7, 1, 2, 3, 7)), copy.log(copy.stretch(1, 5, 1, 2, 5))))
forked = Device(4, "ship")
for text in ("a", "b"):
    forked.put(1_000, [0, 2, 5, text])
laptop.put(1_000, [9, forked.key, "ship"])
branched = Device(2, "phone", trunk=phone, at=4)
branched.put([500, {1: [[branch_id(forked.chain[2]), 3, forked.chain[3][:16]]]}], [1, [1, 3], 7, True])
SHIP = laptop.log(OPENING, laptop.stretch(4, 4, 4), laptop.stretch(17, 17, 17))
good(
    "a record of a branch",
    prove(
        SHIP,
        forked.log(forked.stretch(2, 3, 3)),
        branched.log(branched.stretch(1, 5, 5)),
        record=entity_id(forked.chain[3]),
    ),
)


def bad(name, data):
    vector(f"bad proof: {name}", ("proof", data), ("error", error(data)))


GOOD = prove(*WHOLE)


def changed(old, new):
    assert GOOD.count(old) == 1 and len(old) == len(new), name
    return GOOD.replace(old, new)


def with_stretch(*stretches):
    """The good proof with other parts of the laptop's log."""
    return prove(laptop.log(*stretches), phone.log(PHONE))


def with_events(change):
    """The good proof with changed events in its first part."""
    first, time, before, signature, events = FIRST
    events = list(events)
    change(events)
    return with_stretch((first, time, before, signature, events), LATER)


def flipped(data):
    return bytes([data[0] ^ 1]) + data[1:]


def swap(events):
    events[1], events[2] = events[2], events[1]


def swap_bodies(events):
    (a, b), (c, d) = (events[1][:1], events[1][1:]), (events[2][:1], events[2][1:])
    events[1], events[2] = a + d, c + b


# The form of the file.
bad("an empty file", b"")
bad("another magic", changed(b"daybook proof", b"daybook prose"))
bad("version 0", GOOD[:15] + b"\x00" + GOOD[16:])
bad("version 2", GOOD[:15] + b"\x02" + GOOD[16:])
bad("a cut file", GOOD[:60])
bad("a byte too many", GOOD + b"\x00")
bad("a longer number", GOOD[:15] + b"\x18\x01" + GOOD[16:])
bad("an item too few", b"\x84" + GOOD[1:])
bad("no logs", prove())
bad("no stretches", prove(laptop.log(), phone.log(PHONE)))
bad("no events", with_stretch((1, 0, zero(laptop.replica), None, [])))
bad("sequence 0", with_stretch((0,) + FIRST[1:], LATER))
bad("a key of small order", prove((bytes(32), laptop.incarnation, [FIRST, LATER]), phone.log(PHONE)))

# Changed events.
bad("a changed body", changed(b"Buy waffles", b"Buy muffins"))
bad("a changed header", with_events(lambda each: each.__setitem__(1, (cbor(1_001),) + each[1][1:])))
bad("a wrong salt", with_events(lambda each: each.__setitem__(1, (each[1][0], bytes(16), each[1][2]))))
bad("a changed hash of a hidden event", prove(laptop.log(FIRST, LATER), phone.log(
    PHONE[:4] + ([PHONE[4][0], (PHONE[4][1][0], flipped(PHONE[4][1][1])), PHONE[4][2]],))))
bad("a body instead of its hash, with a wrong salt", prove(laptop.log(FIRST, LATER), phone.log(
    PHONE[:4] + ([PHONE[4][0], (phone.headers[1], bytes(16), phone.bodies[1]), PHONE[4][2]],))))
bad("an event left out at the beginning", with_stretch(FIRST[:4] + (FIRST[4][1:],), LATER))
bad("an event left out", with_events(lambda each: each.pop(2)))
bad("an event left out at the end", with_events(lambda each: each.pop()))
bad("an event added at the end", with_events(lambda each: each.append(laptop.hidden(5))))
bad("two events reordered", with_events(swap))
bad("two bodies swapped", with_events(swap_bodies))
bad("an event twice", with_events(lambda each: each.insert(2, each[1])))
bad("an event of another log", with_events(lambda each: each.__setitem__(2, phone.shown(3))))
bad("an event of the future", with_stretch(FIRST, laptop.stretch(8, 8, 8)[:4] + ([laptop.shown(7)],)))

# The places of stretches.
bad("a stretch twice", with_stretch(FIRST, LATER, LATER))
bad("overlapping stretches", with_stretch(FIRST, laptop.stretch(4, 7, 4, 7)))
bad("stretches in reverse", with_stretch(LATER, FIRST))
bad("two events at one position", with_stretch(laptop.stretch(1, 5, 1, 2, 3, 4), copy.stretch(5, 5, 5), LATER))
bad("two versions of an event", prove(copy.log(copy.stretch(1, 5, 1, 2, 3, 4, 5), laptop.stretch(5, 7, 7)), phone.log(PHONE)))
bad("a sequence moved by one", with_stretch(FIRST, (8,) + LATER[1:]))
bad("a time moved", with_stretch(FIRST, (7, LATER[1] + 1) + LATER[2:]))
bad("another chain hash before", with_stretch(FIRST, LATER[:2] + (flipped(LATER[2]),) + LATER[3:]))

# Signatures.
bad("the signature of an earlier event", with_stretch(FIRST[:3] + (laptop.sign(3),) + FIRST[4:], LATER))
bad("a cut log with a later signature", with_stretch(FIRST[:3] + (laptop.sign(7),) + FIRST[4:]))
bad("the signature of another log", with_stretch(FIRST[:3] + (phone.sign(4),) + FIRST[4:], LATER))
bad("a signature by another key", with_stretch(
    FIRST[:3] + (phone.private.sign(head_message(laptop.replica, 4, laptop.times[4], laptop.chain[4])),) + FIRST[4:],
    LATER))
bad("a changed signature", with_stretch(FIRST[:3] + (flipped(FIRST[3]),) + FIRST[4:], LATER))
bad("no signature", with_stretch(FIRST[:3] + (None,) + FIRST[4:], LATER))
bad("no signature of another device's first event", prove(*WHOLE[:1], phone.log(phone.stretch(1, 1, 1, signature=None))))
bad("the key of another device", prove((phone.key, laptop.incarnation, [LATER]), phone.log(PHONE)))

# The book and its devices.
bad("the id of another book", prove(*WHOLE, book=counting(7, 16)))
bad("the first event of a device as the book's", prove(*WHOLE, book=phone.chain[1][:16]))
bad("the founder's first event hidden", with_stretch(laptop.stretch(1, 4, 2, 3, 4), LATER))
bad("another incarnation", prove((laptop.key, counting(9, 16), [FIRST, LATER]), phone.log(PHONE)))
bad("a first event that begins at a later time", with_stretch((1, 5) + FIRST[2:], LATER))
bad("an admission hidden", with_stretch(laptop.stretch(1, 4, 1, 2, 3), LATER))
bad("a device that admitted itself", prove(laptop.log(laptop.stretch(1, 4, 1, 2, 3), LATER), phone.log(
    phone.stretch(1, 5, 3, 5))))
bad("an admission of a device that is not in the file", prove(laptop.log(FIRST, LATER)))
bad("an event that says nothing about the record", with_stretch(FIRST, laptop.stretch(7, 12, 7, 12)))
bad("a second first event", with_stretch(FIRST, laptop.stretch(7, 15, 7, 15)))
liar = Device(5, "liar")
liar.bodies, liar.headers, liar.salts, liar.times, liar.chain = [], [], [], [0], [zero(liar.replica)]
liar.put(START, [8, laptop.key, AGREEMENT, liar.incarnation, "laptop"])
bad("a first event with the key of another device", prove(*WHOLE, liar.log(liar.stretch(1, 1, 1))))

# The record.
bad("the id of another record", prove(*WHOLE, record=counting(3, 16)))
bad("a record whose add is hidden", prove(*WHOLE, record=entity_id(laptop.chain[3])))
bad("the add hidden", with_stretch(laptop.stretch(1, 4, 1, 3, 4), LATER))
bad("an erased record without its erasure", prove(
    laptop.log(OPENING, laptop.stretch(5, 6, 6)), record=entity_id(laptop.chain[5])))
bad("an edit of another record", with_stretch(FIRST, laptop.stretch(5, 7, 6, 7)))
bad("the add of another record", with_stretch(FIRST, laptop.stretch(5, 7, 5, 7)))
bad("another device's edit of another record", prove(*WHOLE[:1], phone.log(phone.stretch(1, 4, 3, 4))))
bad("an alias without the record that it joins", with_stretch(FIRST, LATER, laptop.stretch(9, 9, 9)))
bad("a joined record without its alias", with_stretch(FIRST, laptop.stretch(7, 8, 7, 8)))
bad("an erasure of another record", with_stretch(FIRST, laptop.stretch(7, 11, 7, 11)))
bad("a table that is not in the file", prove(*WHOLE[:1], phone.log(phone.stretch(3, 3, 3))))
bad("a body with a field but no value", with_stretch(FIRST, laptop.stretch(7, 14, 7, 14)))
bad("a header with empty extras", with_stretch(FIRST, laptop.stretch(7, 16, 7)))
other = Device(4, "ship", trunk=forked, at=2)
other.put(2_000, [0, 2, 5, "c"])
named = Device(2, "phone", trunk=phone, at=4)
named.put([500, {1: [[forked.replica, 3, forked.chain[3][:16]]]}], [1, [1, 3], 7, True])
bad("a reference to one of two versions", prove(
    SHIP, forked.log(forked.stretch(2, 3, 3)), other.log(other.stretch(3, 3)), named.log(named.stretch(1, 5, 5)),
    record=entity_id(forked.chain[3])))
bad("a branch whose first command is not in the file", prove(
    SHIP, forked.log(forked.stretch(3, 3, 3)), branched.log(branched.stretch(1, 5, 5)),
    record=entity_id(forked.chain[3])))


def main(path, write_them):
    return blocks.compare(path, VECTORS, write_them)
