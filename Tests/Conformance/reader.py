"""Reads books by protocol.md, and prints a line of JSON for each: python3 reader.py BOOK…

It shares no code with the program. It requires Debian's python3-cryptography."""
import hashlib, json, os, re, struct, sys, zlib
from collections import defaultdict
from pathlib import Path
from codec import Bad, Raw, cbor, decode, loads, must
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FRAME_BYTES, CONTENT_BYTES, FREE_BYTES, RATIO, FILE_BYTES = 1 << 20, 4 << 20, 1 << 16, 256, 64 << 20
COMMAND_EVENTS, COMMAND_BYTES, SMALL_BYTES, LAST = 16384, 640 << 10, 1024, 1 << 62
START = b"\x1f\x8b\x08\x06\0\0\0\0\0\xff\x1d\0DB\x19\0\x01"
ADD, EDIT, DELETE, RESTORE, ALIAS, OPEN, ADMIT, REVOKE, ERASE = 0, 1, 2, 3, 4, 8, 9, 10, 12
TITLE_BYTES, NOTE_BYTES, DRAW_BYTES, TAGS, TAG_BYTES, WEIGHT = 4096, 65536, 524288, 64, 256, 1 << 53
SOURCE, OWNER, OTHER, TODO, LIST, NULL, TABLE, SEEN = 0, 1, 5, 2, 6, b"\xf6", 4096, 1024
FIELDS, LAST_FIELD = 256, 4095
TAGGED = range(1 << 16, (1 << 16) + (1 << 48))  # a register for each tag
FOLDER, FILE = re.compile("[0-9a-f]{32}"), re.compile(r"(\d{12,})(?:-(\d{12,}))?\.gz")
UUID = re.compile("-".join(f"[0-9a-f]{{{n}}}" for n in (8, 4, 4, 4, 12)))
class Event:
    """An event. `entity` is the target of an erase that is only remembered."""
    def __init__(self, sequence, hash_, body, entity=()):
        self.sequence, self.hash, self.body, self.entity = sequence, hash_, body, entity
        self.verb = None if isinstance(body, dict) else body[0]

# Sections 2, 4 and 12.5: names, the chain and the digest.
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def words(digest):
    c, v = "bdfghjklmnprstvz", "aiou"
    return " ".join(c[n >> 12] + v[n >> 10 & 3] + c[n >> 6 & 15] + v[n >> 4 & 3] + c[n & 15]
                    for n in struct.unpack(">6H", digest[:12]))
def entity_id(chain_hash):
    number = int.from_bytes(chain_hash[:16], "big") & ~(0xF << 76 | 3 << 62) | 8 << 76 | 2 << 62
    return number.to_bytes(16, "big")
def is_uint(item): return type(item) is int and item >= 0
def counts(field, item):
    """Whether a value is within the limits of its field by section 12.2. Alternatives have the same limits."""
    if field < 0: return True
    is_tag = field in TAGGED
    if not is_tag and (field > LAST_FIELD or field >= FIELDS and field % FIELDS <= OWNER): return False
    if not is_tag: field %= FIELDS
    if item is None or isinstance(item, bool): return True
    if isinstance(item, str): return len(item.encode()) <= (TAG_BYTES if is_tag else NOTE_BYTES if field == 2 else TITLE_BYTES)
    if isinstance(item, bytes): return len(item) <= (DRAW_BYTES if field == 6 else TITLE_BYTES)
    if is_uint(item): return field != 6 or item <= WEIGHT
    if isinstance(item, list) and item and all(isinstance(each, str) for each in item):
        return len(item) <= TAGS and all(len(each.encode()) <= TAG_BYTES for each in item)
    return len(cbor(item)) <= (NOTE_BYTES if field == 4 else TITLE_BYTES)
# Section 2.1: keys. Section 3.1: valid bodies.
PRIME = (1 << 255) - 19
SMALL_Y = {0, 1, 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826}
SMALL_U = {0, 1, 0xb8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0,
           0x57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f}
def small(n, among): return n >= PRIME or n in among or n == PRIME - 1
def is_bytes(item, count): return isinstance(item, bytes) and len(item) == count
def signs(key):
    if not is_bytes(key, 32): return False
    y = int.from_bytes(key, "little") & ~(1 << 255)
    return not small(y, SMALL_Y) and PRIME - y not in SMALL_Y
def agrees(key): return is_bytes(key, 32) and not small(int.from_bytes(key, "little"), SMALL_U)
def is_sequence(item): return is_uint(item) and 0 < item < LAST
def is_landmark(items):
    return len(items) == 3 and is_bytes(items[0], 16) and is_sequence(items[1]) and is_bytes(items[2], 16)
def is_reference(item):
    return is_sequence(item) or isinstance(item, list) and len(item) == 2 and is_uint(item[0]) and is_sequence(item[1])
def makes_sense(body):
    """Whether a body of a trust event or a marker is valid."""
    verb, *items = body
    match verb, items:
        case 8, [key, agreement, incarnation, name, *_]:
            return signs(key) and agrees(agreement) and is_bytes(incarnation, 16) and isinstance(name, str)
        case 9, [key, name, *_]: return signs(key) and isinstance(name, str)
        case 10, [key, kept, *_]:
            return signs(key) and isinstance(kept, list) and all(
                isinstance(each, list) and is_landmark(each) for each in kept)
        case 11, [*items]: return is_landmark(items[:3])
        case 12, [target, *_]: return is_reference(target)
        case (16 | 17), [source, count, *_]: return is_bytes(source, 32) and is_uint(count)
    return False
def state(documents):
    buckets = defaultdict(list)
    for id_, hash_ in sorted((each[0], sha(cbor(each))) for each in documents): buckets[id_.hex()[:3]].append(hash_)
    return cbor([sha(cbor(hashes)) for hashes in buckets.values()])

# Sections 3 to 6: events and frames.
class Frame:
    """The frame that begins at an offset."""
    def __init__(self, data, offset=0):
        envelope = data[offset : offset + 43]
        must(len(envelope) == 43 and envelope.startswith(START), "no frame")
        self.length, self.first, self.count, self.replica, check = struct.unpack("<IQI8sH", envelope[17:])
        must(check == zlib.crc32(envelope[:41]) & 0xFFFF, "header CRC")
        must(43 < self.length <= min(2 * FRAME_BYTES, len(data) - offset), "length")
        must(self.first > 0 and 0 < self.count <= CONTENT_BYTES // 3, "envelope")
        must(self.first + self.count <= LAST, "envelope")
        try:
            self.content = self.inflate(data[offset + 43 : offset + self.length])
            self.at = 0
            self.read()
        except Exception as error: raise Bad(repr(error)) from error
    def inflate(self, packed):
        inflater = zlib.decompressobj(-15)
        content = inflater.decompress(packed, CONTENT_BYTES + 1)
        trailer, most = inflater.unused_data, min(CONTENT_BYTES, max(FREE_BYTES, RATIO * len(packed)))
        must(inflater.eof and len(content) <= most, "a bomb")
        must(trailer == struct.pack("<II", zlib.crc32(content), len(content)), "content CRC")
        return content
    def item(self):
        start = self.at
        value, self.at = decode(self.content, start)
        return value, self.content[start : self.at]
    def read(self):
        told, _ = self.item()
        self.hash, self.salts, self.table_count, self.table = told[2], {}, told.get(4, 0), told.get(5, [])
        self.events, self.signature, self.known = [], None, self.table_count
        must(len(self.table) in (0, self.table_count) and self.table_count <= TABLE, "table")
        last, is_salted = self.first + self.count - 1, list in map(type, told[3])
        must(told.get(1) != 0 != told.get(4) and self.length <= FRAME_BYTES << is_salted, "information")
        must(len(told[3]) == (last - 1) // 64 - (self.first - 1) // 64 + 1, "seeds")
        seeds = {}
        for n, secret in enumerate(told[3], (self.first - 1) // 64):
            block = range(max(self.first, n * 64 + 1), min(last, n * 64 + 64) + 1)
            salts = secret if isinstance(secret, list) else [
                sha(b"daybook salt v1", secret, struct.pack(">Q", each))[:16] for each in block]
            must(len(salts) == len(block), "salts")
            self.salts.update(zip(block, salts))
            seeds.update(dict.fromkeys(block, None if salts is secret else secret))
        time, when, chain, left, size = told[0], told.get(1, 0), self.hash, 0, 0
        for sequence in range(self.first, last + 1):
            (header, raw), (body, raw_body) = self.item(), self.item()
            delta, extras = (header, {}) if is_uint(header) else header
            must(is_uint(delta) and (extras or header is delta), "header")
            self.check(extras, sequence)
            before, raws = (time, when, chain), (raw, raw_body)
            if isinstance(body, dict):
                must(self.salts[sequence] is None and len(raw_body) <= SMALL_BYTES, "salt of a stripped body")
                must(len(body[1]) == 3 and len(body[0]) == 32, "stripped body")
                digest, raw_body = body[0], b""
            else: digest = sha(self.salts[sequence], raw_body)
            chain = sha(chain, raw, digest)
            event = Event(sequence, chain, body)
            event.before, event.raws, event.secret = before, raws, (seeds[sequence], self.salts[sequence])
            must(is_uint(event.verb) != isinstance(body, dict), "verb")
            must((sequence == 1) == (event.verb == OPEN) and (sequence > 1 or makes_sense(body)), "open")
            time, when = time + delta, when + extras.get(0, 0)
            must(time < 1 << 63 and -1 << 63 <= when < 1 << 63, "time")
            must(extras.get(2) != 0 and (left == 0 or 2 not in extras), "more")
            event.begins, left = left == 0, left - 1 if left else extras.get(2, 0)
            size = (0 if event.begins else size) + len(raw) + len(raw_body)
            must(left < COMMAND_EVENTS and size <= COMMAND_BYTES, "too large a command")
            event.time, event.extras, event.ends = time, extras, left == 0
            event.when = when if 0 in extras else None
            self.events.append(event)
        if self.at < len(self.content):
            head, raw = self.item()
            self.signature = head[0]
            must(len(head[0]) == 64 and len(raw) <= SMALL_BYTES, "head")
        must(left == 0 and self.at == len(self.content), "a partial command, or additional bytes")
    def check(self, extras, sequence):
        for log, last, hash16, *gaps in extras.get(1, []):
            self.known += not is_uint(log)
            must(log < self.known if is_uint(log) else len(log) == 16, "an index beyond the table")
            must(0 < last < LAST and len(hash16) == 16 and len(gaps) < 2 and gaps != [[]], "seen")
            ends = [0] + [n for a, m in zip(*[iter(gaps[0] if gaps else [])] * 2) for n in (a, a + m)]
            must(len(sum(gaps, [])) % 2 == 0 and sorted(set(ends)) == ends and ends[-1] <= last + 1, "gaps")
        must(0 < len(extras.get(1, [0])) <= SEEN and self.known <= TABLE, "seen")
        index, link = [None, extras.get(3)] if is_uint(extras.get(3, 1)) else extras[3]
        must(link is None or is_sequence(link) and (link < sequence if index is None else index < self.known), "link")

# Section 7: files, strands, and the tree of logs.
class Log:
    """A log in the sense of section 2: the events of a replica between two forks."""
    def __init__(self, id_, replica, trunk, events):
        self.id, self.trunk, self.branches, self.memories = id_, trunk, [], []
        self.start = trunk.last if trunk else 0  # The last event of the trunk.
        self.events = {event.sequence: event for event in events}
        self.last = max(self.events, default=trunk.last if trunk else 0)
        for event in events:
            event.log, event.stamp = self, (event.time, replica, event.sequence, event.hash)
    def way(self):  # The log and its trunks, from the first one on.
        return (self.trunk.way() if self.trunk else []) + [self]
    def below(self):  # The log and all its branches, recursively.
        return [self] + [each for branch in self.branches for each in branch.below()]
    def at(self, sequence):  # The event with this number in the log or its trunks.
        return next((log.events[sequence] for log in self.way() if sequence in log.events), None)

def whole(log, sequence):
    """Returns the last event that ends a command, at or before an event, with its log."""
    ends = [each.sequence for each in log.events.values() if each.ends and each.sequence <= sequence]
    if ends or not log.trunk: return log, max(ends, default=0)
    return whole(log.trunk, min(sequence, log.start))

class Replica:
    """All held events of one replica."""
    def __init__(self, folder, id_):
        self.id, self.holes, self.heads, self.strands = id_, {}, [], []
        # Commands by their last hash, the hash before each, and the commands directly after a hole.
        self.commands, self.before, self.next, self.behind = {}, {}, defaultdict(list), set()
        for strand in [""] + sorted(filter(FOLDER.fullmatch, os.listdir(folder))):
            self.missing = self.holes[strand or id_.hex()] = []
            self.strands.append({})
            self.read(folder / strand)
        self.part()
        for last, before in sorted(self.before.items()): self.next[before].append(last)
        self.logs = self.grow(sha(b"daybook log v1", id_), [], id_, None)
        held = {event.hash: event for log in self.logs for event in log.events.values()}
        self.wrong = sum(hash_ in held and not self.proves(each, held[hash_]) for each, hash_ in self.heads)
    def part(self):
        """Removes what a strand has after the commands that it shares with another strand from its first command on."""
        for own in filter(None, self.strands):
            for other in self.strands:
                shared = other is not own and other.get(min(own)) == own[min(own)]
                if shared and any(other.get(last, hash_) != hash_ for last, hash_ in own.items()):
                    for hash_ in set(own.values()) - set(other.values()): self.before.pop(hash_, None)
    def read(self, folder):
        found, self.end, self.table, held = filter(None, map(FILE.fullmatch, os.listdir(folder))), None, {}, []
        for _, _, name in sorted((int(each[1]), -int(each[2] or 0), each[0]) for each in found):
            must((folder / name).stat().st_size <= FILE_BYTES, "a file too large")
            data = (folder / name).read_bytes()
            offset, table = 0, []
            while offset < len(data):
                try:
                    frame = Frame(data, offset)
                    offset += frame.length
                    # Through a disk fault, the file can contain a frame of another log.
                    if frame.replica == self.id[:8]: table, held = self.take(frame, table), held + frame.events
                except Bad:
                    offset = data.find(START, offset + 1) % (len(data) + 1)
        # A later frame can show what lost events added to the table.
        for event in held: event.table = [self.table.get(n) for n in range(len(event.table))]
    def take(self, frame, table):
        """Adds a frame's commands to the tree, and returns the table after the frame."""
        table = frame.table or (table + [None] * frame.table_count)[: frame.table_count]
        before, command, last = frame.hash, [], frame.events[-1]
        if self.end and frame.first > self.end.sequence + 1:
            self.missing.append([self.end.sequence + 1, frame.first - 1])
            before = self.end.hash
            self.behind.add(next(event.hash for event in frame.events if event.ends))
        for event in frame.events:
            ids = [entry[0] for entry in event.extras.get(1, []) if isinstance(entry[0], bytes)]
            event.table = table = table + ids
            self.table.update((n, id_) for n, id_ in enumerate(table) if id_)
            command.append(event)
            if event.ends:
                if event.hash not in self.commands or any(each.verb is None for each in command):
                    self.commands[event.hash] = command
                self.before.setdefault(event.hash, before)
                self.strands[-1][event.sequence] = event.hash
                before, command = event.hash, []
        if frame.signature: self.heads.append((frame.signature, last.hash))
        if not self.end or last.sequence > self.end.sequence: self.end = last
        return table
    def grow(self, before, events, id_, trunk):
        """Returns the log that begins with these events, and its branches."""
        while len(self.next[before]) == 1:
            before = self.next[before][0]
            events = events + self.commands[before]
        # A branch whose first command is lost has no id and is not read.
        tips = [last for last in self.next[before] if last not in self.behind]
        log = Log(id_, self.id, trunk, events)
        grown = [self.grow(last, self.commands[last], sha(b"daybook branch v1", last)[:16], log)
                 for last in tips]
        log.branches = sorted((logs[0] for logs in grown), key=lambda one: one.id)
        return [log] + [each for logs in grown for each in logs]
    def proves(self, signature, event):
        message = sha(b"daybook head v1", self.id, struct.pack(">QQ", event.sequence, event.time), event.hash)
        try:
            _, key, _, incarnation, *_ = event.log.at(1).body
            must(sha(b"daybook replica v1", key, incarnation)[:16] == self.id, "replica")
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except (AttributeError, InvalidSignature, Bad): return False
        return True

class Book:
    def __init__(self, folder):
        told = json.loads((folder / "book.json").read_bytes())
        must(told["format"] == 1, "another format")
        self.id = bytes.fromhex(told["book"])
        self.replicas, strangers = self.shelf(folder / "logs"), self.shelf(folder / "aside")
        self.logs = {log.id: log for replica in self.replicas for log in replica.logs}
        # Logs that are set aside are held, although their devices may not write to the book.
        self.aside = {log.id: log for replica in strangers for log in replica.logs}
        self.remember(folder / "trust")
        self.trust()
        self.sights = {log: list(self.seen(log)) for log in self.logs.values()}
    @staticmethod
    def shelf(folder):
        names = sorted(filter(FOLDER.fullmatch, os.listdir(folder))) if folder.exists() else []
        return [Replica(folder / each, bytes.fromhex(each)) for each in names]
    # Section 8: trust.
    def remember(self, path):
        """Reads the trust events that the logs no longer contain from the file `trust`."""
        data = path.read_bytes() if path.exists() else b""
        _, told, kept, *forks = loads(data[:-32]) if sha(data[:-32]) == data[-32:] else (1, [], [])
        self.forks = {branch: event for each in forks for branch, *event in each}
        self.lost, self.ways, self.lines = {}, {}, defaultdict(dict)
        shown = [(*each[1:4], *each[5:]) for each in told] + [(*each[:3], *each[4:]) for each in kept]
        for id_, sequence, hash16, *rest in [*shown, *self.forks.values()]:
            self.lines[id_][sequence] = hash16
            trail = rest[-1] if len(rest) % 2 else b""
            for n in range(len(trail) // 16):
                if any(trail[16 * n:16 * n + 16]): self.lines[id_][sequence - (1 << n)] = trail[16 * n:16 * n + 16]
        for replica, id_, sequence, hash16, body, *rest in told:
            body = loads(body)
            if not isinstance(body, list) or not body or not makes_sense(body): continue
            event = Event(sequence, hash16, body, rest[:2] if len(rest) > 1 else [])
            event.table = []  # Without an entity, the index of an erase refers to nothing.
            event.log = self.place(id_, sequence)
            held = event.log.events.get(sequence)
            if not held or held.hash[:16] != hash16: event.log.memories.append(event)
        self.kept = {(each[1], each[2]): (self.place(*each[:2]), each[3]) for each in kept}
    def place(self, id_, sequence):
        """Returns the log in which an event counts that has the given log in the file `trust`."""
        log, last, rest = self.line(id_)
        if sequence > last: return rest
        while log.trunk and sequence <= log.start: log = log.trunk
        return log
    def line(self, id_):
        """Returns the log with the last held event of a line of `trust`, that event, and the log of what follows."""
        if id_ not in self.ways: self.ways[id_] = self.follow(id_)
        return self.ways[id_]
    def follow(self, id_):
        trunk, log = None, self.logs.get(id_)
        if not log and id_ in self.forks:
            id_of_trunk, sequence, hash16 = self.forks[id_]
            trunk = self.place(id_of_trunk, sequence)
            trunk = self.holder(trunk.way()[0].id, sequence, hash16) or trunk
        log = log or trunk or self.logs.setdefault(id_, Log(id_, id_, None, []))
        start = last = sequence if trunk else log.start
        points = sorted(each for each in self.lines[id_].items() if each[0] > start)
        for point in reversed(points):
            found = self.holder(log.way()[0].id, *point)
            if not found: continue
            log, last = found, point[0]
            break
        if trunk and (last == start or whole(log, last)[1] <= start):
            # Without the other branches, a branch is the rest of its trunk.
            rest = [event for event in trunk.events.values() if event.sequence > start]
            end = next((event for event in rest if event.ends), None)
            goes_on = end and rest[0].sequence == start + 1 and sha(b"daybook branch v1", end.hash)[:16] == id_
            if not goes_on: return trunk, start, self.lose(id_, trunk, start)
        later = [sequence for sequence, _ in points if sequence > last]
        if any(each in log.events or log.branches and each > log.last for each in later):
            log, last = whole(log, last)
            return log, last, self.lose(sha(id_, str(later[0]).encode())[:16], log, last)
        return log, last, log
    def lose(self, id_, trunk, start):
        log = self.lost[id_] = Log(id_, trunk.way()[0].id, trunk, [])
        log.start = start
        return log
    def of_verb(self, logs, verb, limits):
        return [event for log in logs for event in [*log.events.values(), *log.memories]
                if event.verb == verb and event.sequence <= limits.get(log.id, LAST)
                and (verb is None or verb < OPEN or makes_sense(event.body))]
    def of_keys(self, keys):
        logs = [*self.logs.values(), *self.lost.values()]
        return [log for log in logs if any(self.keys.get(each) in keys for each in log.way())]
    def reach(self, limits):
        """Returns the logs that the founder vouches for by the admits up to each log's limit."""
        keys, before = {self.keys[log] for log in self.founders}, None
        while keys != before:
            before, admits = keys, self.of_verb(self.of_keys(keys), ADMIT, limits)
            keys = keys | {each.body[1] for each in admits} - self.struck
        return self.of_keys(keys)
    def holder(self, id_, sequence, hash16):
        """Returns the log that contains an event, among the log with this id and its branches."""
        below = self.logs[id_].below() if id_ in self.logs else []
        return next((log for log in below if sequence in log.events
                     and log.events[sequence].hash[:16] == hash16), None)
    def trunk_end(self, founder):
        """Returns where the founder's log ends and its branches begin, which may be lost."""
        return min((each.start for each in self.lost.values() if each.trunk is founder), default=LAST)
    def trust(self):
        opens = self.of_verb([*self.logs.values(), *self.lost.values()], OPEN, {})
        self.keys = {each.log: each.body[1] for each in opens}
        self.founders = [each.log for each in opens if each.hash[:16] == self.id]
        first = min([each.sequence for each in self.of_verb(self.founders, ADMIT, {})] + [LAST])
        self.struck = {each.body[1] for each in self.of_verb(self.founders, REVOKE, {})
                       if each.sequence < first and not each.body[2] and each.sequence <= self.trunk_end(each.log)}
        self.known, self.cuts = self.reach({}), {}
        for event in self.of_verb(self.known, REVOKE, {}):
            kept, remembered = {}, defaultdict(list)
            logs = self.of_keys({event.body[1]})
            for _, end, hash16 in event.body[2]:
                log = next((log for log in logs if end in log.events and log.events[end].hash[:16] == hash16), None)
                if not log and (end, hash16) in self.kept:
                    log, end = self.kept[end, hash16]
                    remembered[log].append(end)
                while log:
                    kept[log] = max(kept.get(log, 0), end)
                    log, end = log.trunk, log.start
                    remembered[log].append(end)
            for log in logs:
                ends = [each.sequence for each in log.events.values() if each.ends] + remembered[log]
                cut = max((end for end in ends if end <= kept.get(log, 0)), default=0)
                self.cuts[log.id] = min(cut, self.cuts.get(log.id, LAST))
        self.admitted = self.reach(self.cuts)
    # Section 12.1: what an event has seen.
    def seen(self, log):
        """Yields the entries of seen: the event, the id, the log with the seen events, their last one, and the gaps."""
        for event in log.events.values():
            entries = event.extras.get(1, [])
            index = len(event.table) - sum(isinstance(entry[0], bytes) for entry in entries)
            for place, sequence, hash16, *gaps in entries:
                if isinstance(place, bytes): place, index = index, index + 1
                id_, gaps = event.table[place], gaps[0] if gaps else []
                holder = self.holder(id_, sequence, hash16) or self.logs.get(id_)
                missing = [range(first, first + n) for first, n in zip(gaps[::2], gaps[1::2])]
                yield event.sequence, id_, holder, sequence, missing
    def saw(self, event, other):
        way = event.log.way()
        if other.log in way: return other.sequence < event.sequence
        return any(by <= event.sequence and holder and other.log in holder.way()
                   and other.sequence <= last and not any(other.sequence in gap for gap in missing)
                   for log in way for by, _, holder, last, missing in self.sights[log])
    def refer(self, event, item):
        """Returns the event that a reference leads to, or a pair that represents a missing event."""
        if event.entity: (id_, sequence), log = event.entity, self.logs.get(event.entity[0])
        elif is_uint(item): id_, sequence, log = event.log.id, item, event.log
        else:
            (index, sequence), id_ = item, event.table[item[0]]
            named = [holder for log in event.log.way() for by, other, holder, *_ in self.sights[log]
                     if other == id_ and by <= event.sequence]
            log = named[-1] if named else self.logs.get(id_)
        # Missing events after the ends of two branches are different events.
        return log and log.at(sequence) or (log.id if log else id_, sequence)
    # Sections 12.2 to 12.5: the fold.
    def value(self, event, item):
        if isinstance(item, list) and 0 < len(item) < 3 and all(map(is_uint, item)) and is_sequence(item[-1]):
            if len(item) == 1 or item[0] < len(event.table) and event.table[item[0]]:
                return self.refer(event, item[0] if len(item) == 1 else item)
        return cbor(item)
    def fold(self):
        self.kinds, self.sources, self.aliases = {}, {}, {}
        self.writes, self.givers, self.deletes = (defaultdict(list) for _ in range(3))
        self.erases = erases = self.of_verb(self.admitted, ERASE, self.cuts)
        counting = self.counting = {(each.sequence, each.hash[:16]) for each in erases}
        stripped = self.of_verb(self.logs.values(), None, {})
        gone = {each for each in stripped if tuple(each.body[1][1:]) in counting}
        self.bodiless = sorted((each.log.id.hex(), each.sequence) for each in stripped if each not in gone)
        self.erased, before = gone.union(*map(self.meant, erases)), None
        owners = {each: self.value(each, item) for each in self.of_verb(self.logs.values(), ADD, {})
                  for field, item in zip(each.body[2::2], each.body[3::2]) if field == OWNER and counts(field, item)}
        while before != self.erased:
            before = self.erased
            self.erased = before | {each for each, owner in owners.items() if owner in before}
        for verb in (ADD, EDIT, DELETE, RESTORE, ALIAS):
            for event in self.of_verb(self.admitted, verb, self.cuts):
                target, pairs = event.body[1:2], event.body[2:]
                if target and len(pairs) % 2 == 0 and self.has_target(verb, event, target[0]) and all(
                        type(field) is int and -1 << 63 <= field < 1 << 63 for field in pairs[::2]):
                    writes = [pair for pair in zip(pairs[::2], pairs[1::2]) if counts(*pair)]
                    self.note(verb, event, target[0], dict(writes))
    def has_target(self, verb, event, target):
        if verb == ADD: return is_uint(target)
        return is_reference(target) and (is_uint(target) or any(event.table[target[0] :][:1]))
    def meant(self, erase):
        """Returns the target of an erase, which is empty if another branch has a different event in its place."""
        if not erase.entity and not self.has_target(ERASE, erase, erase.body[1]): return set()
        found, told = self.refer(erase, erase.body[1]), erase.body[2:3]
        if not told or not isinstance(told[0], bytes) or len(told[0]) != 16: return {found}
        id_, sequence = (found.log.id, found.sequence) if isinstance(found, Event) else found
        log = self.holder(self.logs[id_].way()[0].id if id_ in self.logs else id_, sequence, told[0])
        if log: return {log.events[sequence]}
        there = [each.events[sequence] for each in self.aside[id_].below() if sequence in each.events] if id_ in self.aside else []
        is_other = there and all(each.hash[:16] != told[0] for each in there)
        return set() if isinstance(found, Event) or is_other else {found}
    def note(self, verb, event, target, items):
        """Records the effects of an event on its entity."""
        entity = event if verb in (ADD, ALIAS) else self.refer(event, target)
        if entity in self.erased and verb != ALIAS: return
        (self.deletes if verb == DELETE else self.givers)[entity].append(event)
        if verb == ADD:
            self.kinds[event], source = target, items.get(SOURCE)
            source = [*source] if isinstance(source, list) else [0, source]
            if len(source) == 2 and is_uint(source[0]):
                if isinstance(source[1], str) and UUID.fullmatch(source[1]):
                    source[1] = bytes.fromhex(source[1].replace("-", ""))
                if isinstance(source[1], str) or is_bytes(source[1], 16): self.sources[event] = target, cbor(source)
        fields = {field: self.value(event, item) for field, item in items.items()}
        if verb == ALIAS: self.aliases[event] = self.refer(event, target), fields.get(OTHER)
        for field, value in fields.items() if verb in (ADD, EDIT) else []:
            # An alternative requires a value in the same event.
            rank, field = divmod(field, FIELDS) if FIELDS <= field <= LAST_FIELD else (0, field)
            if field in fields and (field > OWNER or field == OWNER and verb == ADD):
                self.writes[entity].append((event, field, value, rank))
                is_parent = field == OWNER or field == LIST and self.kinds.get(entity) == TODO
                if is_parent and not isinstance(value, bytes): self.givers[value].append(event)
    def is_alive(self, entity):
        return any(not any(self.saw(delete, giver) for delete in self.deletes[entity])
                   for giver in self.givers[entity])
    def documents(self):
        parent, firsts, documents = {}, {}, defaultdict(list)
        def find(key):
            while parent.setdefault(key, key) != key: key = parent[key]
            return key
        for each, source in self.sources.items(): parent[find(each)] = find(firsts.setdefault(source, each))
        for alias, (one, two) in self.aliases.items():
            if self.is_alive(alias) and two is not None and not isinstance(two, bytes):
                parent[find(one)] = find(two)
        for each in sorted(self.kinds, key=lambda one: one.stamp): documents[find(each), self.kinds[each]].append(each)
        return list(documents.values())
    def state(self):
        self.fold()
        documents = self.documents()
        self.ids = {each: entity_id(members[0].hash) for members in documents for each in members}
        return state(map(self.document, documents))
    def document(self, members):
        fields, registers = defaultdict(list), {}
        for writes in map(self.writes.get, members):
            for event, field, value, rank in writes or []:
                if not any(field == other and self.saw(by, event) for by, other, *_ in writes):
                    if not isinstance(value, bytes): value = cbor([self.ids[value]]) if value in self.ids else NULL
                    order = [255 - each for each in event.log.id]  # Of an event in two branches: the lower id first.
                    fields[field].append((event.stamp, -rank, order, value))
        for field, values in fields.items():
            values = list(dict.fromkeys(value for *_, value in sorted(values, reverse=True)))
            if values != [NULL]: registers[field] = list(map(Raw, values))
        sources = sorted({self.sources[each][1] for each in members if each in self.sources})
        return [self.ids[members[0]], self.kinds[members[0]], any(map(self.is_alive, members)),
                list(map(Raw, sources)), registers]

def show(book, digest):
    def line(event):
        parts = event.sequence, event.time, event.when, event.verb, event.hash.hex()
        return " ".join("-" if part is None else str(part) for part in parts)
    print(json.dumps({
        "book": book.id.hex(), "digest": digest.hex(), "words": words(digest),
        "logs": {id_.hex(): list(map(line, log.events.values())) for id_, log in book.logs.items()},
        "trunks": {log.id.hex(): log.trunk.id.hex() for log in book.logs.values() if log.trunk},
        "known": sorted(log.id.hex() for log in book.known),
        "cuts": {id_.hex(): cut for id_, cut in book.cuts.items()},
        "admitted": sorted(log.id.hex() for log in book.admitted),
        "holes": {id_: gaps for each in book.replicas for id_, gaps in each.holes.items() if gaps},
        "bodiless": ["%s %d" % each for each in book.bodiless],
        "wrongHeads": sum(each.wrong for each in book.replicas)}))
if __name__ == "__main__":
    for each in map(Book, map(Path, sys.argv[1:])): show(each, sha(each.state()))
