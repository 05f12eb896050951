"""The vectors of the course of a session, by section 9: a listener's answers, and messages in and out of turn."""

from daybook import sha
from good import CLONE, DESK, PHONE, desk, phone, vector

# A listener's answers to the places of a dialler. It holds these logs up to these events, without forks or losses.
HELD = {desk.id: DESK.hash[:8], phone.id: PHONE.hash[:5]}
NAMES = {desk.id: "desk", phone.id: "phone"}


def answer(replica, sequence, hash_):
    """The events of the log at which the listener answers a place, and whether it holds that place."""
    hashes = HELD[replica]
    if hash_ in hashes:
        return [sequence], True
    if sequence >= len(hashes):
        return [], False
    steps = [0] + [1 << n for n in range(sequence.bit_length())]
    places = [sequence - sum(steps[: n + 1]) for n in range(len(steps))]
    return [place for place in places if place > 0], False


def told(places):
    """The frontier of the listener's hello, and when it begins to send."""
    found = {(replica, len(hashes) - 1) for replica, hashes in HELD.items()}
    holds = [answer(*place) for place in places]
    for (replica, *_), (sequences, _) in zip(places, holds):
        found |= {(replica, sequence) for sequence in sequences}
    frontier = " ".join(f"{NAMES[replica]} {sequence}" for replica, sequence in sorted(found))
    return frontier, "at once" if all(is_held for _, is_held in holds) else "after the have"


STRANGE = sha(b"another event")
for name, places in [
    ("nothing", []),
    ("an earlier event", [(desk.id, 5, DESK.hash[5])]),
    ("another branch", [(desk.id, 7, CLONE.hash[7])]),
    ("events beyond the own", [(desk.id, 9, DESK.hash[9])]),
    ("earlier events of both logs", [(phone.id, 1, PHONE.hash[1]), (desk.id, 2, DESK.hash[2])]),
    ("another first event", [(desk.id, 1, STRANGE)]),
    ("two logs, one with another branch", [(phone.id, 3, STRANGE), (desk.id, 7, DESK.hash[7])]),
]:
    pairs = [("places", len(places))]
    for number, (replica, sequence, hash_) in enumerate(places, 1):
        pairs += [(f"replica {number}", replica), (f"sequence {number}", sequence), (f"hash {number}", hash_)]
    frontier, start = told(places)
    vector("answer: " + name, *pairs, ("frontier", frontier), ("sends", start))


# Messages in turn. The receiver of the messages has no events to send, and sends its `end` as soon as it may.
class Receiver:
    """One side of a session, which decides whether a message is allowed, by the table in section 9."""

    def __init__(self, role, is_equal=False, both_stay=False, has_shown_proof=False):
        self.is_listener, self.is_equal, self.both_stay = role == "listener", is_equal, both_stay
        self.has_shown_proof = has_shown_proof
        self.heard = []
        # The `end` messages of this side, and the highest number in a `have`.
        self.ends, self.counted = 0, 0

    def takes(self, message):
        """Whether a message is allowed; if so, it counts as heard."""
        word, _, number = message.partition("-")
        is_allowed = getattr(self, "allows_" + word)(int(number or 0))
        if is_allowed:
            self.heard.append(word)
            self.note(word, int(number or 0))
        return is_allowed

    def note(self, word, number):
        if word == "have":
            self.counted = number
        # The first message after which this side may send its `end`.
        if not self.is_equal and word == ("have" if self.is_listener else "hello"):
            self.ends = 1

    @property
    def has_met(self):
        return "hello" in self.heard

    def since_end(self):
        """The frames since the sender's last `end`, and whether there was one."""
        last = max((n for n, word in enumerate(self.heard) if word == "end"), default=-1)
        return self.heard[last + 1 :].count("frame"), last >= 0

    def allows_prove(self, _):
        return self.is_listener and not self.has_met and "prove" not in self.heard

    def allows_asking(self, _):
        return not self.is_listener and self.has_shown_proof and not self.has_met and "asking" not in self.heard

    def allows_hello(self, _):
        return not self.has_met

    def allows_have(self, ends):
        return self.has_met and self.counted <= ends <= self.ends

    def allows_frame(self, _):
        lacks_answer = self.is_listener and not self.is_equal and "have" not in self.heard
        is_late = self.is_equal or self.since_end()[1]
        return self.has_met and not lacks_answer and (self.both_stay or not is_late)

    def allows_end(self, ends):
        frames, has_ended = self.since_end()
        is_first = not self.is_equal and not has_ended
        return self.allows_frame(ends) and (frames > 0 or is_first)

    def allows_alive(self, _):
        return self.has_met and self.both_stay


def turns(name, sequences, role, hellos="unequal", staying="one", proof="none"):
    """Adds a vector of sequences of messages: those taken as a whole, and those whose last message is refused."""
    pairs = [("receiver", role), ("hellos", hellos), ("staying", staying), ("proof", proof)]
    for number, sequence in enumerate(sequences.split(", "), 1):
        receiver = Receiver(role, hellos == "equal", staying == "both", proof == "shown")
        taken = [receiver.takes(message) for message in sequence.split()]
        assert all(taken[:-1]), sequence
        pairs.append((f"{'taken' if taken[-1] else 'refused'} {number}", sequence))
    vector("turns: " + name, *pairs)


turns(
    "to a listener",
    "prove hello have-0 frame frame end have-1, hello have-0 end have-0 have-1, prove prove, asking, have-0, frame, "
    "end, alive, hello hello, hello prove, hello asking, hello frame, hello end, hello alive, hello have-1, "
    "hello have-0 have-2, hello have-0 have-1 have-0, hello have-0 end end, hello have-0 end frame",
    "listener",
)
turns(
    "to a listener, both stay",
    "hello alive have-0 alive end alive, hello have-0 end frame end frame frame end have-1, hello frame, "
    "hello have-0 end end, hello have-0 frame end end",
    "listener", staying="both",
)
turns(
    "to a listener that holds the same", "hello have-0, hello have-1, hello frame, hello end, hello alive",
    "listener", "equal",
)
turns(
    "to a listener that holds the same, both stay",
    "hello frame end have-0 alive frame end, hello end, hello frame end end",
    "listener", "equal", "both",
)
turns(
    "to a dialler",
    "hello frame have-0 frame end have-1, hello end have-1, hello have-1 end, asking, prove, frame, end, have-0, "
    "hello hello, hello prove, hello asking, hello alive, hello have-2, hello have-1 have-0, hello end end, "
    "hello end frame",
    "dialler",
)
turns(
    "to a dialler, both stay", "hello end frame end have-1 alive, hello alive, alive, hello frame end end",
    "dialler", staying="both",
)
turns(
    "to a dialler with a proof", "asking hello end have-1, hello, asking asking, hello asking, asking have-0",
    "dialler", proof="shown",
)
