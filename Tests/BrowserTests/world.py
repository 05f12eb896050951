"""A book in a temporary folder, a second book in conflict with it, and the program that serves the page."""

import datetime
import json
import os
import re
import subprocess
import tempfile
import urllib.parse
import urllib.request
import uuid

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/[\w-]+/")


class World:
    def __init__(self, program, address, check, shots):
        self.program = program
        self.check = check
        self.shots = shots
        self.address = address
        self.process = None
        self.folder = tempfile.TemporaryDirectory(prefix="daybook-tour-")
        self.book = os.path.join(self.folder.name, "laptop")
        self.other = os.path.join(self.folder.name, "phone")
        self.stick = os.path.join(self.folder.name, "stick")
        self.moment = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=12)
        self.environment = dict(os.environ, HOME=self.folder.name, TZ="UTC", NO_COLOR="1")

    def cli(self, *words, book=None, past=False):
        """Runs a command in another process, optionally at a past time."""
        environment = dict(self.environment)
        if past:
            self.moment += datetime.timedelta(hours=4)
            environment["DAYBOOK_NOW"] = self.moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        done = subprocess.run([self.program, "-C", book or self.book, *words], env=environment, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"daybook {' '.join(words)}: {done.returncode}: {done.stderr}")
        return done.stdout

    def start(self, port=0):
        """Starts the page and reads the address it prints."""
        self.process = subprocess.Popen([self.program, "-C", self.book, "page", "--port", str(port)], env=self.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            found = ADDRESS.search(line)
            if found:
                self.address = found[0]
                return
        raise RuntimeError("daybook page printed no address")

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=20)
            self.process.stdout.close()
            self.process = None

    def close(self):
        self.stop()
        self.folder.cleanup()

    @property
    def port(self):
        return urllib.parse.urlsplit(self.address).port

    @property
    def key(self):
        return urllib.parse.urlsplit(self.address).path.strip("/")

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def get(self, path):
        with urllib.request.urlopen(self.address + "api/" + path, timeout=10) as answer:
            return json.load(answer)

    def do(self, **command):
        """Sends a command as another page would."""
        body = json.dumps({"request": str(uuid.uuid4()), **command}).encode()
        headers = {"Content-Type": "application/json", "Origin": self.origin}
        with urllib.request.urlopen(urllib.request.Request(self.address + "api/do", body, headers), timeout=10) as answer:
            return json.load(answer)

    def elsewhere(self, title, place="Home"):
        """Adds a to-do from another process, or from another page if there is no program."""
        if self.program:
            self.cli("add", "todo", title, "--list", place)
        else:
            self.do(command="add", kind="todo", text=title, list=self.list_id(place))

    def list_id(self, title):
        return next(one["id"] for one in self.get("view/lists")["nav"]["lists"] if one["title"] == title)

    def row(self, view, title):
        return next(row for section in self.get(f"view/{view}")["sections"] for row in section["rows"] if row["title"] == title)
