"""Prints one line for each check, and records the failures."""

import time
import traceback


class Checks:
    def __init__(self):
        self.failed = []
        self.count = 0
        self.group = ""

    def __call__(self, name, ok, detail=""):
        self.count += 1
        line = f"{self.group}: {name}"
        if not ok:
            self.failed.append(line)
        tail = "" if ok or detail in ("", None) else f" ({str(detail)[:400]})"
        print(f"{'ok  ' if ok else 'FAIL'} {line}{tail}", flush=True)
        return ok

    def equal(self, name, found, wanted):
        return self(name, found == wanted, f"found {found!r}, wanted {wanted!r}")

    def skip(self, name, why):
        print(f"skip {self.group}: {name} ({why})", flush=True)

    def run(self, group, trial, world):
        """Runs one trial; an exception counts as a failure, and the next trial still runs."""
        self.group = group
        start = time.monotonic()
        try:
            trial(world)
        except Exception as fault:
            where = traceback.extract_tb(fault.__traceback__)
            mine = [f"{one.filename.rsplit('/')[-1]}:{one.lineno}" for one in where if "BrowserTests" in one.filename]
            self("went to its end", False, f"{' '.join(mine[1:])}: {fault}")
        print(f"     {group}: {time.monotonic() - start:.1f} s", flush=True)

    def result(self):
        print(f"{self.count} checks, {len(self.failed)} failed")
        for line in self.failed:
            print(f"  {line}")
        return 1 if self.failed else 0
