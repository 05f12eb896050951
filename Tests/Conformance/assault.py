"""Sessions by which a hostile device sends events to `daybook serve` as fast as it can, by section 9 of protocol.md."""
import select, ssl, struct, threading, time
from collections import Counter, deque
from random import Random
from codec import Bad, loads
from hostile import End, Growing, Key, Loads
from peer import END, FRAME, HAVE, HELLO, REFUSAL, Folder, Line

SESSIONS = {"send": 70, "many": 10, "replay": 10, "read": 10, "slow": 0}  # how often; slow ones have their own thread
LOGS, WAITING, ONE_SESSION, SLOW = 40, 1 << 20, 8 << 20, 20  # logs, bytes, bytes, seconds


class Call(Line):
    """A session that reads whatever comes while it sends."""
    def open(self, book, log, places):
        """Says hello and claims to hold all that the server has, and returns the places of the server."""
        self.has_ended = False  # Whether the server has.
        # After equal hellos, nothing could be sent, so one place is nobody's.
        places = sorted([*places, [log.dice.randbytes(16), 1, log.dice.randbytes(32)]])
        self.say(HELLO, 1, 1, book, [], log.id, places, log.incarnation, False)
        hello = self.hear()
        self.say(HAVE, [place[:3] for place in hello[6]] if len(places) > 1 else [], 0)
        return hello[6]

    def meet(self, most=0):
        """Sends until few bytes wait, and takes what came."""
        while len(self.waiting) > most:
            self.push()
            try:
                bytes_ = self.socket.recv(1 << 18)
                if not bytes_: raise OSError("the line was cut")
                self.came += bytes_
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                if self.waiting: select.select([self.socket], [self.socket], [], 30)
        while len(self.came) >= 4 and len(self.came) >= 4 + (length := struct.unpack(">I", self.came[:4])[0]):
            kind, content, self.came = self.came[5], self.came[4 : 4 + length], self.came[4 + length :]
            if kind == REFUSAL: raise Bad("refused: %s" % loads(content)[1:])
            if kind == END: self.acknowledge()

    def acknowledge(self):
        self.has_ended = True
        self.say(HAVE, [], 1)

    def finish(self):
        """Ends the sending, and waits until the server has stored all and has sent all."""
        self.say(END, [])
        is_stored = False
        while not (self.has_ended and is_stored):
            kind, *items = self.hear()
            is_stored |= kind == HAVE and items[1] == 1
            if kind == END: self.acknowledge()
        self.close()


class Assault:
    """All sessions of the hostile device, in several threads."""
    def __init__(self, folder, server_key, port, seed, kinds, sessions):
        held = Folder(folder)
        id_, incarnation, signing = held.device()
        self.book, self.server_key, self.port, self.seed = held.book.id, server_key, port, seed
        self.key, self.dice = Key(signing), Random(seed)
        self.own = Growing(self.key, self.dice, incarnation)
        log = held.held[id_].logs[0]
        for event in log.events.values(): self.own.seeds[(event.sequence - 1) // 64] = event.secret[0]
        last = log.events[log.last]
        self.own.end = End(last.sequence, last.time, 0, last.hash, tuple(last.table))
        self.own.ends = {last.hash: self.own.end}
        self.loads, self.lock = Loads(self.dice), threading.Lock()
        self.counts, self.refusals, self.sent, self.until = Counter(), Counter(), 0, 0
        self.seen, self.replays, self.kinds, self.sessions = [], deque(maxlen=64), kinds, sessions
        self.often = [each for each in sessions if each != "slow"]

    def begin(self, seconds, senders=3):
        self.until = time.monotonic() + seconds
        tasks = [(self.work, n) for n in range(senders if self.often else 0)]
        if "slow" in self.sessions: tasks.append((self.stall, Random(self.seed)))
        jobs = [threading.Thread(target=task, args=[more], daemon=True) for task, more in tasks]
        for each in jobs: each.start()
        return jobs

    def count(self, call, name, failure=None):
        with self.lock:
            self.counts[name] += 1
            if call: self.sent += call.sent - len(call.waiting)
            if failure: self.refusals[str(failure)[:70]] += 1

    def is_over(self): return time.monotonic() > self.until

    # One thread: sessions one after another, each of some logs.
    def work(self, number):
        dice = Random(self.seed * 100 + number)
        loads, logs = Loads(dice), [self.own] if number == 0 else []
        loads.admitted = self.loads.admitted
        while not self.is_over():
            call, name = None, dice.choices(self.often, [SESSIONS[each] for each in self.often])[0]
            try:
                log = dice.choice(logs) if logs else self.fresh(self.key, loads, dice)
                call = Call(log.key.signing, "127.0.0.1", self.port, self.server_key)
                places = call.open(self.book, log, [] if name == "read" else self.seen)
                self.seen = loads.places = places
                if name == "replay": self.replay(call, dice)
                elif name != "read": logs = self.send(call, loads, logs, name, dice)
                call.finish()
                self.count(call, name)
            except (Bad, OSError) as error:
                self.count(call, name, error)
                time.sleep(0.05)

    def fresh(self, key, loads, dice):
        if loads.admitted and dice.random() < 0.3: key = dice.choice(loads.admitted)
        return Growing(key, dice)

    def send(self, call, loads, logs, name, dice):
        """Sends frames of some logs, and returns the logs with which to go on."""
        hashes = {place[2] for place in loads.places}
        logs = [each for each in logs if each.settle(hashes)]
        if name == "many" or not logs: chosen = [self.fresh(self.key, loads, dice) for _ in range(LOGS if logs else 1)]
        else: chosen = dice.sample(logs, min(len(logs), dice.choice((1, 1, 1, 4))))
        for log in chosen:
            if log.end.sequence == 1 and log.end.hash not in hashes: call.say(FRAME, log.id, log.opening)
            elif dice.random() < 0.1: log.fork()
            kind = dice.choice(self.kinds)
            for frame in loads.frames(log, kind, 2 if len(chosen) > 4 else dice.choice((1, 4, 16))):
                call.say(FRAME, log.id, frame)
                call.meet(WAITING)
                with self.lock: self.counts["frames of " + kind] += 1
                if dice.random() < 0.1: self.replays.append((log.id, frame))
                if self.is_over() or call.sent > ONE_SESSION: break
        return [*logs[-LOGS:], *(each for each in chosen if each not in logs)]

    def replay(self, call, dice):
        for _ in range(dice.choice((10, 100))):
            if not self.replays: return
            call.say(FRAME, *dice.choice(list(self.replays)))
            call.meet(WAITING)

    # Another thread: sessions that send almost all of what a session may hold, and then nearly nothing.
    def stall(self, dice):
        loads = Loads(dice)
        while not self.is_over():
            calls = []
            for key in [self.key, *self.loads.admitted[-8:]]:
                for _ in range(8):
                    if not self.is_over(): calls.append(self.hold(key, loads, dice))
            until = time.monotonic() + SLOW
            while calls and time.monotonic() < until and not self.is_over():
                calls = [each for each in calls if each and self.drip(each)]
                time.sleep(1)
            for each in calls:
                each.socket.close()
                self.count(each, "slow")

    def hold(self, key, loads, dice):
        call, log = None, Growing(key, dice)
        try:
            call = Call(key.signing, "127.0.0.1", self.port, self.server_key)
            call.open(self.book, log, self.seen)
            call.say(FRAME, log.id, log.opening)
            for frame in loads.frames(log, "noise", dice.choice((3, 6))):
                call.say(FRAME, log.id, frame)
                last = frame
            kept, call.waiting = call.waiting[-60:], call.waiting[:-60]
            call.meet()
            call.waiting, call.late = b"", kept
            return call
        except (Bad, OSError) as error:
            self.count(call, "slow", error)

    def drip(self, call):
        try:
            call.waiting, call.late = call.late[:1], call.late[1:]
            call.meet()
            return True
        except (Bad, OSError) as error: self.count(call, "slow", error)
