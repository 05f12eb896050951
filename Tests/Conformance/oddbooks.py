"""Books that are valid but unusual, one for each seed: the events of their devices, as files and as bundles."""
from collections import Counter
from random import Random
from oddities import (EXTRAS, FIELDS, KINDS, LAST, NEWER, ODD_FIELDS, SOURCE_DIGESTS, SOURCES, TAGS, TEXTS, UNKNOWN_VERBS, VALUES,
                      senseless, senseless_trust)
from strands import Device, Strand, deflated, name
from codec import cbor

ERASES = 6  # of one book: fewer than a device holds until its user accepts them


class Odd:
    """The events that up to four devices, and copies of them, wrote in a random order."""
    def __init__(self, seed):
        self.dice, self.counts, self.records, self.erases = Random(seed), Counter(), [], []
        bytes_ = self.dice.sample(range(1, 256), 4)
        self.devices = [Device(n, 256 - n, self.dice.randrange(256), f"device {n}") for n in bytes_[: self.dice.randint(1, 4)]]
        self.strands, self.admitted = [], []
        for device in self.devices: self.open(device)
        self.book = self.strands[0].events[0].hash[:16]
        forks, self.most_erases = self.dice.random() < 0.25, ERASES if self.dice.random() < 0.5 else 0
        for _ in range(self.dice.choice([12, 25, 25, 40, 40, 60, 140])):
            if forks and self.dice.random() < 0.06: self.fork()
            self.step(self.dice.choice(self.strands))
        for strand in [*self.strands]:
            if strand.trunk and strand.branch() is None or len(strand.events) in {
                    each.start for each in self.strands if each.trunk is strand}:
                self.write(strand, self.body_of_record)
        self.strip()

    def count(self, *names): self.counts.update(names)
    def chance(self, share): return self.dice.random() < share
    def any_of(self, table):
        """Returns a random value of a table, and counts it under its name."""
        name_ = self.dice.choice(list(table))
        self.count(name_)
        return self.dice.choice(table[name_])

    # Writing events.
    def open(self, device, trunk=None):
        strand, dice = Strand(device, self.dice, trunk), self.dice
        body = device.opening()
        if trunk: body[4] += " once more"
        if self.chance(0.1):
            body += [dice.choice(["newer", {}, None])]
            self.count("open with more")
        extras = self.extras(strand)
        strand.command((self.delta(strand), extras, body, [entry[0] for entry in extras.get(1, [])]))
        # The first strand is stored in the folder of the replica, and each branch in a separate folder.
        strand.leaves = trunk is not None
        self.strands.append(strand)

    def fork(self):
        """Copies a device's disk. The copy then writes independently."""
        trunk = self.dice.choice(self.strands)
        if len(self.strands) > 6: return
        if self.chance(0.1) and not trunk.trunk and trunk is not self.strands[0]:
            # Two first events, which follow an empty trunk.
            trunk.trunk = Strand(trunk.device, self.dice)
            self.count("fork before the first event")
            return self.open(trunk.device, trunk.trunk)
        copy = Strand(trunk.device, self.dice, trunk)
        copy.leaves = True
        self.count("fork of a branch" if trunk.trunk else "fork", *["fork after the first event"] * (len(trunk.events) == 1))
        self.strands.append(copy)
        self.write(trunk, self.body_of_record)
        self.write(copy, self.body_of_record)

    def step(self, strand):
        if strand is self.strands[0] and len(self.admitted) < len(self.devices) - 1 and self.chance(0.7):
            device = self.devices[len(self.admitted) + 1]
            self.admitted.append(device)
            if self.chance(0.9): return self.write(strand, lambda *_: [9, device.key, device.name])
        roll = self.dice.random()
        if roll < 0.10: return self.write(strand, self.body_of_trust)
        if roll < 0.16: return self.write(strand, self.body_of_marker)
        if roll < 0.24: return self.write(strand, self.body_without_sense)
        self.write(strand, self.body_of_record, 1 if self.chance(0.7) else self.dice.choice([2, 3, 5, 20]))

    def write(self, strand, body, count=1):
        """Writes a command. Its events are added to the log one by one, so that they may refer to each other."""
        events, table, at = [], list(strand.table), len(strand.events)
        if count > 1: self.count("command of several events")
        for place in range(count):
            if sum(len(cbor(each[2])) for each in events) > 400_000: break
            extras = self.extras(strand, table, at + place + 1) if place == 0 or self.chance(0.2) else {}
            ids = [entry[0] for entry in extras.get(1, []) if isinstance(entry[0], bytes)]
            table = table + ids
            made = body(strand, table, at + place + 1)
            events.append((self.delta(strand), extras, made, ids))
            if made[0] == 0 and len(made) % 2 == 0: self.records.append((strand, at + place + 1))
        strand.command(*events)

    def delta(self, strand):
        dice = self.dice
        if not strand.events:
            at = dice.choices([0, 1_700_000_000_000 + dice.randrange(10**6), 1 << 45], [1, 20, 1])[0]
            if at == 0: self.count("log from time 0")
            return at
        if self.chance(0.003) and strand.time < 1 << 60:
            self.count("time of 61 bits")
            return 1 << 60
        if self.chance(0.02) and strand.time < 1 << 45:
            self.count("time far ahead")
            return dice.randrange(1 << 42)
        return dice.choice([0, 0, 1, dice.randrange(1000), dice.randrange(10**7)])

    # Section 3: headers.
    def extras(self, strand, table=(), sequence=1):
        dice, extras = self.dice, {}
        if self.chance(0.2):
            when = dice.choice([0, -1, 1000, dice.randrange(-(10**12), 10**12), -(1 << 61), (1 << 61)])
            if abs(strand.when + when) < 1 << 62:
                extras[0] = when
                self.count("when", *["when far away"] * (abs(when) > 1 << 50), *["when before 1970"] * (strand.when + when < 0))
        entries = self.seen(strand, list(table), sequence) if sequence > 1 or self.chance(0.05) else []
        if entries: extras[1] = entries
        known = len(table) + sum(isinstance(entry[0], bytes) for entry in entries)
        if sequence > 1 and self.chance(0.08):
            elsewhere = [dice.randrange(known), dice.choice([1, 2, dice.randrange(1, 99), LAST])] if known else None
            extras[3] = elsewhere if elsewhere and self.chance(0.5) else dice.randrange(1, sequence)
            self.count("link elsewhere" if isinstance(extras[3], list) else "link here")
        if self.chance(0.04):
            extras.update(dice.choice(EXTRAS))
            self.count("extras of a newer version")
        return extras

    def seen(self, strand, table, sequence):
        dice, entries = self.dice, []
        for other in dice.sample(self.strands, len(self.strands)):
            if other is strand and self.chance(0.97) or self.chance(0.7 if table else 0.3): continue
            ids = [other.device.id] + [other.branch()] * (other.branch() is not None and self.chance(0.4))
            self.count(*["seen of itself"] * (other is strand), *["seen of a branch by its id"] * (len(ids) > 1))
            entries.append(self.entry(strand, table, ids[-1], other))
        if self.chance(0.02):
            self.count("seen of nobody's log")
            entries.append(self.entry(strand, table, dice.randbytes(16), None))
        if self.chance(0.002):
            self.count("seen of many logs")
            entries += [self.entry(strand, table, dice.randbytes(16), None) for _ in range(300)]
        return entries

    def entry(self, strand, table, id_, other):
        dice, end = self.dice, len(other.events) if other else 9
        last = dice.choice([end, end, end, end, dice.randint(1, end), dice.randint(1, end), end + dice.randint(1, 9)])
        is_held = other is not None and last <= end
        hash16 = other.events[last - 1].hash[:16] if is_held and self.chance(0.93) else dice.randbytes(16)
        self.count(*["seen with another hash"] * (is_held and hash16 != other.events[last - 1].hash[:16]),
                   *["seen of an event that is not held"] * (not is_held))
        gaps, at = [], dice.randint(1, 3)
        if self.chance(0.12):
            while at <= last and len(gaps) < 8:
                count = dice.randint(1, min(3, last - at + 1))
                gaps, at = gaps + [at, count], at + count + dice.randint(1, 4)
            self.count(*["seen with holes"] * (gaps != []))
        place = id_
        if id_ in table and self.chance(0.85): place = dice.choice([n for n, each in enumerate(table) if each == id_])
        elif id_ in table: self.count("log twice in a table")
        if place is id_: table.append(id_)
        return [place, last, hash16, gaps] if gaps else [place, last, hash16]

    # References.
    def reference(self, strand, table, sequence, target):
        """Returns a reference to an event of any strand, or None if the table lacks the log of that event."""
        other, n = target
        shared = min(len(strand.events), len(other.events))
        if n < sequence and n <= shared and other.events[n - 1] is strand.events[n - 1]: return n
        if other is strand: return n
        places = [place for place, id_ in enumerate(table) if id_ in (other.device.id, other.branch())]
        return [self.dice.choice(places), n] if places else None

    def record(self, strand, table, sequence):
        """Returns a reference, which usually refers to a record."""
        dice = self.dice
        if self.chance(0.95):
            for _ in range(6):
                near = self.records[-12:] if self.chance(0.7) else self.records
                found = self.reference(strand, table, sequence, dice.choice(near)) if near else None
                if found: return found
        odd = {"reference to event 1": [1],
               "reference to a later event": [sequence, sequence + 1, sequence + dice.randrange(40)],
               "reference to the last sequence": [LAST], "reference to any event": [dice.randint(1, sequence)]}
        if table:
            elsewhere = [dice.randrange(len(table)), dice.choice([1, 2, dice.randint(1, 30), LAST])]
            odd["reference into a log by index"] = [elsewhere]
        return self.any_of(odd)

    # Section 3.1: bodies.
    def value(self, strand, table, sequence, field):
        dice = self.dice
        if field == 0: return self.any_of(SOURCES)
        if self.chance(0.3): return self.any_of({each: VALUES[each] for each in VALUES if "note" not in each or field % 256 == 2})
        if field in (1, 6) and self.chance(0.6) or self.chance(0.1):
            found = self.record(strand, table, sequence)
            return found if isinstance(found, list) else [found]
        if field in TAGS and self.chance(0.8): return dice.choice([*TEXTS, False, False, None])
        if field % 256 in (2, 5): return dice.choice(TEXTS)
        if field % 256 == 7 and self.chance(0.6): return self.chance(0.6)
        return dice.choice([dice.choice(TEXTS), dice.randrange(9), [dice.choice("abc")], 2026 * 512 + 33, 1_700_000_000_000])

    def pairs(self, strand, table, sequence, verb):
        dice, pairs = self.dice, []
        for _ in range(dice.choice([0, 1, 1, 2, 2, 3, 5])):
            field = self.any_of(ODD_FIELDS) if self.chance(0.06) else dice.choice(FIELDS)
            pairs.append((field, self.value(strand, table, sequence, field)))
            if self.chance(0.1):
                for k in dice.sample(range(1, 16), dice.choice([1, 1, 2, 15])):
                    pairs.append((field + 256 * k, self.value(strand, table, sequence, field + 256 * k)))
                self.count("several values of one event")
            if self.chance(0.03):
                pairs.append((dice.choice(FIELDS) + 256 * dice.randint(1, 15), dice.choice(TEXTS)))
                self.count("alternative, mostly alone")
            if self.chance(0.04):
                pairs.append((field, self.value(strand, table, sequence, field)))
                self.count("field twice in a body")
        if verb == 0 and self.chance(0.35): pairs.insert(dice.randint(0, len(pairs)), (0, self.value(strand, table, sequence, 0)))
        if verb == 0 and self.chance(0.2): pairs.append((1, self.value(strand, table, sequence, 1)))
        if self.chance(0.1): dice.shuffle(pairs)
        return [item for pair in pairs for item in pair]

    def body_of_record(self, strand, table, sequence):
        dice = self.dice
        verb = 0 if not self.records else dice.choices([0, 1, 2, 3, 4], [30, 40, 12, 8, 5])[0]
        self.count(("add", "edit", "delete", "restore", "alias")[verb])
        if verb == 0: return [0, dice.choice(KINDS), *self.pairs(strand, table, sequence, 0)]
        found = self.record(strand, table, sequence)
        if verb == 1: return [1, found, *self.pairs(strand, table, sequence, 1)]
        if verb in (2, 3):
            more = self.pairs(strand, table, sequence, verb) if self.chance(0.15) else []
            if more: self.count("delete or restore with fields")
            return [verb, found, *more]
        if self.chance(0.1):
            self.count("alias of nothing")
            elsewhere = [found] if isinstance(found, int) else found
            return [4, found] + dice.choice([[], [5, None], [5, "a"], [6, elsewhere], [5, [0]]])
        other = self.record(strand, table, sequence)
        # Treat some aliases as records, so they are edited, deleted and joined.
        self.records += [(strand, sequence)] * self.chance(0.3)
        return [4, found, 5, other if isinstance(other, list) else [other]] + [5, None] * self.chance(0.03)

    def body_without_sense(self, strand, table, sequence):
        dice, found = self.dice, self.record(strand, table, sequence)
        if self.chance(0.4):
            self.count("verb not known")
            return [dice.choice(UNKNOWN_VERBS)] + dice.choice([[], [found], [found, 5, "a"], [None, {}, [1]], [0, 5, "a"]])
        if self.chance(0.5):
            self.count("invalid domain body")
            return dice.choice(senseless(found))
        self.count("invalid trust body")
        other = dice.choice(self.strands)
        return dice.choice(senseless_trust(other.device.key, self.landmark(other), found))

    def landmark(self, other):
        n = self.dice.choice([len(other.events), self.dice.randint(1, len(other.events))])
        hash16 = other.events[n - 1].hash[:16] if self.chance(0.85) else self.dice.randbytes(16)
        id_ = other.branch() if other.branch() and self.chance(0.5) else other.device.id
        return [id_, n, hash16]

    def body_of_marker(self, strand, table, sequence):
        dice, source = self.dice, self.dice.choice(SOURCE_DIGESTS)
        count = dice.choice([0, 1, 5, (1 << 64) - 1])
        kind = dice.choice(["begin", "begin", "end", "end", "observe", "marker with more"])
        self.count("marker: " + kind)
        if kind == "observe": return [18] + [1, "more"] * self.chance(0.2)
        return [16 if kind == "begin" else 17, source, count] + ["newer", {}] * (kind == "marker with more")

    def body_of_trust(self, strand, table, sequence):
        dice, other = self.dice, self.dice.choice(self.strands)
        kinds = ["admit", "admit oneself", "admit a stranger", "name", "revoke", "retire", "erase"]
        kind = dice.choices(kinds, [8, 2, 2, 4, 1, 2, 12])[0]
        if kind == "erase" and len(self.erases) >= self.most_erases: kind = "admit"
        key = strand.device.key if kind == "admit oneself" else other.device.key
        if kind == "admit a stranger": key = dice.randbytes(31) + b"\0"
        self.count("trust: " + kind)
        if kind == "revoke":
            kept = [self.landmark(each) for each in self.strands if self.chance(0.8 if each.device is other.device else 0.1)]
            return [10, key, kept] + ["newer"] * self.chance(0.1)
        if kind == "retire": return [11, *self.landmark(other)] + [None] * self.chance(0.2)
        if kind == "name": return [9, key, dice.choice(TEXTS), dice.choice([0, 1, 7, LAST, (1 << 64) - 1, -1, "newer", None])]
        routes = [[], [], [0, [0]], [0, [2, "a"]], [0, [99]], [0, [5]], [1, None, "more"]]
        if kind != "erase": return [9, key, dice.choice(TEXTS)] + dice.choice(routes)
        self.erases.append((strand, sequence))
        target = dice.choice(self.records) if self.records else (strand, 1)
        found = self.reference(strand, table, sequence, target) if self.chance(0.85) else None
        if found is None:
            return [12, self.record(strand, table, sequence)] + dice.choice([[], [dice.randbytes(16)], [b"short"], [None]])
        other, n = target
        right = other.events[n - 1].hash[:16] if n <= len(other.events) else bytes(16)
        form = dice.choices(["right", "none", "another", "newer"], [6, 2, 1, 1])[0]
        self.count(f"erase with hash: {form}")
        return [12, found] + {"right": [right], "none": [], "another": [dice.randbytes(16)], "newer": [15, {}]}[form]

    # Section 4.1: bodies that an erase stripped.
    def strip(self):
        for strand, sequence in self.erases:
            if sequence > len(strand.events) or not self.chance(0.5): continue
            erase = strand.events[sequence - 1]
            if erase.items[0] != 12: continue
            mark = [strand.branch() if sequence > strand.start and strand.branch() and self.chance(0.5) else strand.device.id,
                    sequence, erase.hash[:16]]
            told = erase.items[2:3]
            for each in self.strands:
                adds = [event for event in each.events if told and event.hash[:16] == told[0]]
                own = [event for event in each.events if adds and event.items[1:2] == [adds[0].sequence]]
                for event in adds + own: self.bare(event, mark)
            if self.chance(0.1): self.bare(self.any_body(), mark)
        if self.chance(0.03):
            self.count("stripped by an erase that is not held")
            self.bare(self.any_body(), [self.dice.randbytes(16), 5, bytes(16)])

    def any_body(self):
        strand = self.dice.choice(self.strands)
        return self.dice.choice(strand.events)

    def bare(self, event, mark):
        if event.sequence == 1 or event.items[0] > 3 or event.stripped: return
        self.count("stripped body")
        more = {2: "newer"} if self.chance(0.2) else {}
        event.stripped = cbor({0: event.salted, 1: mark, **more})

    # Sections 6 and 7: storage in files and transmission.
    def cut(self, strand, first):
        """Returns the ends of frames for the events after `first`."""
        ends, cuts, size = [end for end in strand.commands if end > first], [], 0
        share = self.dice.choice([0.05, 0.3, 1])
        for before, end in zip([first, *ends], ends):
            more = sum(len(each.raw) + len(each.body) + 64 for each in strand.events[before:end])
            if before > first and size + more > 700_000 and before not in cuts: cuts.append(before)
            size = more if before in cuts else size + more
            if end == ends[-1] or self.chance(share): cuts.append(end)
        return cuts

    def packed(self, strand, first, last, is_sealed, tells_table):
        level = self.dice.randint(0, 9)
        def pack(content): return deflated(content, level)
        newer = self.dice.choice(NEWER) if self.chance(0.05) else {}
        is_salted = self.chance(0.06)
        self.count("frame", *["frame of one event"] * (last - first == 1), *["frame of a newer version"] * (newer != {}),
                   *["frame with salts, nothing stripped"] * is_salted)
        return strand.frame(first, last, pack, is_sealed, tells_table, is_salted, newer)

    def files(self, strand, up_to=None):
        """Returns the sealed files and the tail of a strand."""
        first, files, data, ends = strand.start, {}, b"", self.cut(strand, strand.start)
        if up_to: ends = ends[:up_to]
        sealed = self.dice.randint(0, len(ends))
        start = first
        for n, end in enumerate(ends):
            is_sealed = n < sealed
            data += self.packed(strand, first, end, is_sealed or self.chance(0.2), is_sealed or first == start)
            first = end
            if is_sealed and (n + 1 == sealed or self.chance(0.3)) or n + 1 == len(ends):
                files[name(start + 1, end if is_sealed else None)] = data + bytes(8) * (is_sealed and self.chance(0.1))
                start, data = end, b""
        self.count("log of several files" if len(files) > 1 else "log of one file",
                   *["zeros behind a sealed file"] * sum(data.endswith(bytes(8)) for data in files.values()))
        return files

    def frames(self, strand):
        """Yields frames as a peer sends them. Each contains the table and ends with a head."""
        first = strand.start
        for end in self.cut(strand, first):
            yield self.packed(strand, first, end, True, True)
            first = end
