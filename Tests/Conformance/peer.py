"""Syncs a book with one that `daybook serve` serves, following protocol.md, and prints a line of JSON.

    python3 peer.py BOOK HOST:PORT KEY     a book with a device's key, and the expected key of the peer in hex
    python3 peer.py BOOK INVITATION        a new folder, which receives all events and writes none

It follows the document and shares no code with the program. It has the same requirements as reader.py.
"""
import base64, datetime, fcntl, hmac, json, os, re, select, socket, ssl, struct, sys, tempfile, zlib
from pathlib import Path
from codec import loads
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from reader import Bad, Book, Frame, Replica, REVOKE, START, cbor, must, sha

MESSAGE_BYTES, NOBODY = 8 << 20, bytes(16)
HELLO, FRAME, END, HAVE, REFUSAL, PROVE, ALIVE = range(7)


# Section 9.1: the connection.
def raw(key):
    return key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def certificate(key):
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "daybook")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1)
    builder = builder.not_valid_before(datetime.datetime(1970, 1, 1))
    return builder.not_valid_after(datetime.datetime(9999, 12, 31, 23, 59, 59)).sign(key, None)


class Line:
    """A connection over TLS to a peer with the expected key."""

    def __init__(self, key, host, port, expected):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols(["daybook/1"])
        with tempfile.NamedTemporaryFile() as file:
            file.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                         serialization.NoEncryption()))
            file.write(certificate(key).public_bytes(serialization.Encoding.PEM))
            file.flush()
            context.load_cert_chain(file.name)
        self.socket = context.wrap_socket(socket.create_connection((host, port), 10))
        shown = x509.load_der_x509_certificate(self.socket.getpeercert(binary_form=True))
        self.key = shown.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        must(self.key == expected, "a different key than expected")
        must(self.socket.selected_alpn_protocol() == "daybook/1", "another protocol")
        self.socket.setblocking(False)
        self.waiting, self.came, self.sent, self.received = b"", b"", 0, 0

    def say(self, *message):
        content = cbor(list(message))
        self.waiting += struct.pack(">I", len(content)) + content
        self.sent += 4 + len(content)

    def hear(self):
        """Returns the next message. Waiting messages are sent meanwhile, so that the sides cannot block each other."""
        while True:
            length = struct.unpack(">I", self.came[:4])[0] if len(self.came) >= 4 else None
            must(length is None or length <= MESSAGE_BYTES, "too long a message")
            if length is not None and len(self.came) >= 4 + length:
                content, self.came = self.came[4 : 4 + length], self.came[4 + length :]
                message = loads(content)
                must(cbor(message) == content, "not deterministic")
                must(message[0] != REFUSAL, "refused: %s" % message[1:])
                return message
            self.push()
            try:
                bytes_ = self.socket.recv(1 << 16)
                must(bytes_, "the line was cut")
                self.came, self.received = self.came + bytes_, self.received + len(bytes_)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                ready = select.select([self.socket], [self.socket] if self.waiting else [], [], 30)
                must(any(ready), "nothing was received for half a minute")

    def push(self):
        try:
            while self.waiting: self.waiting = self.waiting[self.socket.send(self.waiting[: 1 << 16]) :]
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError): pass

    def close(self):
        self.socket.settimeout(30)
        self.socket.sendall(self.waiting)
        self.socket.unwrap().close()


# Section 6: frames made from events that were read from other frames.
def blocks(events):
    """Yields the seeds of the blocks that contain the events, or their salts if a seed is missing."""
    numbers = sorted({(event.sequence - 1) // 64 for event in events})
    for number in numbers:
        told = [event.secret for event in events if (event.sequence - 1) // 64 == number]
        seed = told[0][0]
        yield seed if seed and all(each == seed for each, _ in told) else [salt for _, salt in told]


def pack(replica, events, table, head):
    """Returns a frame of a replica's events with a table at its beginning and a head at its end."""
    (time, when, chain), first = events[0].before, events[0].sequence
    told = {0: time, 1: when, 2: chain, 3: list(blocks(events)), 4: len(table), 5: table}
    told = {key: value for key, value in told.items() if key in (0, 2, 3) or value}
    content = cbor(told) + b"".join(sum((event.raws for event in events), ())) + cbor({0: head})
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = deflater.compress(content) + deflater.flush()
    start = START + struct.pack("<IQI8s", 43 + len(packed) + 8, first, len(events), replica[:8])
    return (start + struct.pack("<H", zlib.crc32(start) & 0xFFFF) + packed
            + struct.pack("<II", zlib.crc32(content), len(content)))


def frames(replica, events, heads):
    """Yields the frames of a run of events, one for each head. Events after the last head are not proved."""
    run = []
    for event in events:
        run.append(event)
        if event.ends and event.hash in heads:
            yield run, pack(replica, run, table_before(run[0]), heads[event.hash])
            run = []


def table_before(event):
    introduced = sum(isinstance(entry[0], bytes) for entry in event.extras.get(1, []))
    return event.table[: len(event.table) - introduced]


# Section 9: the events that this device holds, and those that another device lacks.
class Held:
    """The held events of one replica."""

    def __init__(self, replica):
        self.logs, self.heads = replica.logs, {hash_: signature for signature, hash_ in replica.heads}
        self.events = {event.hash: event for log in self.logs for event in log.events.values()}
        self.tips = [log for log in self.logs if not log.branches]

    def path(self, tip):
        return [log.events[sequence] for log in tip.way() for sequence in sorted(log.events)]

    def places(self, id_):
        """Returns a place for each end. With holes, it is before the first hole, with the later events as ranges."""
        places = {}
        for path in filter(None, map(self.path, self.tips)):
            runs = [[path[0]]] if path[0].sequence == 1 else []
            for event in path[len(runs) :]:
                if runs and runs[-1][-1].sequence + 1 == event.sequence: runs[-1].append(event)
                else: runs.append([event])
            end, behind = runs[0][-1], [[run[0].sequence, run[-1].sequence] for run in runs[1:]]
            place = id_, end.sequence, end.hash
            places[place] = [] if place in places else behind
        return [[*place, behind] if behind else list(place) for place, behind in sorted(places.items())]

    def answer(self, place):
        """Returns the places that answer a place of the peer."""
        id_, sequence, hash_ = place[:3]
        if hash_ in self.events: return [[id_, sequence, hash_]]
        found = {}
        for path in map(self.path, self.tips):
            there = {event.sequence: event for event in path}
            if sequence not in there: continue
            distances = [0] + [1 << n for n in range(sequence.bit_length()) if 1 << n < sequence]
            found.update({there[sequence - n].hash: sequence - n for n in distances if sequence - n in there})
        return [[id_, n, each] for each, n in found.items()]

    def lacked(self, common):
        """Yields the runs of events that are not before a common place."""
        known = set()
        for tip in self.tips:
            hashes = [event.hash for event in self.path(tip)]
            last = max((n for n, each in enumerate(hashes) if each in common), default=-1)
            known |= set(hashes[: last + 1])
        for log in self.logs:
            yield [log.events[n] for n in sorted(log.events) if log.events[n].hash not in known]


# Section 7: the folder.
class Folder:
    def __init__(self, path):
        self.path, self.staged = path, {}
        self.load()

    def load(self):
        has_book = (self.path / "book.json").exists()
        self.book = Book(self.path) if has_book else None
        self.held = {}
        if not has_book: return
        for shelf in ("logs", "aside"):
            folder = self.path / shelf
            for name in os.listdir(folder) if folder.exists() else []:
                self.held[bytes.fromhex(name)] = Held(Replica(folder / name, bytes.fromhex(name)))

    def found(self, id_):
        """Turns the folder into the folder of a book without a device."""
        (self.path / "logs").mkdir(parents=True)
        told = {"format": 1, "book": id_.hex(), "device": "reader", "formerly": [], "writers": {}}
        (self.path / "book.json").write_text(json.dumps(told))

    def device(self):
        """Returns the own log, its incarnation and its key."""
        told = json.loads((self.path / "book.json").read_bytes())
        log, = set(told["writers"].values())
        pem = (self.path / "keys" / (log + ".pem")).read_bytes()
        key = serialization.load_pem_private_key(pem[: pem.index(b"-----END")] + b"-----END PRIVATE KEY-----\n", None)
        replica = self.held[bytes.fromhex(log)]
        return bytes.fromhex(log), replica.logs[0].at(1).body[3], key

    def sign(self, id_, key):
        """Signs the ends of the own log, as only its device can."""
        held = self.held[id_]
        for end in (held.path(tip)[-1] for tip in held.tips):
            message = sha(b"daybook head v1", id_, struct.pack(">QQ", end.sequence, end.time), end.hash)
            held.heads.setdefault(end.hash, key.sign(message))

    def frontier(self):
        return [place for id_ in sorted(self.held) for place in self.held[id_].places(id_)]

    def answers(self, places):
        own = {(place[0], place[2]) for place in self.frontier()}
        told = [each for place in places if (place[0], place[2]) not in own and place[0] in self.held
                for each in self.held[place[0]].answer(place)]
        return sorted({(id_, n, hash_): [id_, n, hash_] for id_, n, hash_ in told}.values())

    def stage(self, id_, bytes_):
        frame = Frame(bytes_)
        must(frame.length == len(bytes_) and frame.replica == id_[:8], "a frame of another log, or additional bytes")
        self.staged.setdefault(id_, []).append(frame)

    def store(self):
        """Stores the received events that continue known logs and that heads prove."""
        with open(self.path / "lock", "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for id_, frames_ in self.staged.items(): self.receive(id_, frames_)
        self.staged = {}
        self.load()
        for name in sorted(os.listdir(self.path / "logs")):
            if not any(log.id.hex() == name for log in self.book.known):
                (self.path / "aside").mkdir(exist_ok=True)
                os.rename(self.path / "logs" / name, self.path / "aside" / name)

    def receive(self, id_, came):
        shelf = "aside" if (self.path / "aside" / id_.hex()).exists() else "logs"
        folder, held = self.path / shelf / id_.hex(), self.held.get(id_)
        events = dict(held.events) if held else {}
        opening = held.logs[0].at(1) if held else came[0].events[0]
        heads, runs, tails = {}, {}, {}
        zero = sha(b"daybook log v1", id_)
        for tip in held.tips if held else []: tails[held.path(tip)[-1].hash] = self.strand(folder, held, tip)
        for frame in came:
            last = frame.events[-1]
            if frame.signature: heads[last.hash] = self.proved(id_, opening, frame.signature, last)
            for place, event in enumerate(frame.events):
                before = frame.events[place - 1] if place else events.get(frame.hash)
                if event.hash in events: continue
                if not before and frame.hash != zero: break
                known = before.table if before else []
                event.table = known + [e[0] for e in event.extras.get(1, []) if isinstance(e[0], bytes)]
                events[event.hash] = event
                end = before.hash if before else zero
                strand = tails.pop(end, None)
                if strand is None and end != zero: strand = self.branch(folder, frame, place)
                strand = strand or folder
                tails[event.hash] = strand
                runs.setdefault(strand, []).append(event)
        for strand, run in runs.items(): self.write(strand, list(frames(id_, run, heads)))

    def strand(self, folder, held, tip):
        """Returns the folder with the end of a log. One branch of each fork is in the folder of the trunk."""
        names = [log.id.hex() for log in tip.way() if (folder / log.id.hex()).exists()]
        return folder / names[-1] if names else folder

    def branch(self, folder, frame, place):
        must(frame.events[place].begins, "logs part between commands")
        last = next(event for event in frame.events[place:] if event.ends)
        return folder / sha(b"daybook branch v1", last.hash)[:16].hex()

    def proved(self, id_, opening, signature, event):
        key, incarnation = opening.body[1], opening.body[3]
        must(sha(b"daybook replica v1", key, incarnation)[:16] == id_, "another key")
        message = sha(b"daybook head v1", id_, struct.pack(">QQ", event.sequence, event.time), event.hash)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return signature

    def write(self, strand, packed):
        if not packed: return
        strand.mkdir(parents=True, exist_ok=True)
        name = "%012d-%012d.gz" % (packed[0][0][0].sequence, packed[-1][0][-1].sequence)
        draft = strand / (".%s.draft" % name)
        with open(draft, "wb") as file:
            file.write(b"".join(frame for _, frame in packed))
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, strand / name)
        for folder in (strand, strand.parent):
            descriptor = os.open(folder, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)


# Section 9.2: invitations.
def invited(text):
    """Returns the key, the secret and the address of an invitation."""
    letters = re.sub(r"[\s-]", "", text.removeprefix("daybook1:")).upper()
    content = base64.b32decode(letters + "=" * (-len(letters) % 8))
    content, check = content[:-4], content[-4:]
    must(sha(b"daybook invitation v1", content)[:4] == check, "a mistyped invitation")
    return content[:32], content[32:48], content[48:].decode()


class Sync:
    def __init__(self, folder, line, hello):
        self.folder, self.line, self.told = folder, line, folder.frontier()
        self.sent, self.received = 0, 0
        line.say(HELLO, 1, 1, *hello[:1], [], hello[1], self.told, hello[2], False)
        kind, low, high, book, _, replica, theirs, incarnation, *_ = line.hear()
        must(kind == HELLO and low <= 1 <= high, "no hello")
        must(replica == NOBODY or sha(b"daybook replica v1", line.key, incarnation)[:16] == replica, "another's log")
        must(None in (book, hello[0]) or book == hello[0], "another book")
        if not folder.book:
            folder.found(book)
            folder.load()
        self.places = list(theirs)
        same = theirs == self.told and len(theirs) < 4096 and all(len(place) == 3 for place in theirs)
        if not same: self.exchange(theirs)
        line.close()

    def exchange(self, theirs):
        self.line.say(HAVE, self.folder.answers(theirs), 0)
        self.send()
        has_ended, is_acknowledged = False, False
        while not (has_ended and is_acknowledged):
            kind, *items = self.line.hear()
            if kind == FRAME:
                must(not has_ended, "a frame behind the end")
                self.received += 1
                self.folder.stage(*items)
            elif kind == END:
                has_ended = True
                self.folder.store()
                self.line.say(HAVE, self.news(), 1)
            elif kind == HAVE: is_acknowledged = items[1] == 1
            else: raise Bad("a message out of turn: %d" % kind)

    def news(self):
        """Returns all places of the replicas whose places have changed since they were announced."""
        now, before, self.told = self.folder.frontier(), self.told, self.folder.frontier()
        changed = {place[0] for place in now + before if (place in now) != (place in before)}
        return [place for place in now if place[0] in changed]

    def send(self):
        for id_, held in sorted(self.folder.held.items()):
            common = {place[2] for place in self.places if place[0] == id_}
            for run in held.lacked(common):
                for events, frame in frames(id_, run, held.heads):
                    self.line.say(FRAME, id_, frame)
                    self.sent += len(events)
        self.line.say(END, [])


def main(path, where, *rest):
    path = Path(path)
    folder = Folder(path)
    if rest:
        log, incarnation, key = folder.device()
        folder.sign(log, key)
        expected, address, hello = bytes.fromhex(rest[0]), where, (folder.book.id, log, incarnation)
        revoked = {each.body[1] for each in folder.book.of_verb(folder.book.known, REVOKE, {})}
        must(expected not in revoked, "the key was revoked")
    else:
        expected, secret, address = invited(where)
        key, hello = Ed25519PrivateKey.generate(), (None, NOBODY, NOBODY)
    host, port = address.rsplit(":", 1)
    line = Line(key, host.strip("[]"), int(port), expected)
    if not rest:
        code = hmac.digest(secret, b"daybook join v1" + expected + raw(key), "sha256")
        line.say(PROVE, code, "reader", None)
    sync = Sync(folder, line, hello)
    print(json.dumps({"sent": sync.sent, "receivedFrames": sync.received,
                      "bytesSent": line.sent, "bytesReceived": line.received}))


if __name__ == "__main__": main(*sys.argv[1:])
