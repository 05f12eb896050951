"""Plants the faults of faults.txt: checks that each still applies, or makes a copy of the project with all of them.

    python3 plant.py              prints the faults that do not apply, and fails if there are any
    python3 plant.py FOLDER       copies the project to this folder, and plants all faults in the copy
"""

import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ["Package.swift", "Sources", "Tests", "Tools"]


def places():
    """The changes of all faults, in order: the fault, the file, the text there and its replacement."""
    found, fault, file, texts = [], None, None, [[]]

    def end():
        if file:
            if len(texts) != 2:
                sys.exit(f"{fault}: a change in {file} needs a text and its replacement")
            found.append((fault, file, *("\n".join(lines).rstrip("\n") for lines in texts)))

    for line in (HERE / "faults.txt").read_text().splitlines():
        if line.startswith("== "):
            end()
            fault, file = line[3:], None
        elif line.startswith("-- "):
            end()
            file, texts = line[3:], [[]]
        elif line == ">>":
            texts.append([])
        elif file:
            texts[-1].append(line)
    end()
    return found


def unknown_tests():
    """The test names in faults.txt that do not exist."""
    text = (HERE / "faults.txt").read_text()
    tests = "".join(path.read_text() for path in (ROOT / "Tests").rglob("*.swift"))
    return [name for name in re.findall(r"^Test: (.*)$", text, re.M) if f"func `{name}`" not in tests]


def problems(found):
    for name in unknown_tests():
        yield f"no test has the name {name}"
    named = set(re.findall(r"^  case (\w+)$", (HERE / "Planted.swift").read_text(), re.M))
    for name in sorted(named ^ {fault for fault, *_ in found if fault != "(all)"}):
        yield f"{name}: is missing in Planted.swift or in faults.txt"
    for fault, file, text, _ in found:
        path = ROOT / file
        count = path.read_text().count(text) if path.exists() else 0
        if count != 1:
            yield f"{fault}: occurs {count} times in {file}: {text.strip().splitlines()[0]}"


def plant(found, folder):
    """Copies the project. An unchanged file keeps its time, so that little is rebuilt."""
    files = {}
    for name in COPIED:
        start = ROOT / name
        for path in [start] if start.is_file() else start.rglob("*"):
            if path.is_file():
                files[path.relative_to(ROOT)] = path.read_bytes()
    files[Path("Sources/Bytes/Planted.swift")] = (HERE / "Planted.swift").read_bytes()
    for _, file, text, other in found:
        files[Path(file)] = files[Path(file)].replace(text.encode(), other.encode(), 1)
    for name in COPIED:
        for path in (folder / name).rglob("*"):
            if path.is_file() and path.relative_to(folder) not in files:
                path.unlink()
    for name, content in files.items():
        path = folder / name
        if path.exists() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if (ROOT / name).exists():
            shutil.copymode(ROOT / name, path)


def main(words):
    found = places()
    wrong = list(problems(found))
    for line in wrong:
        print(line)
    if not wrong and words:
        plant(found, Path(words[0]).resolve())
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
