"""What a hostile device of a book writes, by protocol.md: valid events of every kind, in logs of its own."""
import base64, struct, time
from typing import NamedTuple
from codec import cbor
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from oddities import EXTRAS, FIELDS, KINDS, TEXTS, UNKNOWN_VERBS, VALUES, senseless, senseless_trust
from peer import raw
from reader import sha
from strands import deflated, member, salt

ADD, EDIT, DELETE, RESTORE, ALIAS, OPEN, ADMIT, ERASE, OBSERVE = 0, 1, 2, 3, 4, 8, 9, 12, 18
FRAME_EVENTS, CONTENT, NOTE, DRAW, SEEN, TABLE = 16_384, 500_000, 65_536, 500_000, 1_024, 4_096
FORKS = 8  # The earlier ends from which a log may continue once more.


class End(NamedTuple):
    """What the next event of a log depends on."""
    sequence: int
    time: int
    when: int
    hash: bytes
    table: tuple


class Key:
    """A key of the hostile device: its own, or one that it admits."""
    def __init__(self, signing): self.signing, self.public = signing, raw(signing)

    @staticmethod
    def new(dice): return Key(Ed25519PrivateKey.from_private_bytes(dice.randbytes(32)))


class Growing:
    """A log that grows by frames, and that can continue from an earlier end of a frame."""
    def __init__(self, key, dice, incarnation=None):
        self.key, self.dice, self.seeds, self.adds = key, dice, {}, []
        self.incarnation = incarnation or dice.randbytes(16)
        self.id = sha(b"daybook replica v1", key.public, self.incarnation)[:16]
        self.end = End(0, 0, 0, sha(b"daybook log v1", self.id), ())
        # The events that are not yet in a frame, and how many more the last of them requires in its command.
        self.ends, self.events, self.more = {self.end.hash: self.end}, [], 0
        if incarnation: return
        agreement = raw(X25519PrivateKey.from_private_bytes(dice.randbytes(32)))
        self.write([OPEN, key.public, agreement, self.incarnation, "evil"], delta=int(time.time() * 1000))
        self.opening = self.frame()

    def write(self, body, extras=None, delta=1):
        """Adds an event to the next frame."""
        if not self.events: self.before, self.size = self.end, 0
        end, header, body_ = self.end, cbor([delta, extras] if extras else delta), cbor(body)
        sequence, block = end.sequence + 1, end.sequence // 64
        if block not in self.seeds: self.seeds[block] = self.dice.randbytes(16)
        salted, extras = sha(salt(self.seeds[block], sequence), body_), extras or {}
        table = end.table + tuple(each[0] for each in extras.get(1, []) if isinstance(each[0], bytes))
        self.end = End(sequence, end.time + delta, end.when + extras.get(0, 0), sha(end.hash, header, salted), table)
        self.events.append(header + body_)
        self.size, self.more = self.size + len(header) + len(body_), extras.get(2, max(self.more - 1, 0))
        if body[0] == ADD: self.adds.append(sequence)

    def frame(self):
        """Returns a frame of the events that were written since the last one, with a head."""
        first, last, end = self.before.sequence + 1, self.end.sequence, self.end
        secrets = [self.seeds[block] for block in range((first - 1) // 64, (last - 1) // 64 + 1)]
        table = self.before.table
        told = {0: self.before.time, 1: self.before.when, 2: self.before.hash, 3: secrets, 4: len(table), 5: table}
        told = {key: value for key, value in told.items() if key in (0, 2, 3) or value}
        head = sha(b"daybook head v1", self.id, struct.pack(">QQ", last, end.time), end.hash)
        content = cbor(told) + b"".join(self.events) + cbor({0: self.key.signing.sign(head)})
        self.events, self.ends[end.hash] = [], end
        return member(content, first, last - first + 1, lambda each: deflated(each, 1), self.id)

    def settle(self, hashes):
        """Continues from what the server holds, and returns whether it holds any of the log."""
        held = sorted((self.ends[each] for each in hashes if each in self.ends), key=lambda end: end.sequence)
        if held: self.go_on(held[-1])
        return held != []

    def go_on(self, end):
        self.end, self.events, self.adds = end, [], [each for each in self.adds if each <= end.sequence]
        kept = [each for each in self.ends.values() if each.sequence <= end.sequence]
        self.ends = {each.hash: each for each in [*kept[-FORKS:], end]}

    def fork(self):
        """Continues from an earlier end, as a copy of the device would."""
        self.end = self.dice.choice([each for each in self.ends.values() if each.sequence] or [self.end])
        self.adds = [each for each in self.adds if each <= self.end.sequence]


def tag_field(text): return 65_536 + int.from_bytes(sha(b"daybook tag v1", text.encode())[:6], "big")


class Loads:
    """The kinds of events that are sent. Each method yields events (body, extras) of one kind without end."""
    KINDS = ("tiny", "notes", "noise", "tags", "fields", "edits", "joins", "deletes", "admissions", "erasures", "odd",
             "seen", "others")

    def __init__(self, dice): self.dice, self.admitted, self.places = dice, [], []

    def record(self, log): return self.dice.choice(log.adds[-200:]) if log.adds else 1

    def tiny(self, log):
        while True:
            more = self.dice.choice((0, 0, 100, 16_383))
            for n in range(more + 1): yield [ADD, 2, 5, "a"], {2: more} if more and n == 0 else None

    def notes(self, log):
        while True:
            note = "".join(self.dice.choice(("%08x" % self.dice.getrandbits(32), "")) + "n" * 500 for _ in range(140))
            yield [ADD, self.dice.randrange(4), 5, "note", 2, note[:NOTE]], None

    def noise(self, log):
        while True:
            if self.dice.random() < 0.5: yield [ADD, 5, 6, self.dice.randbytes(DRAW)], None
            else: yield [ADD, 2, 5, "noise", 2, base64.b64encode(self.dice.randbytes(NOTE * 3 // 4)).decode()], None

    def tags(self, log):
        if not log.adds: yield [ADD, 2, 5, "tagged"], None
        while True:
            texts = ["%x" % self.dice.getrandbits(40) for _ in range(20)]
            yield [EDIT, self.record(log), *(each for text in texts for each in (tag_field(text), text))], None

    def fields(self, log):
        """Sets as many fields in an event as a command may have, to values that take only one byte."""
        yield [ADD, 2, 5, "wide"], None
        while True:
            first, count = 65_536 + self.dice.randrange(1 << 28), self.dice.choice((1_000, 70_000))
            yield [EDIT, log.adds[-1], *(each for n in range(count) for each in (first + n, False))], None

    def edits(self, log):
        yield [ADD, 2, 5, "edited"], None
        record = log.adds[-1]
        while True: yield [EDIT, record, self.dice.choice((5, 9, 10, 12)), self.dice.randrange(1 << 20)], None

    def joins(self, log):
        while True:
            yield [ADD, self.dice.randrange(6), 5, "twin"], None
            yield [ALIAS, self.record(log), 5, [self.record(log)]], None

    def deletes(self, log):
        yield [ADD, 2, 5, "restless"], None
        while True: yield [self.dice.choice((DELETE, RESTORE)), self.record(log)], None

    def admissions(self, log):
        while True:
            self.admitted = [*self.admitted[-40:], Key.new(self.dice)]
            yield [ADMIT, self.admitted[-1].public, "sleeper %d" % self.dice.randrange(1 << 20)], None

    def erasures(self, log):
        while True:
            yield [ADD, 2, 5, "fleeting"], None
            yield [ERASE, self.record(log)], None

    def odd(self, log):
        dice = self.dice
        values = [value for each in VALUES.values() for value in each]
        while True:
            extras = dice.choice([None, None, {0: dice.randrange(-(1 << 40), 1 << 40)}, dice.choice(EXTRAS)])
            if dice.random() < 0.5: body = [ADD, dice.choice(KINDS), dice.choice(FIELDS), dice.choice(values + TEXTS)]
            elif dice.random() < 0.3: body = [dice.choice(UNKNOWN_VERBS), self.record(log), 5, "a"]
            elif dice.random() < 0.5: body = dice.choice(senseless(self.record(log)))
            else:
                landmark = [log.id, 1, bytes(16)]
                body = dice.choice(senseless_trust(dice.randbytes(31) + b"\0", landmark, self.record(log)))
            yield body, extras

    def seen(self, log):
        """Names as many logs as a table holds, then states of them with as many gaps as fit."""
        while True:
            room = min(SEEN, TABLE - len(log.end.table))
            logs = [self.dice.randbytes(16) for _ in range(room)] or range(TABLE - SEEN, TABLE)
            gaps = [each for n in range(1, 200, 3) for each in (n, 1)] if self.dice.random() < 0.1 else []
            logs = [each for each in logs if not self.is_real(log, each)]
            entries = [[each, 1_000, self.dice.randbytes(16), *[gaps] * (gaps != [])] for each in logs]
            yield [OBSERVE], {1: entries}

    def is_real(self, log, each):
        """Whether an entry is about a log that others hold."""
        id_ = log.end.table[each] if isinstance(each, int) else each
        return any(place[0] == id_ for place in self.places)

    def lies(self, log):
        """Claims to have seen events of other devices that these have not written."""
        while True:
            places = [place for place in self.places if place[0] != log.id]
            if not places or len(log.end.table) >= TABLE: return
            id_, last, hash_ = self.dice.choice(places)[:3]
            entry = [log.end.table.index(id_) if id_ in log.end.table else id_]
            true = [entry[0], last, hash_[:16]]
            yield [OBSERVE], {1: [true]}
            yield [OBSERVE], {1: [[log.end.table.index(id_), last + 1_000, self.dice.randbytes(16)]]}

    def others(self, log):
        """Edits, deletes and erases what other devices have written, except their latest events."""
        while True:
            places = [place for place in self.places if place[0] != log.id and place[1] > 4]
            if not places or len(log.end.table) >= TABLE: return
            id_, last, hash_ = self.dice.choice(places)[:3]
            entry = [log.end.table.index(id_) if id_ in log.end.table else id_, last, hash_[:16]]
            index, n = len(log.end.table) if entry[0] is id_ else entry[0], self.dice.randrange(2, last - 2)
            record = [index, n]
            body = self.dice.choice([[EDIT, record, 5, "mine"], [DELETE, record], [ERASE, record]])
            yield body, {1: [entry]}

    def frames(self, log, kind, count):
        """Yields frames of one kind of events, each of a random size up to what a frame may have."""
        events, room = getattr(self, kind)(log), self.dice.choice((300, 20_000, CONTENT))
        for _ in range(count):
            for body, extras in events:
                far = self.dice.random() < 0.0005 and log.end.time < 1 << 60
                log.write(body, extras, 1 << self.dice.randrange(60) if far else self.dice.randrange(3))
                if not log.more and (log.size >= room or len(log.events) >= FRAME_EVENTS): break
            if log.events: yield log.frame()
