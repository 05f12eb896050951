"""Small books, each for some rules of the fold: their logs as files, and the reader's results."""

import json
import pathlib
import tempfile
from datetime import date

from daybook import Device, Log, branch_id, cbor, member, sha
from good import START, desk, phone, tag, vector
from reader import Book, entity_id, words
from repeats import packed, uid
from todos import CANCELLED, CLOSED_ON, DONE, DUE, OWNER, PARENT, REPEAT, SLOT, SOURCE, TITLE, UNTIL, Todos

tablet = Device(0x21, 0x22, 0x23, "tablet")
STARTS = {desk.id: 0x20, phone.id: 0x40, tablet.id: 0x60}
SEEDS = {id_: bytes(range(start, start + 16)) for id_, start in STARTS.items()}
ADD, EDIT, DELETE, RESTORE, ALIAS, ADMIT, REVOKE, ERASE = 0, 1, 2, 3, 4, 9, 10, 12
BIRTHDAY, LIST, TODO, QUESTION, CHOICE, PICK = range(6)
TOO_LARGE = (1 << 53) + 1  # in field 6


class Writer(Log):
    """A log whose events are given with their times, counted from the start of the book."""

    def __init__(self, device):
        super().__init__(device, SEEDS[device.id])
        self.id, self.table, self.counts = device.id, [], [0]

    def write(self, at, body, *seen, when=None, more=0):
        entries = []
        for id_, *rest in seen:
            if id_ in self.table:
                id_ = self.table.index(id_)
            elif isinstance(id_, bytes):
                self.table.append(id_)
            entries.append([id_, *rest])
        when = None if when is None else START + when
        extras = {key: value for key, value in ((1, entries), (2, more)) if value}
        self.add(START + at - self.time[-1], body, extras, when)
        self.counts.append(len(self.table))
        return len(self.headers) - 1

    def upto(self, last, *missing):
        """A `seen` of this log."""
        return [self.id, last, self.hash[last][:16], *[list(each) for each in missing]]

    def named(self, sequence):
        return self.hash[sequence][:16]

    def copy(self):
        other = self.branch(len(self.headers) - 1)
        twin = Writer(self.device)
        twin.__dict__.update(other.__dict__, id=self.id, table=list(self.table), counts=list(self.counts))
        return twin

    def frame(self, first=1, stripped=None, has_table=False):
        last, count = len(self.headers) - 1, self.counts[first - 1]
        table = self.table[:count] if has_table else None
        content = self.content(first, last, count, table, stripped=stripped)
        return member(content, first, last - first + 1, replica=self.id)


def begun(*members):
    """The logs of the desk and of those that it admits first."""
    logs = [Writer(desk)] + [Writer(each) for each in members]
    for at, log in enumerate(logs):
        log.write(at, log.device.opening())
    for at, log in enumerate(logs[1:], 10):
        logs[0].write(at, [ADMIT, log.device.key, log.device.name])
    return logs


def book(title, show=lambda found: Todos(found).shown(), **files):
    """Adds the vector of a book of these logs; `copy` is the file of a branch of the desk's."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        branch = files.get("branch", b"").hex()
        places = {"desk": desk, "phone": phone, "tablet": tablet}
        places = {name: device.id.hex() for name, device in places.items()}
        places["copy"] = f"{places['desk']}/{branch}"
        for name, data in files.items():
            if name in places:
                log = place / "logs" / places[name]
                log.mkdir(parents=True, exist_ok=True)
                first = int.from_bytes(data[21:29], "little")
                (log / f"{first:012}.gz").write_bytes(data)
        (place / "book.json").write_text(json.dumps({"format": 1, "book": OPENED.hex()}))
        found = Book(place)
        digest = sha(found.state())
        documents = sorted(map(found.document, found.documents()), key=lambda one: (one[0], sha(cbor(one))))
        shown = show(found)
    found = ("documents", cbor(documents)), ("digest", digest), ("words", words(digest))
    vector("fold: " + title, *files.items(), *found, *shown)


OPENED = begun()[0].hash[1][:16]

# Order: events are ordered by time, not by when, and then by replica. The lowest add gives a document its id.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a", 6, 0])
P.write(120, [EDIT, [0, 3], 5, "late"], D.upto(3), when=-1_000_000)
D.write(110, [EDIT, 3, 5, "early"], when=1_000_000)
D.write(130, [EDIT, 3, 6, 1])
P.write(130, [EDIT, [0, 3], 6, 2])
D.write(140, [ADD, BIRTHDAY, 0, "same", 5, "Ada"], when=2_000_000)
P.write(150, [ADD, BIRTHDAY, 0, "same", 6, "King"], when=-2_000_000)
book("order", desk=D.frame(), phone=P.frame())

# Pasts: events seen by seen events, entries about the author's own log, and missing events do not count.
D, P, T = begun(phone, tablet)
D.write(100, [ADD, LIST, 5, "a"])
D.write(101, [EDIT, 4, 6, 1])
P.write(110, [EDIT, [0, 4], 5, "b"], D.upto(5))
T.write(120, [EDIT, [0, 4], 5, "c", 6, 2], D.upto(4), P.upto(2))
D.write(130, [EDIT, 4, 2, "x"], [desk.id, 7, bytes(16)])
D.write(131, [EDIT, 4, 2, "y"])
D.write(132, [EDIT, 4, 3, ["p"]])
D.write(133, [EDIT, 4, 4, {"k": "v"}])
P.write(140, [EDIT, [0, 4], 3, ["q"], 4, None], D.upto(9, (8, 1)))
# Each event names the other as seen, so neither survives. Without a fork, the hash is not compared.
D.write(150, [EDIT, 4, 9, 1], [phone.id, 4, bytes(16)])
P.write(150, [EDIT, [0, 4], 9, 2], [desk.id, 10, bytes(16)])
# Null together with another value, and null alone.
D.write(160, [EDIT, 4, 10, None, 11, None])
P.write(161, [EDIT, [0, 4], 10, "z"])
book("past", desk=D.frame(), phone=P.frame(), tablet=T.frame())

# Tags: each has a register. The fold does not compare a text with the number of its register.
D, P = begun(phone)
A, B, C = tag("a"), tag("b"), tag("c")
D.write(100, [ADD, TODO, 3, ["b", "old"], 5, "t", *[each for pair in sorted({A: "a", B: "b"}.items()) for each in pair]])
P.write(110, [EDIT, [0, 3], C, "c"], D.upto(3))
D.write(120, [EDIT, 3, B, False])
P.write(130, [EDIT, [0, 3], B, False])
P.write(131, [EDIT, [0, 3], B, "B"])
D.write(140, [EDIT, 3, A, "x" * 257, C, False, 65535, "no"])
D.write(150, [EDIT, 3, 65536, "a", 65535 + (1 << 48), None])
book("tags", desk=D.frame(), phone=P.frame())

# Life: the events that keep a record alive although the desk deletes all the records that it has added.
D, P = begun(phone)
for number, kind in enumerate([LIST, LIST, LIST, QUESTION, LIST, LIST, LIST, LIST, LIST, LIST], 3):
    D.write(100 + number, [ADD, kind, 5, f"{number}"])
P.write(200, [EDIT, [0, 12], 6, 1], D.upto(12))
P.write(201, [EDIT, [0, 3], 6, 1])
P.write(202, [RESTORE, [0, 4]])
P.write(203, [ADD, TODO, 5, "t", 6, [0, 5]])
P.write(204, [ADD, CHOICE, 1, [0, 6], 5, "c"])
P.write(205, [ADD, TODO, 5, "u", 6, None, 262, [0, 7]])
P.write(206, [EDIT, [0, 8], 4096, True])
P.write(207, [EDIT, 5, 1, [0, 9], 7, True])
P.write(208, [EDIT, 5, 6, [0, 10], 6, [0, 5]])
P.write(209, [EDIT, 5, 6, [0, 11], 6, TOO_LARGE])
P.write(210, [ADD, BIRTHDAY, 5, "b", 6, [0, 9]])
for number in range(3, 12):
    D.write(300 + number, [DELETE, number])
D.write(400, [DELETE, 12], P.upto(2))
# The to-do of an edit that names a list does not exist.
D.write(410, [ADD, LIST, 5, "23"])
P.write(411, [EDIT, [0, 99], 6, [0, 23]])
D.write(412, [DELETE, 23])
book("life", desk=D.frame(), phone=P.frame())

# Documents: which records are joined, and which are not.
UUID = "01234567-89ab-cdef-0123-456789abcdef"
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a"])  # 3
D.write(101, [ADD, LIST, 5, "b"])
D.write(102, [ALIAS, 3, 5, [4]])
D.write(103, [ADD, TODO, 0, UUID, 5, "u"])  # 6
P.write(110, [ADD, TODO, 0, bytes.fromhex(UUID.replace("-", "")), 6, [0, 4]], D.upto(6))
P.write(111, [ADD, BIRTHDAY, 0, UUID, 5, "Ada"])
D.write(120, [ADD, LIST, 5, "c"])  # 7
D.write(121, [ADD, LIST, 5, "d"])
D.write(122, [ALIAS, 7, 5, [8]])
D.write(123, [DELETE, 9])
D.write(130, [ADD, LIST, 0, [1, "e"], 5, "e"])  # 11
D.write(131, [ADD, LIST, 0, "f", 5, "f"])
D.write(132, [ALIAS, 11, 5, [12]])
D.write(133, [DELETE, 13])
P.write(134, [RESTORE, [0, 13]], D.upto(14))
D.write(140, [ADD, LIST, 5, "g"])  # 15
D.write(141, [ADD, LIST, 0, ["h"], 5, "h"])
D.write(142, [ALIAS, 15])
D.write(143, [ALIAS, 16, 5, "x"])
D.write(150, [ADD, LIST, 5, "i"])  # 19
D.write(151, [ADD, LIST, 5, "j"])
D.write(152, [ALIAS, 19, 5, [99]])
D.write(153, [ALIAS, 20, 5, [99]])
D.write(160, [ADD, LIST, 5, "k"])  # 23
D.write(161, [ADD, LIST, 5, "l"])
D.write(162, [ALIAS, 23, 5, [24]])
D.write(163, [DELETE, 25])
P.write(164, [EDIT, [0, 25], 5, "anything"])
D.write(170, [ADD, LIST, 5, "m"])  # 27
D.write(171, [ALIAS, 23, 5, [6]])
D.write(172, [ALIAS, 27, 5, [6]])
D.write(173, [DELETE, 4])
D.write(174, [ADD, TODO, 5, "v", 6, [99]])
D.write(175, [ADD, QUESTION])
D.write(176, [DELETE, 32])
book("documents", desk=D.frame(), phone=P.frame())

# Erased: entities, the entities they own, and the entities that name them.
D, P = begun(phone)
D.write(100, [ADD, QUESTION, 5, "q"])  # 3
D.write(101, [ADD, CHOICE, 1, [3], 5, "c"])
P.write(110, [ADD, PICK, 1, [0, 4], 5, [0, 4]], D.upto(4))
P.write(111, [EDIT, [0, 3], 5, "p"])
P.write(112, [ADD, LIST, 5, "l"])
P.write(113, [ADD, TODO, 5, "t", 6, [4]])
D.write(120, [ADD, LIST, 5, "a"], P.upto(5))  # 5
D.write(121, [ADD, LIST, 5, "b"])
D.write(122, [ADD, LIST, 5, "x"])
D.write(123, [ALIAS, 5, 5, [7]])
D.write(124, [ALIAS, 7, 5, [6]])
D.write(125, [ADD, LIST, 5, "parent"])  # 10
P.write(130, [ADD, TODO, 5, "u"])  # 6
P.write(131, [EDIT, 6, 6, [0, 10]])
D.write(132, [DELETE, 10])
D.write(133, [ADD, LIST, 5, "stays"])  # 12
D.write(134, [ADD, LIST, 5, "goes"])
P.write(140, [ADD, CHOICE, 1, [0, 3], 5, "stripped"])  # 8
P.write(141, [ADD, PICK, 1, [8], 6, b"draw"])
QUESTION_ERASED = D.write(150, [ERASE, 3, D.named(3)])
D.write(151, [ERASE, [0, 4], P.named(4)])
D.write(152, [ERASE, 7, D.named(7)])
D.write(153, [ERASE, [0, 6], P.named(6)])
D.write(154, [ERASE, 12, bytes(16)])
D.write(155, [ERASE, 13])
WITHOUT = cbor({0: P.salted[8], 1: [desk.id, QUESTION_ERASED, D.named(QUESTION_ERASED)]})
book("erased", desk=D.frame(), phone=P.frame(stripped={8: WITHOUT}))

# Folded: only the events within a cut.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a"])
P.write(110, [EDIT, [0, 3], 5, "kept"], D.upto(3))
P.write(111, [EDIT, [0, 3], 5, "cut"])
P.write(112, [ADD, LIST, 5, "b"])
P.write(113, [ERASE, [0, 3], D.named(3)])
D.write(120, [ADD, TODO, 5, "t", 6, [0, 4]], P.upto(4))
D.write(121, [REVOKE, phone.key, [[phone.id, 2, P.named(2)]]])
book("cut", desk=D.frame(), phone=P.frame())

# Forks: the events that name a branch.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a"])
D.write(101, [ADD, LIST, 5, "b"])
TRUNK, COPY = D.frame(), D.copy()
D.write(110, [ADD, LIST, 5, "here"])  # 5
D.write(111, [EDIT, 3, 5, "x"])
D.write(112, [ADD, LIST, 5, "later"])
COPY.write(115, [ADD, LIST, 5, "there"])  # 5
COPY.write(116, [EDIT, 3, 6, 1], [desk.id, 6, D.named(6)])
COPY.write(117, [EDIT, 3, 5, "y"])
BRANCH = branch_id(COPY.hash[5])
P.write(120, [EDIT, [0, 5], 6, 2], [desk.id, 5, COPY.named(5)])
P.write(121, [EDIT, [0, 5], 6, 3], [desk.id, 5, D.named(5)])
P.write(122, [EDIT, [1, 5], 2, "n"], [BRANCH, 5, COPY.named(5)])
P.write(123, [EDIT, [0, 7], 6, 4])
P.write(124, [EDIT, [0, 3], 2, "trunk"])
P.table.clear()  # so that the id comes once more, under another index
P.write(125, [EDIT, [0, 5], 3, ["again"]], [desk.id, 5, COPY.named(5)])
P.write(126, [EDIT, [0, 5], 5, "lost"], [0, 6, bytes(16)])
book("forks", desk=TRUNK + D.frame(5), phone=P.frame(), branch=BRANCH, copy=COPY.frame(5))

# Twins: the commands after a fork begin with the same two adds, so two lists have one id. They are ordered by their
# hashes, not by their branches.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a"])
D.write(101, [ADD, LIST, 5, "b"])
TRUNK, COPY = D.frame(), D.copy()
for log, colour in ((D, 1), (COPY, 4)):
    log.write(110, [ADD, LIST, 5, "twin"], more=2)
    log.write(110, [ADD, LIST, 5, "erased"])
    log.write(110, [EDIT, 5, 6, colour])
# The phone has seen the branch with the greater id; the other one is found first.
SEEN = max(D, COPY, key=lambda log: branch_id(log.hash[7]))
P.write(120, [EDIT, [0, 6], 6, 3], [desk.id, 7, SEEN.named(7)])
P.write(121, [ERASE, [0, 6], SEEN.named(6)])
BRANCH = branch_id(COPY.hash[7])
book("twins", desk=TRUNK + D.frame(5), phone=P.frame(), branch=BRANCH, copy=COPY.frame(5))

# Shared: the commands after a fork begin with the same six adds, so two writes of one to-do have the same stamp. The
# phone joins one list of each branch with the first list, so the two writes have different values.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "first"])
D.write(101, [ADD, LIST, 5, "b"])
TRUNK, COPY = D.frame(), D.copy()
for log, title in ((D, "here"), (COPY, "there")):
    log.write(110, [ADD, LIST, 5, "one"], more=5)  # 5
    log.write(110, [ADD, LIST, 5, "two"])
    log.write(110, [ADD, TODO, 0, "s", 5, "s", 6, [5]])
    log.write(110, [ADD, TODO, 0, "t", 5, "t", 6, [6]])
    log.write(110, [ADD, TODO, 0, "u", 5, "u", 6, [5], 262, [6]])
    log.write(110, [EDIT, 4, 5, title])
LOWER, UPPER = sorted((D, COPY), key=lambda log: branch_id(log.hash[10]))
P.write(120, [ALIAS, [0, 3], 5, [0, 5]], [desk.id, 10, LOWER.named(10)])
P.write(121, [ALIAS, [0, 3], 5, [0, 6]], [desk.id, 10, UPPER.named(10)])
BRANCH = branch_id(COPY.hash[10])
book("shared", desk=TRUNK + D.frame(5), phone=P.frame(), branch=BRANCH, copy=COPY.frame(5))

# Lost: event 3 of the phone, which gave the tablet an index; and event 4 of the tablet, but its last frame has the table.
D, P, T = begun(phone, tablet)
T.write(100, [ADD, LIST, 5, "a"])
T.write(101, [ADD, LIST, 5, "b"])
P.write(110, [ADD, LIST, 5, "c"], D.upto(3))
BEGUN, FILE = P.frame(), T.frame()
T.write(112, [ADD, LIST, 5, "lost"], P.upto(2))
T.write(113, [EDIT, [0, 2], 6, 1])
FILE += T.frame(5)
T.write(114, [EDIT, [0, 2], 2, "n"])
P.write(111, [ADD, LIST, 5, "lost"], T.upto(2))
P.write(120, [ADD, TODO, 5, "t", 6, [1, 2]])  # 4
P.write(121, [ADD, LIST, 5, "e"], [1, 3, T.hash[3][:16]])
P.write(122, [EDIT, [1, 2], 5, "x"])
P.write(123, [DELETE, [1, 3]])
P.write(124, [ALIAS, 2, 5, [1, 2]])
P.write(125, [ALIAS, 5, 5, [1, 2]])
P.write(126, [ALIAS, [1, 3], 5, [2]])
P.write(127, [ALIAS, [1, 3], 5, [5]])
P.write(128, [ERASE, [1, 2], T.hash[2][:16]])
book("lost", desk=D.frame(), phone=BEGUN + P.frame(4), tablet=FILE + T.frame(6, has_table=True))

# Series: two completions of a date, one of them undone; a move, and an undo that does not know of a completion; another
# series joined with a dead occurrence; and others with a dead occurrence, days that do not exist, and parents.
D, P = begun(phone)
FIRST, SECOND, THIRD = (packed(date(2026, *each)) for each in ((11, 23), (11, 30), (12, 7)))
D.write(100, [ADD, TODO, TITLE, "Bins", DUE, FIRST, REPEAT, "FREQ=WEEKLY"])  # 3
D.write(101, [ADD, TODO, TITLE, "Rinse", PARENT, [3]])
BINS, RINSE = entity_id(D.hash[3]), entity_id(D.hash[4])


def happens(series, owner, slot):
    """The start of the add of an occurrence."""
    return [ADD, TODO, SOURCE, [9, uid(None, series, slot)], OWNER, owner, SLOT, slot]


P.write(110, [*happens(BINS, [0, 3], FIRST), DONE, True, CLOSED_ON, FIRST + 1], D.upto(4))
P.write(111, [*happens(RINSE, [0, 4], FIRST), DONE, True, CLOSED_ON, FIRST + 1])
D.write(112, [*happens(BINS, [3], FIRST), DONE, True, CLOSED_ON, FIRST + 3])  # 5
D.write(113, [DELETE, 5])
D.write(120, [*happens(BINS, [3], SECOND), DUE, THIRD - 5])  # 7
D.write(121, [EDIT, 7, DONE, True, CLOSED_ON, SECOND])
P.write(122, [*happens(BINS, [0, 3], SECOND), DONE, True, CLOSED_ON, SECOND])
D.write(123, [EDIT, 7, DONE, False, CLOSED_ON, None])
P.write(130, [*happens(RINSE, [0, 4], THIRD), CLOSED_ON, SECOND, CANCELLED, True])
D.write(140, [ADD, TODO, TITLE, "Paper", DUE, SECOND, REPEAT, "FREQ=DAILY"])  # 10
D.write(141, [*happens(BINS, [3], THIRD), DONE, True])
D.write(142, [ALIAS, 10, 5, [11]])
D.write(143, [DELETE, 11])
NO_DAY = packed(date(2027, 2, 28)) + 2
D.write(150, [ADD, TODO, TITLE, "Water", DUE, FIRST, REPEAT, "FREQ=WEEKLY", UNTIL, NO_DAY - 512])  # 14
WATER = entity_id(D.hash[14])
D.write(151, [*happens(WATER, [14], FIRST), DONE, True, CLOSED_ON, FIRST])
D.write(152, [DELETE, 15])
D.write(153, [ADD, TODO, TITLE, "Feed", DUE, FIRST, REPEAT, "FREQ=WEEKLY"])  # 17
D.write(154, [*happens(entity_id(D.hash[17]), [17], FIRST), DONE, True, CLOSED_ON, NO_DAY])
D.write(160, [ADD, TODO, TITLE, "Dry", PARENT, [4]])
D.write(161, [ADD, TODO, TITLE, "Mop", PARENT, [4], DUE, SECOND, REPEAT, "FREQ=DAILY"])
D.write(162, [ADD, TODO, TITLE, "Lid", PARENT, [7]])
D.write(163, [ADD, TODO, TITLE, "Call"])
# Two cycles: one ignores the parent of the series, and the other ignores the parent of the to-do.
REPEATS = [DUE, FIRST, REPEAT, "FREQ=WEEKLY"]
SWEEP, BRUSH = (D.write(170, [ADD, TODO, TITLE, title, *REPEATS]) for title in ("Sweep", "Brush"))
DUST, SHAKE = (D.write(171, [ADD, TODO, TITLE, title]) for title in ("Dust", "Shake"))
P.write(180, [EDIT, [0, DUST], PARENT, [0, SWEEP]], D.upto(SHAKE))
D.write(181, [EDIT, SWEEP, PARENT, [DUST]])
D.write(190, [EDIT, BRUSH, PARENT, [SHAKE]])
P.write(191, [EDIT, [0, SHAKE], PARENT, [0, BRUSH]])
# An occurrence of two series has the shown owner. Parents can be occurrences, or on a deleted list.
RAKE, MOW = (D.write(200, [ADD, TODO, TITLE, title, *REPEATS]) for title in ("Rake", "Mow"))
RAKED = D.write(201, [*happens(entity_id(D.hash[RAKE]), [RAKE], FIRST), DONE, True, CLOSED_ON, FIRST])
MOWN = P.write(210, [*happens(entity_id(D.hash[MOW]), [0, MOW], FIRST), DONE, True, CLOSED_ON, FIRST], D.upto(RAKED))
P.write(211, [ALIAS, [0, RAKED], 5, [MOWN]])
LATER = D.write(220, [*happens(entity_id(D.hash[RAKE]), [RAKE], SECOND), PARENT, [MOW]])
D.write(221, [ADD, TODO, TITLE, "Peg", PARENT, [LATER]])
GARDEN = D.write(222, [ADD, LIST, 5, "Garden"])
CART = D.write(223, [ADD, TODO, TITLE, "Cart", 6, [GARDEN], PARENT, [MOW]])
D.write(224, [ADD, TODO, TITLE, "Bag", PARENT, [CART]])
D.write(225, [DELETE, GARDEN])
# Without a complete slot, nothing is closed. In a cycle, an older parent of the same to-do does not count either.
for slot in ([], [SLOT, 2026 * 512 + 11 * 32]):
    D.write(230, [ADD, TODO, OWNER, [SWEEP], *slot, DONE, True, CLOSED_ON, SECOND])
IRON = D.write(231, [ADD, TODO, TITLE, "Iron", *REPEATS])
SEW, HEM = (D.write(231, [ADD, TODO, TITLE, title]) for title in ("Sew", "Hem"))
P.write(240, [EDIT, [0, SEW], PARENT, [0, IRON]], D.upto(HEM))
D.write(241, [EDIT, HEM, PARENT, [SEW]])
D.write(242, [EDIT, SEW, PARENT, [HEM]])
# A slot is due on the date of the occurrence with the lowest id that has a date in *due*, even one without a day. The
# value shown decides whether the series itself is done.
for title, lowest in (("Air", "soon"), ("Oil", 2027 * 512 + 32)):
    OWN = D.write(251, [ADD, TODO, TITLE, title, *REPEATS])
    ids = [1, 0]
    while ids != sorted(ids):
        TRIAL = D.copy()
        stored = [ADD, TODO, 2, f"{ids[0]}", OWNER, [OWN], SLOT, FIRST, DUE]
        added = [TRIAL.write(251, [*stored, day]) for day in (lowest, THIRD)]
        ids = [int.from_bytes(entity_id(TRIAL.hash[each]), "big") for each in added]
    D = TRIAL
BOW = D.write(260, [ADD, TODO, TITLE, "Bow", *REPEATS])
P.write(261, [EDIT, [0, BOW], DONE, True, CLOSED_ON, FIRST], D.upto(BOW))
D.write(262, [EDIT, BOW, DONE, False])
book("series", desk=D.frame(), phone=P.frame())
