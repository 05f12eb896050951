"""Reads and writes proofs according to docs/proof-format.md, from its text alone.

    python3 proof.py [--write] ../../../docs/proof-vectors.md
    python3 proof.py FILE

Computes the test vectors, checks that each good one is read and each bad one refused with its error, and compares all
with those in the document or writes them there; or checks one proof. It needs only Python and the package
`cryptography`.
"""

import hashlib
import os
import struct
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Conformance"))
from codec import Bad, cbor, decode  # noqa: E402

LAST = 1 << 62
LIMIT = 16 << 20
PRIME = (1 << 255) - 19
SMALL_Y = {0, 1, 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826}
TYPES = {0: "unsigned", 2: "bytes", 3: "text", 4: "array", 5: "map"}


class Refused(Exception):
    """An error, spelt as in the document."""


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def zero(replica):
    return sha(b"daybook log v1", replica)


def replica_id(key, incarnation):
    return sha(b"daybook replica v1", key, incarnation)[:16]


def branch_id(chain):
    return sha(b"daybook branch v1", chain)[:16]


def entity_id(chain):
    number = int.from_bytes(chain[:16], "big") & ~(0xF << 76 | 3 << 62) | 8 << 76 | 2 << 62
    return number.to_bytes(16, "big")


def head_message(replica, sequence, time, chain):
    return sha(b"daybook head v1", replica, struct.pack(">QQ", sequence, time), chain)


def is_key(key):
    y = int.from_bytes(key, "little") & ~(1 << 255)
    small = SMALL_Y | {PRIME - each for each in SMALL_Y}
    return y < PRIME and y not in small


def verifies(key, signature, message):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


class Reader:
    """Reads CBOR items; errors are those of section 1 of protocol.md."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def refuse(self, what, at=None):
        raise Refused(f"encoding({what}at: {self.at if at is None else at}))")

    def head(self, major):
        start = self.at
        if start >= len(self.data):
            self.refuse("truncated(")
        if self.data[start] >> 5 != major:
            self.refuse(f"wrongType(expected: {TYPES[major]}, ")
        low = self.data[start] & 31
        self.at += 1
        if low < 24:
            return low
        width = 1 << low - 24
        if low > 27 or start + 1 + width > len(self.data):
            self.refuse("truncated(", start)
        value = int.from_bytes(self.data[self.at : self.at + width], "big")
        self.at += width
        if value < (24 if width == 1 else 1 << 4 * width):
            self.refuse("notShortest(", start)
        return value

    def bytes(self, count):
        start = self.at
        found = self.head(2)
        if found > len(self.data) - self.at:
            self.refuse("truncated(", start)
        if found != count:
            self.refuse(f"wrongLength(expected: {count}, ", start)
        self.at += count
        return self.data[self.at - count : self.at]

    def array(self, count=None):
        """The length of an array, which must be the given one or at least 1."""
        start = self.at
        found = self.head(4)
        if found > len(self.data) - self.at:
            self.refuse("tooMany(", start)
        if count is not None and found != count:
            self.refuse(f"wrongLength(expected: {count}, ", start)
        if found == 0:
            self.refuse("truncated(", start)
        return found

    def item(self):
        """Any item, as its bytes."""
        start = self.at
        try:
            _, self.at = decode(self.data, start)
        except (Bad, UnicodeDecodeError) as error:
            raise Refused("encoding(item)") from error
        return self.data[start : self.at]


def read(data):
    """The book, the record, and the logs of a proof, each with its key, incarnation and stretches."""
    if len(data) > LIMIT:
        raise Refused(f"tooLarge(limit: {LIMIT})")
    name = cbor("daybook proof")
    if not data or data[0] >> 5 != 4 or data[1 : 1 + len(name)] != name:
        raise Refused("notAProof")
    reader = Reader(data)
    reader.at = 1 + len(name)
    try:
        version = reader.head(0)
    except Refused:
        version = 0
    if version == 0:
        raise Refused("notAProof")
    if version != 1:
        raise Refused(f"version({version})")
    if data[0] != 0x85:
        reader.refuse("wrongLength(expected: 5, ", 0)
    book, record, logs = reader.bytes(16), reader.bytes(16), []
    for _ in range(reader.array()):
        reader.array(3)
        key, incarnation, stretches = reader.bytes(32), reader.bytes(16), []
        for _ in range(reader.array()):
            stretches.append(read_stretch(reader))
        logs.append((key, incarnation, stretches))
    if reader.at < len(data):
        reader.refuse("trailing(")
    return book, record, logs


def read_stretch(reader):
    reader.array(5)
    start = reader.at
    first, time, before = reader.head(0), reader.head(0), reader.bytes(32)
    if reader.data[reader.at : reader.at + 1] == b"\xf6":
        reader.at += 1
        signature = None
    else:
        signature = reader.bytes(64)
    count, events = reader.array(), []
    if not 0 < first < LAST or count > LAST - first:
        reader.refuse("outOfRange(", start)
    for _ in range(count):
        place = reader.at
        items = reader.array()
        if items not in (2, 3):
            reader.refuse("wrongLength(expected: 2, ", place)
        header = reader.item()
        events.append((header, reader.bytes(32)) if items == 2 else (header, reader.bytes(16), reader.item()))
    return first, time, before, signature, events


def write(book, record, logs):
    """The bytes of a proof."""

    def event(each):
        header, *rest = each
        if len(rest) == 1:
            return b"\x82" + header + cbor(rest[0])
        return b"\x83" + header + cbor(rest[0]) + rest[1]

    def stretch(each):
        first, time, before, signature, events = each
        lead = b"".join(map(cbor, (first, time, before, signature)))
        return b"\x85" + lead + cbor([None] * len(events))[: -len(events) or None] + b"".join(map(event, events))

    def log(each):
        key, incarnation, stretches = each
        return b"\x83" + cbor(key) + cbor(incarnation) + array(map(stretch, stretches))

    return b"\x85" + cbor("daybook proof") + cbor(1) + cbor(book) + cbor(record) + array(map(log, logs))


def array(items):
    items = list(items)
    return cbor([None] * len(items))[: -len(items) or None] + b"".join(items)


class Event:
    def __init__(self, sequence, chain, body):
        self.sequence, self.chain, self.body = sequence, chain, body


class Log:
    """A log whose chain and signatures hold."""

    def __init__(self, number, book, key, incarnation, stretches):
        if not is_key(key):
            raise Refused(f"key(log: {number})")
        self.number, self.key, self.incarnation = number, key, incarnation
        self.replica = replica_id(key, incarnation)
        self.events, self.table, self.last = {}, [], 0
        for stretch in stretches:
            self.add(book, *stretch)

    def at(self, what, sequence):
        return Refused(f"{what}(log: {self.number}, sequence: {sequence})")

    def add(self, book, first, time, before, signature, events):
        if first == 1 and (before != zero(self.replica) or time):
            raise Refused(f"beginning(log: {self.number})")
        chain, found = before, []
        for sequence, (header, *content) in enumerate(events, first):
            delta, introduced = self.header(header, sequence)
            time += delta
            if time >= 1 << 63:
                raise self.at("header", sequence)
            if first == 1:
                self.table += [(log, sequence) for log in introduced]
            chain = sha(chain, header, content[0] if len(content) == 1 else sha(*content))
            found.append(Event(sequence, chain, content[1] if len(content) == 2 else None))
        if first <= self.last:
            for event in found:
                if event.sequence in self.events:
                    is_same = self.events[event.sequence].chain == event.chain
                    raise self.at("repeated" if is_same else "contradiction", event.sequence)
            raise self.at("order", first)
        last = found[-1].sequence
        if signature is None:
            if last != 1 or chain[:16] != book:
                raise self.at("unsigned", last)
        elif not verifies(self.key, signature, head_message(self.replica, last, time, chain)):
            raise self.at("signature", last)
        self.events.update((event.sequence, event) for event in found)
        self.last = last

    def header(self, raw, sequence):
        header, end = decode(raw)
        if type(header) is int and header >= 0:
            return header, []
        try:
            delta, extras = header
            assert type(delta) is int and delta >= 0 and isinstance(extras, dict) and extras
            assert 0 not in extras or type(extras[0]) is int
            seen = extras.get(1, [])
            assert isinstance(seen, list)
            assert all(isinstance(each, list) and len(each) in (3, 4) for each in seen)
            assert all(isinstance(each[0], bytes) or each[0] >= 0 for each in seen)
            return delta, [each[0] for each in seen if isinstance(each[0], bytes)]
        except (AssertionError, TypeError, ValueError):
            raise self.at("header", sequence) from None

    def is_called(self, id_):
        return id_ == self.replica or any(branch_id(each.chain) == id_ for each in self.events.values())


def is_sequence(item):
    return type(item) is int and 0 < item < LAST


def reference(item):
    """The index and the sequence of a reference."""
    if isinstance(item, list) and len(item) == 2 and type(item[0]) is int and item[0] >= 0:
        index, item = item
    else:
        index = None
    assert is_sequence(item)
    return index, item


def value_reference(item):
    try:
        return reference(item[0] if len(item) == 1 else item)
    except (AssertionError, TypeError):
        return None


def read_body(raw):
    """The verb of a body and what the check needs of it."""
    body, end = decode(raw)
    assert isinstance(body, list) and body and type(body[0]) is int and body[0] >= 0
    verb, *items = body
    if verb <= 4:
        assert len(items) % 2 == 1 and all(type(field) is int for field in items[1::2])
        if verb == 0:
            assert type(items[0]) is int and items[0] >= 0
            return "add", items[0]
        target = reference(items[0])
        if verb < 4:
            return "change", target
        others = [value for field, value in zip(items[1::2], items[2::2]) if field == 5]
        return "alias", target, value_reference(others[-1]) if others else None
    if verb == 8:
        key, agreement, incarnation, name = items[:4]
        assert [len(key), len(agreement), len(incarnation)] == [32, 32, 16] and isinstance(name, str)
        return "open", key, incarnation
    if verb == 9:
        assert len(items[0]) == 32 and isinstance(items[1], str)
        return "admit", items[0]
    if verb == 10:
        assert len(items[0]) == 32 and all(len(each) == 3 for each in items[1])
        return "revoke", items[0]
    if verb == 12:
        reference(items[0])
        return "erase", items[1] if len(items) > 1 and isinstance(items[1], bytes) else None
    return ("other",)


def check(data):
    """What a proof proves: its book, its record, the shown events, the number of hidden ones, and erased records."""
    book, record, logs = read(data)
    logs = [Log(number, book, *log) for number, log in enumerate(logs)]
    bodies = [read_bodies(log) for log in logs]
    founders = [log for log, own in zip(logs, bodies) if 1 in own and log.events[1].chain[:16] == book]
    if not founders:
        raise Refused("founder")
    admitted = admissions(founders[0].key, logs, bodies)
    for log in logs:
        if log.key not in admitted:
            raise Refused(f"unadmitted(log: {log.number})")
    members = Members(record, logs, bodies)
    shown = []
    for log, own in zip(logs, bodies):
        for sequence, body in sorted(own.items()):
            members.judge(log, log.events[sequence], body)
            shown.append(f"{log.number}:{sequence}")
    hidden = sum(len(log.events) for log in logs) - len(shown)
    return book, record, shown, hidden, members.erased


def read_bodies(log):
    bodies = {}
    for sequence, event in sorted(log.events.items()):
        if event.body is None:
            continue
        try:
            body = read_body(event.body)
        except (AssertionError, TypeError, ValueError, IndexError):
            raise log.at("body", sequence) from None
        is_open = body[0] == "open"
        if is_open != (sequence == 1) or is_open and body[1:] != (log.key, log.incarnation):
            raise Refused(f"opening(log: {log.number})")
        bodies[sequence] = body
    return bodies


def admissions(founder, logs, bodies):
    """The keys that admissions in the proof lead to from the founder's key."""
    found, waiting = {founder}, [founder]
    while waiting:
        author = waiting.pop()
        for log, own in zip(logs, bodies):
            for body in own.values():
                if log.key == author and body[0] == "admit" and body[1] not in found:
                    found.add(body[1])
                    waiting.append(body[1])
    return found


class Members:
    """The record of a proof, and those joined with it, by the chain hashes at their adds."""

    def __init__(self, record, logs, bodies):
        self.logs = logs
        roots = [each.chain for log in logs for each in log.events.values() if entity_id(each.chain) == record]
        if not roots:
            raise Refused("record")
        self.added, self.joins, sides = {roots[0]}, set(), []
        for log, own in zip(logs, bodies):
            for sequence, body in sorted(own.items()):
                if body[0] == "alias" and body[2]:
                    ends = [self.chain(log, sequence, each) for each in body[1:]]
                    sides.append((ends, log.events[sequence].chain))
        for _ in sides:
            for ends, alias in sides:
                if None not in ends and self.added & set(ends):
                    self.added |= set(ends)
                    self.joins.add(alias)
        erasures = {body[1] for own in bodies for body in own.values() if body[0] == "erase"}
        self.erased = set()
        for log, own in zip(logs, bodies):
            for sequence, event in sorted(log.events.items()):
                if event.chain not in self.added or own.get(sequence, " ")[0] == "add":
                    continue
                if event.body is not None or event.chain[:16] not in erasures:
                    raise log.at("hiddenAdd", sequence)
                self.erased.add(entity_id(event.chain))
        self.keys = {log.key for log in logs}

    def chain(self, log, sequence, named):
        """The chain hash at the event that a reference names, if the proof contains the event."""
        index, target = named
        if index is None:
            return log.events[target].chain if target in log.events else None
        if index >= len(log.table) or log.table[index][1] > sequence:
            raise log.at("index", sequence)
        id_ = log.table[index][0]
        found = {each.events[target].chain for each in self.logs if target in each.events and each.is_called(id_)}
        if len(found) > 1:
            raise log.at("ambiguous", sequence)
        return found.pop() if found else None

    def judge(self, log, event, body):
        """Refuses an event that does not belong to the proof."""
        what, *rest = body
        if what in ("admit", "revoke") and rest[0] not in self.keys or what == "other":
            raise log.at("needless", event.sequence)
        if what == "erase":
            belongs = rest[0] in {each[:16] for each in self.added}
        elif what == "add":
            belongs = event.chain in self.added
        elif what == "alias":
            belongs = event.chain in self.joins
        elif what == "change":
            belongs = self.chain(log, event.sequence, rest[0]) in self.added | self.joins
        else:
            return
        if not belongs:
            raise log.at("foreign", event.sequence)


def main(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        _, record, shown, hidden, erased = check(data)
    except Refused as error:
        print("refused:", error)
        return 1
    print(f"record {record.hex()}: {len(shown)} events shown, {hidden} hidden, {len(erased)} erased")
    return 0


if __name__ == "__main__":
    if sys.argv[-1].endswith(".md"):
        import proofvectors

        sys.exit(proofvectors.main(sys.argv[-1], "--write" in sys.argv))
    sys.exit(main(sys.argv[-1]))
