"""The disputes of documents, by section 12.3, and a small book with some."""

from fold import ADD, ALIAS, DELETE, EDIT, LIST, RESTORE, begun, book, tablet
from good import desk, phone
from reader import is_bytes, loads

DISPUTED, MARKS, SETTLERS = 255, 16, 64
NAMES = {desk.id: "desk", phone.id: "phone", tablet.id: "tablet"}


def stamp(event):
    """A stamp in which the id of the log replaces the chain hash."""
    return (*event.stamp[:3], event.log.id)


def last(events, count):
    """The last event in each log: those with the highest stamps, the highest first."""
    found = {}
    for event in sorted(events, key=lambda each: each.sequence):
        found[event.log] = event
    return sorted(found.values(), key=stamp, reverse=True)[:count]


class Disputes:
    """The disputes of one document."""

    def __init__(self, found, members):
        self.book, self.members = found, members
        givers = [each for member in members for each in found.givers[member]]
        deletes = [each for member in members for each in found.deletes[member]]
        self.givers = last(givers, SETTLERS)
        # An add is a giver of its own entity, but settles a dispute only if it names a member as parent.
        others = [each for member in members for each in found.givers[member] if each is not member]
        self.settlers = last(others + deletes + self.aliases(), SETTLERS)

    def aliases(self):
        """The living aliases of the component; every component here consists of its members."""
        aliases = self.book.aliases.items()
        return [each for each, (one, _) in aliases if one in self.members and self.book.is_alive(each)]

    def is_settled(self, *events):
        return any(all(self.book.saw(by, each) for each in events) for by in self.settlers)

    def plain(self, member):
        """The pairs that are in dispute without an undo."""
        for delete in last(self.book.deletes[member], MARKS):
            for giver in last(self.book.givers[member], MARKS):
                is_seen = self.book.saw(delete, giver) or self.book.saw(giver, delete)
                is_reverted = any(self.book.saw(by, delete) for by in self.givers)
                if not is_seen and not is_reverted and not self.is_settled(delete, giver):
                    yield stamp(delete), stamp(giver), delete, giver, ""

    def reopened(self, member):
        """The pair that an undo has brought back, if no settler has seen all such undos."""
        writes = {}
        for event, field, value, _ in sorted(self.book.writes[member], key=lambda each: each[0].sequence):
            if field == DISPUTED:
                writes[event.log] = event, value
        undos = [event for event, value in writes.values() if is_bytes(value, 1) and loads(value) is True]
        deletes, givers = self.book.deletes[member], self.book.givers[member]
        if deletes and any(not self.is_settled(each) for each in undos):
            logs = [each.log for each in undos]
            delete = max([each for each in deletes if each.log not in logs] or deletes, key=stamp)
            others = [each for each in givers if each.log is not delete.log]
            if others:
                giver = max(others, key=stamp)
                yield stamp(delete), stamp(giver), delete, giver, ", reopened"

    def shown(self):
        """The dispute that is shown, in words."""
        pairs = [each for member in self.members for each in list(self.plain(member)) or self.reopened(member)]
        if not pairs:
            return "no dispute"
        *_, delete, giver, rest = max(pairs, key=lambda each: each[:2])
        delete, giver = (f"{NAMES[each.log.id]} {each.sequence}" for each in (delete, giver))
        return f"deleted by {delete}, given by {giver}{rest}"


def shown(found):
    """The id of each living document and its dispute."""
    living = [each for each in found.documents() if any(map(found.is_alive, each))]
    return sorted((found.ids[members[0]].hex(), Disputes(found, members).shown()) for members in living)


# All devices know the lists 4 to 11. The desk and the phone do not know of each other's deletes and edits.
D, P, T = begun(phone, tablet)
for each in "abcdefgh":
    D.write(100, [ADD, LIST, 5, each])
KNOWN = D.upto(11)
for each in (4, 5, 6, 8, 9, 10):
    D.write(200 + each, [DELETE, each])
    P.write(220 + each, [EDIT, [0, each], 6, each], *[KNOWN] * (each == 4))
D.write(212, [EDIT, 11, 6, 11])
T.write(240, [DELETE, [0, 11]], KNOWN)
# The tablet has seen all that. It restores a list, joins another, and settles and reopens the other disputes.
T.write(300, [RESTORE, [0, 5]], D.upto(len(D.hash) - 1), P.upto(len(P.hash) - 1))
T.write(301, [ALIAS, [0, 6], 5, [0, 7]])
for each in range(8, 12):
    T.write(10 * each + 230, [DELETE, [0, each]])
    T.write(10 * each + 231, [EDIT, [0, each], DISPUTED, True])
# The desk settles two of them. Later, the phone deletes one of these lists, which the tablet edits.
D.write(400, [EDIT, 9, 2, "kept"], T.upto(len(T.hash) - 1))
D.write(401, [EDIT, 10, 2, "kept"])
P.write(500, [DELETE, [0, 10]], D.upto(len(D.hash) - 1), T.upto(len(T.hash) - 1))
T.write(501, [EDIT, [0, 10], 2, "later"])
# A restore that has not seen the phone's edit takes back the delete, as does an edit of another member. The add of a
# member has seen an undo, but does not settle the dispute.
RESTORED, ONE, TWO = (D.write(600, [ADD, LIST, 5, each]) for each in "ijk")
UNDONE = D.write(600, [ADD, LIST, 0, "same", 5, "l"])
D.write(601, [ALIAS, ONE, 5, [TWO]])
KNOWN = D.upto(len(D.hash) - 1)
for each in (RESTORED, ONE, UNDONE):
    D.write(602, [DELETE, each])
    P.write(603, [EDIT, [0, each], 6, each], *[KNOWN] * (each == RESTORED))
T.write(604, [RESTORE, [0, RESTORED]], D.upto(len(D.hash) - 1))
T.write(605, [EDIT, [0, TWO], 6, 0])
T.write(606, [DELETE, [0, UNDONE]], P.upto(len(P.hash) - 1))
T.write(607, [EDIT, [0, UNDONE], DISPUTED, True])
P.write(608, [ADD, LIST, 0, "same", 5, "m"], D.upto(len(D.hash) - 1), T.upto(len(T.hash) - 1))
book("disputes", shown, desk=D.frame(), phone=P.frame(), tablet=T.frame())
