"""Lets an admitted device send as much as it can, of anything valid, and measures what others notice of it.

    python3 besiege.py PROGRAM [SECONDS] [SEED] [--strict | --patience SECONDS] [--quota EVENTS,MIB,LOGS]
                       [--kinds KIND …] [--sessions KIND …] [--keep FOLDER]

Three devices share a book: a server, a friend, and a hostile device that joined with an invitation. The script takes
the keys of the last, and writes and sends its events itself. Meanwhile the others add, close and sync. At the end the
friend revokes the hostile device. It prints a table of figures and limits; the exit code is 1 if a limit is exceeded.
The time of a sync depends on what else the machine does, so only syncs above 5 s count, or above 1 s with --strict.
The kind `lies` is sent only if it is named, because afterwards all commands report a loss (see SECURITY.md, Open).
"""
import argparse, json, os, re, statistics, subprocess, sys, tempfile, threading, time
from pathlib import Path
from assault import SESSIONS, Assault
from hostile import Loads

MIB = 1 << 20
MEMORY, SPARE, STAYS, SYNC, PATIENCE = 96, 64, 16, 1, 5  # MiB, MiB, MiB, seconds, seconds
CALLS = {"add": {0}, "done": {0}, "list": {0}, "status": {0}, "sync": {0}, "verify": {0}, "doctor": {0, 1}}


def troubles_in(health):
    """Returns the failed checks in the output of `doctor`; empty if it is the output of another command."""
    try: health = json.loads(health) if isinstance(health, str) else health
    except ValueError: return []
    return [each["text"] for each in health.get("checks", []) if each["verdict"] not in ("ok", "note")]


class Device:
    """A device with its own home, and what its commands said."""
    def __init__(self, path, folder, name):
        self.path, self.home, self.name, self.faults, self.open = path, folder / name, name, [], set()
        self.home.mkdir(parents=True)
        self.folder, self.number, self.times = self.home / "book", 0, {}
        self.environment = {**os.environ, "HOME": str(self.home), **{
            "XDG_%s_HOME" % each: str(self.home / each.lower()) for each in ("STATE", "CONFIG", "DATA")}}

    def words(self, *words): return [self.path, "-C", str(self.folder), "--no-input", *words]

    def run(self, *words, wait=60):
        """Runs a command, and returns its output. An exit code that is not allowed is noted as a fault."""
        start = time.monotonic()
        try:
            done = subprocess.run(
                self.words(*words), capture_output=True, text=True, env=self.environment, timeout=wait)
        except subprocess.TimeoutExpired:
            self.fault(words, "took over %d s" % wait)
            return ""
        self.times.setdefault(words[0], []).append(time.monotonic() - start)
        if done.returncode not in CALLS.get(words[0], {0}):
            self.fault(words, "code", done.returncode, done.stderr or troubles_in(done.stdout) or done.stdout)
        self.complaint = done.stderr
        return done.stdout

    def ask(self, *words):
        try: return json.loads(self.run(*words, "--json") or "{}")
        except ValueError: return self.fault(words, "prints no JSON") or {}

    def fault(self, words, *what):
        told = " ".join(" ".join(map(str, what)).split())
        self.faults.append("%s: %s: %s" % (self.name, " ".join(words)[:60], told[:300]))

    def invite(self): return re.search("daybook1:[A-Z2-7]+", self.run("invite", "--json"))[0]

    def titles(self): return {line.split("\t")[3] for line in self.run("list", "todos", "--plain").splitlines()}

    def live(self):
        """Adds two to-dos and closes one of them, and checks that the lists show it."""
        titles = ["%s %d" % (self.name, self.number + n) for n in (1, 2)]
        self.number += 2
        for each in titles: self.run("add", "todo", each)
        if not set(titles) <= self.titles(): self.fault(("list",), "lacks one of", titles)
        self.run("done", titles[0])
        if titles[0] in self.titles(): self.fault(("list",), "still has", titles[0])
        self.open.add(titles[1])

    def examine(self):
        """Checks that the reports of the program agree with each other and say nothing of damage."""
        verified, health = self.ask("verify"), self.ask("doctor")
        if not verified or not health: return []  # That they failed is noted already.
        if not verified.get("isClean") or verified.get("missing"): self.fault(("verify",), verified)
        checks, troubles = health.get("checks", []), troubles_in(health)
        if bool(troubles) != health.get("hasProblem") or not checks: self.fault(("doctor",), health)
        return troubles

    def size(self):
        """Returns the bytes of the book on disk."""
        total = 0
        for folder, _, files in os.walk(self.folder):
            for each in files:
                try: total += os.stat(os.path.join(folder, each)).st_blocks * 512
                except FileNotFoundError: pass
        return total


class Server(Device):
    """The device that serves, with the greatest memory and disk that it used."""
    def serve(self):
        self.output = open(self.home / "serve.out", "w+")
        self.process = subprocess.Popen(self.words("serve", "--listen", "127.0.0.1:0"), env=self.environment,
                                        stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)
        for _ in range(200):
            found = re.search(r"127\.0\.0\.1:(\d+)", (self.home / "serve.out").read_text())
            if found: break
            time.sleep(0.05)
        self.port, self.disk, self.is_watched = int(found[1]), 0, True
        self.watcher = threading.Thread(target=self.watch, daemon=True)
        self.watcher.start()

    def memory(self):
        try: return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/%d/status" % self.process.pid).read_text())[1]) / 1024
        except (OSError, TypeError): return 0  # It has ended, which stop() reports.

    def watch(self):
        while self.is_watched:
            self.disk = max(self.disk, self.size())
            time.sleep(1)

    def stop(self):
        self.is_watched = False
        if not hasattr(self, "process"): return
        if self.process.poll() is not None: self.fault(("serve",), "ended", self.process.returncode, self.said()[-600:])
        self.process.terminate()
        self.process.wait(30)

    def said(self): return (self.home / "serve.out").read_text(errors="replace")


class Siege:
    """The three devices, the assault, and the rows of the table."""
    def __init__(self, options, work):
        self.options, self.rows, self.is_failed = options, [], False
        self.server, self.friend, self.hostile = (kind(options.program, work, name) for kind, name in (
            (Server, "server"), (Device, "friend"), (Device, "evil")))

    def row(self, what, found, limit="", is_met=True):
        self.rows.append((what, found, limit, "" if is_met else "EXCEEDED"))
        self.is_failed |= not is_met

    def prepare(self):
        self.server.live()
        self.server.run("device", "rename", "server")
        self.server.serve()
        for each in (self.friend, self.hostile):
            each.run("join", self.server.invite())
            each.run("device", "rename", each.name)
            each.run("sync")
        for _ in range(5):
            for each in (self.server, self.friend): each.live()
        self.friend.run("sync")
        for each in (self.server, self.friend):
            quota = self.options.quota
            limits = zip(("--events", "--size", "--logs"), quota.split(",") if quota else [])
            if quota: each.run("device", "quota", "evil", *(word for pair in limits for word in pair))
            each.run("compact")
            each.small = each.size()
        contacts = json.loads((self.hostile.folder / "contacts").read_bytes())
        self.assault = Assault(self.hostile.folder, bytes.fromhex(contacts["peers"][0]["key"]), self.server.port,
                               self.options.seed, self.options.kinds, self.options.sessions)

    def endure(self):
        """Lets the friend and the server go on as usual while the hostile device sends."""
        jobs, self.loads = self.assault.begin(self.options.seconds), []
        self.friend.times["sync"], until = [], self.assault.until
        use = [threading.Thread(target=self.every, args=each) for each in (
            (2, until, lambda: (self.friend.live(), self.friend.run("sync"), self.loads.append(os.getloadavg()[0]))),
            (2, until, self.server.live), (30, until, self.friend.examine), (30, until, self.server.examine))]
        for each in use: each.start()
        for each in [*use, *jobs]: each.join()
        self.friend.run("sync")

    @staticmethod
    def every(pause, until, act):
        while time.monotonic() < until:
            act()
            time.sleep(min(pause, max(0, until - time.monotonic())))

    def tell_assault(self):
        assault, sent = self.assault, self.assault.sent / MIB
        self.row("sent by the hostile device", "%.1f MiB" % sent)
        self.row("sessions", ", ".join("%d %s" % (assault.counts[each], each) for each in SESSIONS))
        frames = {each[10:]: n for each, n in assault.counts.items() if each.startswith("frames of")}
        self.row("frames", ", ".join("%d %s" % (n, each) for each, n in sorted(frames.items())))
        for each, n in assault.refusals.most_common():
            is_right = "[3," not in each  # Everything that is sent is valid.
            self.row("ended: " + each, n, "" if is_right else "0", is_right)
        memory, disk, server = self.server.memory(), self.server.disk / MIB, self.server
        self.row("memory of serve (VmHWM)", "%.0f MiB" % memory, "%d MiB" % MEMORY, 0 < memory <= MEMORY)
        most = 4 * sent + SPARE
        found = "%.1f MiB (%.1f before)" % (disk, server.small / MIB)
        self.row("disk of the server", found, "%.0f MiB" % most, disk <= most)
        syncs = self.friend.times["sync"]
        slow, most = sum(each > SYNC for each in syncs), SYNC if self.options.strict else self.options.patience
        self.row("syncs of the friend", "%d; %.2f s median, %.2f s at most, %d above %d s" % (
            len(syncs), statistics.median(syncs), max(syncs), slow, SYNC), "%d s" % most, max(syncs) <= most)
        for each in (self.friend, server):
            times = ("%s %.2f" % (name, max(times)) for name, times in sorted(each.times.items()) if name in CALLS)
            self.row("slowest commands of the " + each.name, ", ".join(times) + " s")
        self.row("load average of the machine", "%.1f to %.1f" % (min(self.loads), max(self.loads)))

    def revoke(self):
        """Revokes the hostile device as a user would, and compares the books."""
        for each in (self.friend, self.server):
            for trouble in each.examine(): self.row("doctor of the %s, before the revocation" % each.name, trouble)
            each.large = each.size()
        told = self.friend.run("device", "revoke", "evil", "--all", "--yes")
        print("device revoke:", told[:3000] + self.friend.complaint[:3000], file=sys.stderr)
        self.friend.run("sync")
        for each in (self.server, self.friend): each.live()
        self.friend.run("sync")
        states = [each.ask("status") for each in (self.server, self.friend)]
        digests = [state.get("digest", state) for state in states]
        is_equal = digests[0] == digests[1]
        self.row("digests after the revocation", "equal" if is_equal else digests, "equal", is_equal)
        for each, state in zip((self.server, self.friend), states):
            for trouble in each.examine(): self.row("doctor of the %s, at the end" % each.name, trouble)
            titles, open_ = each.titles(), self.server.open | self.friend.open
            self.row("to-dos of the " + each.name, "%d of %d, and %d others" % (
                len(titles & open_), len(open_), len(titles - open_)), "no others", titles <= open_)
            sizes = [each.small, each.large, each.size()]
            each.run("compact")
            sizes.append(each.size())
            told = "%.1f MiB before, %.1f, %.1f revoked, %.1f compact" % tuple(size / MIB for size in sizes)
            # What the device wrote within its quota stays in the logs, which devices that join later must read.
            most = each.small / MIB + STAYS
            self.row("book of the " + each.name, told, "%.1f MiB" % most, self.options.quota or sizes[-1] / MIB <= most)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("seconds", type=int, nargs="?", default=600)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument("--quota")
    parser.add_argument("--kinds", nargs="+", default=Loads.KINDS, choices=[*Loads.KINDS, "lies"])
    parser.add_argument("--sessions", nargs="+", default=list(SESSIONS), choices=list(SESSIONS))
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        siege = Siege(options, options.keep or Path(folder))
        try:
            siege.prepare()
            siege.endure()
            siege.tell_assault()
            siege.revoke()
        finally: siege.server.stop()
        faults = siege.server.faults + siege.friend.faults
        siege.row("commands that failed or said what is not so", len(faults), "0", not faults)
    for row in siege.rows: print("%-45s %-60s %s %s" % row)
    for each in faults: print(each)
    sys.exit(siege.is_failed)


if __name__ == "__main__": main()
