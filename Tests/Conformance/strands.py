"""Writes logs and books by protocol.md: chains, frames, files, strands and bundles, which may be unusual."""
import json, struct, sys, zlib
from pathlib import Path
from codec import cbor, head
from reader import FREE_BYTES, RATIO, sha

sys.path.append(str(Path(__file__).parents[1] / "ProtocolTests" / "Independent"))
from daybook import Device, branch_id, member, salt  # noqa: E402

NOBODY = bytes(16)


class Written:
    """An event, with the information of its frame about the log before it."""
    def __init__(self, sequence, raw, body, before, table):
        self.sequence, self.raw, self.body, self.before, self.table = sequence, raw, body, before, table
        self.stripped = None


class Strand:
    """The events that one device, or a copy of it, wrote. A copy shares the first events with the original."""
    def __init__(self, device, dice, trunk=None):
        self.device, self.dice = device, dice
        self.trunk, self.events = trunk, list(trunk.events) if trunk else []
        self.start, self.seeds = len(self.events), dict(trunk.seeds) if trunk else {}
        self.time, self.when = (trunk.time, trunk.when) if trunk else (0, 0)
        self.hash = trunk.hash if trunk else sha(b"daybook log v1", device.id)
        self.table = list(trunk.table) if trunk else []
        # The last event that the log refers to, by the id of the other log.
        self.last, self.commands = dict(trunk.last) if trunk else {}, list(trunk.commands) if trunk else []

    def command(self, *events):
        """Writes a command. Each event is a tuple (delta, extras, body, entries of seen that give an id)."""
        for place, (delta, extras, body, ids) in enumerate(events):
            extras = dict(extras)
            if place == 0 and len(events) > 1: extras[2] = len(events) - 1
            self.add(delta, extras, body, ids)
        self.commands.append(len(self.events))

    def add(self, delta, extras, body, ids):
        sequence, block = len(self.events) + 1, len(self.events) // 64
        if block not in self.seeds: self.seeds[block] = self.dice.randbytes(16)
        event = Written(sequence, cbor([delta, extras] if extras else delta), cbor(body),
                        (self.time, self.when, self.hash), list(self.table))
        event.salt = salt(self.seeds[block], sequence)
        event.salted = sha(event.salt, event.body)
        self.hash = event.hash = sha(self.hash, event.raw, event.salted)
        self.time, self.when = self.time + delta, self.when + extras.get(0, 0)
        self.table = self.table + ids
        event.time, event.seed, event.items = self.time, self.seeds[block], body
        self.events.append(event)

    def head(self, event):
        message = sha(b"daybook head v1", self.device.id, struct.pack(">QQ", event.sequence, event.time), event.hash)
        return self.device.signing.sign(message)

    def branch(self):
        """Returns the id of the branch, or None before its first command after the fork."""
        ends = [end for end in self.commands if end > self.start]
        return branch_id(self.events[ends[0] - 1].hash) if self.trunk and ends else None

    def frame(self, first, last, pack, is_sealed, tells_table, is_salted, newer):
        """Returns a frame of the events in a range. Additions of a newer version are written to both maps."""
        events = self.events[first:last]
        time, when, chain = events[0].before
        blocks = {}
        for event in events: blocks.setdefault((event.sequence - 1) // 64, []).append(event)
        bare = {(each.sequence - 1) // 64 for each in self.events if each.stripped}
        secrets = [[None if each.stripped else each.salt for each in block] if is_salted or number in bare
                   else block[0].seed for number, block in sorted(blocks.items())]
        table = events[0].table
        told = {0: time, 1: when, 2: chain, 3: secrets, 4: len(table), 5: table if tells_table else []}
        told = {key: value for key, value in told.items() if key in (0, 2, 3) or value}
        content = cbor({**told, **newer}) + b"".join(each.raw + (each.stripped or each.body) for each in events)
        if is_sealed: content += cbor({0: self.head(events[-1]), **newer})
        return member(content, events[0].sequence, len(events), pack, self.device.id)


def deflated(content, level):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    # Repeated letters compress better than a frame allows.
    return packed if len(content) <= FREE_BYTES or len(content) <= RATIO * len(packed) else deflated(content, 0)


def name(first, last=None):
    return f"{first:012d}.gz" if last is None else f"{first:012d}-{last:012d}.gz"


def write_book(folder, book):
    folder.mkdir(parents=True)
    told = {"format": 1, "book": book.hex(), "device": "odd", "formerly": [], "writers": {}}
    (folder / "book.json").write_text(json.dumps(told))


def write_files(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name_, data in files.items(): (folder / name_).write_bytes(data)


# Section 10: bundles.
def bundle(book, strands, framed):
    """Returns all events of the strands as a peer would send them. `framed` gives the frames of a strand."""
    places = sorted([each.device.id, len(each.events), each.hash] for each in strands)
    places = [place for number, place in enumerate(places) if place not in places[:number]]
    messages = [[0, 1, 1, book, [], NOBODY, places, NOBODY, False]]
    for strand in sorted(strands, key=lambda each: (each.device.id, each.start)):
        messages += [[1, strand.device.id, frame] for frame in framed(strand)]
    messages.append([2, places])
    content = b"daybook bundle 1\n"
    for message in map(cbor, messages): content += struct.pack(">I", len(message)) + message
    return content + sha(content)
