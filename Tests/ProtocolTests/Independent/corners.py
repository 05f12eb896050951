"""Small books for the corners of the fold that those of `fold` do not reach."""

from daybook import branch_id, cbor
from fold import ADD, ADMIT, ALIAS, BIRTHDAY, CHOICE, DELETE, EDIT, ERASE, LIST, PICK, QUESTION, REVOKE, TODO
from fold import UUID, Writer
from fold import begun, book, tablet
from good import desk, phone

# Stamps: equal times. The replica decides before the sequence, and the sequence before the hash. The hash decides even
# if the ids of the branches have another order. The phone's id is lower than that of the desk.
D, P = begun(phone)
D.write(100, [ADD, LIST, 5, "a"])
D.write(101, [ADD, LIST, 0, "same", 5, "b"])
TRUNK, COPY = D.frame(), D.copy()
D.write(110, [EDIT, 3, 5, "desk"])
COPY.write(110, [EDIT, 3, 6, 1])
for number in range(2, 6):
    P.write(101, [ADD, LIST, *([0, "same"] if number == 5 else []), 5, f"{number}"], *[D.upto(3)] * (number == 2))
P.write(110, [EDIT, [0, 3], 5, "phone"])
for field in range(10, 16):
    for log, value in ((D, 1), (COPY, 2)):
        log.write(120, [EDIT, 4, field, value])
D.write(130, [EDIT, 4, 16, 1])
for field in range(17, 21):
    COPY.write(130, [EDIT, 4, field, 2])
    D.write(130, [EDIT, 4, field, 1])
COPIED = [COPY.hash[n] > D.hash[n] for n in range(6, 12)]
LATER = [COPY.hash[n] > D.hash[n + 1] for n in range(12, 16)]
assert desk.id > phone.id and {*COPIED} == {*LATER} == {False, True}
BRANCH = branch_id(COPY.hash[5])
book("stamps", desk=TRUNK + D.frame(5), phone=P.frame(), branch=BRANCH, copy=COPY.frame(5))

# Trunks: what a `seen` of a branch covers in its trunk, after whose event 4 the branches begin.
D, P = begun(phone)
T = Writer(tablet)
T.write(2, tablet.opening())
P.write(20, [ADMIT, tablet.key, "tablet"])
D.write(100, [ADD, LIST, 2, "x", 5, "a", 8, 0])  # 3
D.write(101, [EDIT, 3, 6, 0, 9, 0, 10, 0])
TRUNK, COPY = D.frame(), D.copy()
D.write(110, [EDIT, 3, 5, "b", 12, 0])
COPY.write(111, [EDIT, 3, 11, 0])
BRANCH = branch_id(COPY.hash[5])
# The whole trunk, but not the other branch.
P.write(120, [EDIT, [0, 3], 5, "c", 6, 1, 12, 1], [BRANCH, 5, COPY.named(5)])
# A sequence before the branch; then the branch and the trunk without its event 4.
T.write(130, [EDIT, [0, 3], 2, "y", 9, 1], [BRANCH, 3, D.named(3)])
T.write(131, [EDIT, [0, 3], 8, 1, 10, 1, 11, 1], [0, 5, COPY.named(5), [4, 1]])
book("trunks", desk=TRUNK + D.frame(5), phone=P.frame(), tablet=T.frame(), branch=BRANCH, copy=COPY.frame(5))

# Sources: of different kinds, without text, of a wrong form or length, and written twice.
PACKED = bytes.fromhex(UUID.replace("-", ""))
D, P = begun(phone)
D.write(100, [ADD, TODO, 0, "x", 5, "a"])  # 3
D.write(101, [ADD, BIRTHDAY, 0, "x", 5, "Ada"])
D.write(102, [ADD, TODO, 5, "b"])
D.write(103, [ALIAS, 4, 5, [5]])
LISTS = [
    ("", [0, ""]),
    ([0, PACKED[:15]], [0, PACKED[:15]]),
    (PACKED + b"\0", PACKED + b"\0"),
    ([1, UUID], [1, PACKED]),
    (UUID.upper(), PACKED),
    ([2, "e", 0], [2, "e", 0]),
    ([(1 << 64) - 1, "last"], [(1 << 64) - 1, "last"]),
]
for number, (one, two) in enumerate(LISTS):
    D.write(110 + number, [ADD, LIST, 0, one, 5, f"{number}"])
    P.write(130 + number, [ADD, LIST, 0, two, 6, number])
# Of values written twice, the last one that is not too large counts, even if it is no source.
for number, last in enumerate(["z" * 4097, PACKED[:15], [3, "z" * 4096], None]):
    D.write(150 + number, [ADD, LIST, 0, f"w{number}", 5, "w"])
    P.write(160 + number, [ADD, LIST, 0, f"w{number}", 0, last, 6, number])
book("sources", desk=D.frame(), phone=P.frame())

# Alternatives: without a first value, with one that is too large, in any order, twice, and of the fields 0 and 1.
D, P = begun(phone)
for number, title in enumerate("abcd", 3):
    D.write(90 + number, [ADD, LIST, 5, title])  # 3 to 6
D.write(100, [ADD, QUESTION, 5, "q"])
SEEN = D.upto(7)
P.write(110, [ADD, TODO, 5, "t", 6 + 256, [0, 3]], SEEN)
P.write(111, [ADD, TODO, 5, "u", 44 + 256, "alone", 45 + 256, "y", 45, "x", 45 + 3 * 256, "z"])
P.write(112, [ADD, TODO, 5, "v" * 4097, 5 + 256, "alone", 6 + 256, [0, 4], 6, None, 46, 1, 46 + 256, 2, 46 + 256, 3])
P.write(113, [ADD, TODO, 5, "w", 5, "w" * 4097, 5 + 256, "other", 5 + 512, "o" * 4097])
P.write(114, [ADD, CHOICE, 1, [0, 7], 0 + 256, "source", 1 + 256, [0, 5], 5, "c"])
P.write(115, [EDIT, 2, 6 + 256, [0, 6]])
P.write(116, [EDIT, 3, 255, 0, 255 + 15 * 256, 1, 5 + 16 * 256, "beyond"])
for number in range(3, 7):
    D.write(120 + number, [DELETE, number])
book("alternatives", desk=D.frame(), phone=P.frame())

# Aliases: parents that give life to an alias, and aliases that an `erase` names.
D, P = begun(phone)
ALIASES = []
for pair in ("ab", "cd", "ef", "gh"):
    one, two = (D.write(100, [ADD, LIST, 5, title]) for title in pair)
    ALIASES.append(D.write(100, [ALIAS, one, 5, [two]]))
BY_LIST, BY_OWNER, SEEN, ERASED = ALIASES
P.write(110, [ADD, TODO, 5, "t", 6, [0, BY_LIST]], D.upto(ERASED))
P.write(111, [ADD, CHOICE, 1, [0, BY_OWNER], 5, "c"])
P.write(112, [ADD, TODO, 5, "u", 6, [0, SEEN]])
P.write(113, [ADD, CHOICE, 1, [0, ERASED], 5, "d"])
for alias in (BY_LIST, BY_OWNER, ERASED):
    D.write(120, [DELETE, alias])
D.write(121, [DELETE, SEEN], P.upto(5))
# An `erase` of an alias or of an edit does not erase that event.
D.write(130, [ERASE, ERASED, D.named(ERASED)])
NAMED = D.write(131, [EDIT, 3, 6, 1])
D.write(132, [ERASE, NAMED, D.named(NAMED)])
book("aliases", desk=D.frame(), phone=P.frame())

# Struck: an invalid `admit` before the `revoke` changes nothing, so the tablet is not known and cuts no log.
D, P, T = (Writer(each) for each in (desk, phone, tablet))
for at, log in enumerate((D, P, T)):
    log.write(at, log.device.opening())
D.write(100, [ADMIT, bytes(32), "none"])
D.write(101, [REVOKE, tablet.key, []])
D.write(102, [ADMIT, phone.key, "phone"])
P.write(110, [ADMIT, tablet.key, "tablet"])
P.write(111, [ADD, LIST, 5, "a"])
T.write(120, [REVOKE, phone.key, []])
T.write(121, [ADD, LIST, 5, "b"])
book("struck", desk=D.frame(), phone=P.frame(), tablet=T.frame())

# Named: an event stays seen although a later `seen` leaves it out. A `seen` of a forked log with an unknown hash covers
# the log up to its end, and neither of its branches.
D, P, T = begun(phone, tablet)
D.write(100, [ADD, LIST, 5, "a", 2, "d"])  # 4
D.write(101, [EDIT, 4, 6, 0])
D.write(102, [EDIT, 4, 2, "e"])
TRUNK, COPY = D.frame(), D.copy()
D.write(110, [EDIT, 4, 9, 0])
COPY.write(111, [EDIT, 4, 10, 0])
P.write(120, [EDIT, [0, 4], 5, "b"], D.upto(5))
P.write(121, [EDIT, [0, 4], 6, 1], D.upto(6, (5, 1)))
T.write(130, [EDIT, [0, 4], 2, "f", 9, 1, 10, 1], [desk.id, 9, bytes(16)])
BRANCH = branch_id(COPY.hash[7])
book("named", desk=TRUNK + D.frame(7), phone=P.frame(), tablet=T.frame(), branch=BRANCH, copy=COPY.frame(7))

# Owned: the add beyond a cut makes the pick a part of the erased question. The stripped add names an `erase` of a key
# that nobody has admitted, so what it owns is not erased.
D, P, T = begun(phone, tablet)
D.write(100, [ADD, QUESTION, 5, "q"])  # 4
T.write(110, [ADD, QUESTION, 5, "kept"], D.upto(4))
T.write(111, [ADD, CHOICE, 1, [0, 4], 5, "cut"])
P.write(120, [ADD, PICK, 1, [0, 3], 5, [0, 3]], T.upto(3))
P.write(121, [ADD, QUESTION, 5, "stripped"])  # 3
P.write(122, [ADD, CHOICE, 1, [3], 5, "stays"])
D.write(130, [REVOKE, tablet.key, [[tablet.id, 2, T.named(2)]]])
D.write(131, [ERASE, 4, D.named(4)])
UNKNOWN = cbor({0: P.salted[3], 1: [bytes(range(16)), 9, bytes(16)]})
book("owned", desk=D.frame(), phone=P.frame(stripped={3: UNKNOWN}), tablet=T.frame())
