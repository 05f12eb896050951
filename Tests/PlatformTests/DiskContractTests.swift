import Foundation
import Platform
import Testing

/// The behaviour that every disk must have for files, tested on each disk.
@Suite struct `The contract of files` {
  @Test(arguments: Make.allCases)
  func `File: only the first caller can create it`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      let token = try disk.open(path, .create)
      #expect(throws: DiskError(.open, path, .exists)) { try disk.open(path, .create) }
      try disk.close(token)
      #expect(throws: DiskError(.open, path, .exists)) { try disk.open(path, .create) }
      #expect(try disk.status(path)?.permissions == 0o600)
    }
  }

  @Test(arguments: Make.allCases)
  func `File: calls on a missing path report that it is not found`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      let below = path / "b"
      #expect(throws: DiskError(.open, path, .notFound)) { try disk.open(path, .read) }
      #expect(throws: DiskError(.open, path, .notFound)) { try disk.open(path, .write) }
      #expect(throws: DiskError(.open, below, .notFound)) { try disk.open(below, .create) }
      #expect(throws: DiskError(.rename, path, .notFound)) { try disk.rename(path, to: below) }
      #expect(throws: DiskError(.remove, path, .notFound)) { try disk.remove(path) }
      #expect(throws: DiskError(.list, path, .notFound)) { try disk.list(path) }
      #expect(throws: DiskError(.lock, below, .notFound)) { try disk.lock(below) }
      #expect(throws: DiskError(.makeDirectory, below, .notFound)) {
        try disk.makeDirectory(below)
      }
      #expect(throws: DiskError(.flushDirectory, path, .notFound)) {
        try disk.flushDirectory(path)
      }
      let nothing = try [disk.status(path), disk.status(below)]
      #expect(nothing == [nil, nil])
    }
  }

  @Test(arguments: Make.allCases)
  func `File: files and directories are distinguished in every call`(make: Make) throws {
    try make.trying { disk, home in
      let file = home / "file"
      let folder = home / "folder"
      let below = file / "below"
      try disk.put(file, [1])
      try disk.makeDirectory(folder)
      #expect(throws: DiskError(.open, folder, .isADirectory)) { try disk.open(folder, .read) }
      #expect(throws: DiskError(.open, folder, .isADirectory)) { try disk.open(folder, .write) }
      #expect(throws: DiskError(.open, folder, .exists)) { try disk.open(folder, .create) }
      #expect(throws: DiskError(.lock, folder, .isADirectory)) { try disk.lock(folder) }
      #expect(throws: DiskError(.remove, folder, .isADirectory)) { try disk.remove(folder) }
      #expect(throws: DiskError(.rename, file, .isADirectory)) {
        try disk.rename(file, to: folder)
      }
      #expect(throws: DiskError(.rename, folder, .notADirectory)) {
        try disk.rename(folder, to: file)
      }
      #expect(throws: DiskError(.open, below, .notADirectory)) { try disk.open(below, .read) }
      #expect(throws: DiskError(.status, below, .notADirectory)) { try disk.status(below) }
      #expect(throws: DiskError(.list, file, .notADirectory)) { try disk.list(file) }
      #expect(throws: DiskError(.removeDirectory, file, .notADirectory)) {
        try disk.removeDirectory(file)
      }
      #expect(throws: DiskError(.makeDirectory, file, .exists)) { try disk.makeDirectory(file) }
      #expect(throws: DiskError(.flushDirectory, file, .notADirectory)) {
        try disk.flushDirectory(file)
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `File: bytes are read where they were written, and holes are zeros`(make: Make) throws {
    try make.trying { disk, home in
      let file = try OpenFile(home / "a", .create, on: disk)
      try file.write([1, 2, 3], at: 0)
      try file.write([9], at: 6)
      try file.write([7, 7], at: 2)
      try file.write([], at: 100)
      let whole = try file.read(at: 0, count: 7)
      let middle = try file.read(at: 1, count: 2)
      let tail = try file.read(at: 5, count: 50)
      let beyond = try file.read(at: 7, count: 1)
      let nothing = try file.read(at: 0, count: 0)
      #expect(whole == [1, 2, 7, 7, 0, 0, 9])
      #expect(middle == [2, 7])
      #expect(tail == [0, 9])
      #expect(beyond == [])
      #expect(nothing == [])
      try file.flush()
      try file.close()
    }
  }

  @Test(arguments: Make.allCases)
  func `File: truncation shortens it or extends it with zeros`(make: Make) throws {
    try make.trying { disk, home in
      let file = try OpenFile(home / "a", .create, on: disk)
      try file.write([1, 2, 3], at: 0)
      try file.truncate(to: 2)
      let cut = try file.size()
      try file.truncate(to: 4)
      let padded = try file.read(at: 0, count: 9)
      #expect(cut == 2)
      #expect(padded == [1, 2, 0, 0])
    }
  }

  @Test(arguments: Make.allCases)
  func `File: a file opened for reading cannot be changed`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      try disk.put(path, [1])
      let token = try disk.open(path, .read)
      #expect(throws: DiskError(.write, path, .readOnly)) { try disk.write(token, [2], at: 0) }
      #expect(throws: DiskError(.truncate, path, .readOnly)) { try disk.truncate(token, to: 0) }
      try disk.close(token)
      #expect(try disk.get(path) == [1])
    }
  }

  @Test(arguments: Make.allCases)
  func `File: a closed token stays invalid`(make: Make) throws {
    try make.trying { disk, home in
      let token = try disk.open(home / "a", .create)
      try disk.close(token)
      let other = try disk.open(home / "b", .create)
      #expect(throws: DiskError(.write, Path(""), .closed)) { try disk.write(token, [1], at: 0) }
      #expect(throws: DiskError(.close, Path(""), .closed)) { try disk.close(token) }
      #expect(try disk.size(other) == 0)
      try disk.close(other)
    }
  }

  @Test(arguments: Make.allCases)
  func `File: an open file remains usable after its name is removed`(make: Make) throws {
    try make.trying { disk, home in
      let file = try OpenFile(home / "a", .create, on: disk)
      try file.write([1, 2], at: 0)
      try disk.remove(home / "a")
      try disk.flushDirectory(home)
      try disk.put(home / "a", [3])
      let bytes = try file.read(at: 0, count: 9)
      #expect(bytes == [1, 2])
      #expect(try disk.get(home / "a") == [3])
    }
  }

  @Test(arguments: Make.allCases)
  func `File: bytes written early are readable and flushed like others`(make: Make) throws {
    try make.trying { disk, home in
      let file = try OpenFile(home / "a", .create, on: disk)
      try file.write([1, 2, 3], at: 0)
      try file.beginWriting(at: 1, count: 2)
      try file.flush()
      let bytes = try file.read(at: 0, count: 9)
      #expect(bytes == [1, 2, 3])
    }
  }

  @Test func `File: writing early to a closed file is refused`() throws {
    try Make.posix.trying { disk, home in
      let token = try disk.open(home / "a", .create)
      try disk.close(token)
      #expect(throws: DiskError(.flush, Path(""), .closed)) {
        try disk.beginWriting(token, at: 0, count: 1)
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `Lock: it excludes a second holder until it is closed`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "lock"
      let holder = try #require(try disk.lock(path))
      #expect(holder.found == [])
      #expect(try disk.lock(path) == nil)
      #expect(try disk.lock(path) == nil)
      let signature = String(decoding: try disk.get(path), as: UTF8.self)
      #expect(signature == (make == .posix ? "\(getpid())\n" : "1\n"))
      try disk.close(holder.token)
      let next = try #require(try disk.lock(path))
      #expect(String(decoding: next.found, as: UTF8.self) == signature)
      #expect(try disk.lock(path) == nil)
      try disk.close(next.token)
    }
  }

  @Test(arguments: Make.allCases)
  func `Lock: the text in its file is returned to the next holder`(
    make: Make
  ) throws {
    try make.trying { disk, home in
      let path = home / "lock"
      let words = Array(String(repeating: "word ", count: 20).utf8)
      let holder = try #require(try disk.lock(path))
      try disk.write(holder.token, words, at: 0)
      try disk.close(holder.token)
      let next = try #require(try disk.lock(path))
      #expect(next.found == Array(words.prefix(64)))
      let signature = make == .posix ? "\(getpid())\n" : "1\n"
      #expect(try disk.get(path) == Array(signature.utf8))
      try disk.close(next.token)
    }
  }

  @Test(arguments: Make.allCases)
  func `Lock: a lock held as a file is released with its owner`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "lock"
      func isTaken() throws -> Bool {
        let lock = try OpenFile.locking(path, on: disk)
        return lock == nil
      }
      do {
        let lock = try OpenFile.locking(path, on: disk)
        #expect(try isTaken())
        try lock?.close()
      }
      #expect(try !isTaken())
      #expect(try !isTaken())
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: names are listed in the order of their bytes`(make: Make) throws {
    try make.trying { disk, home in
      let long = "000000000001-000000000002"
      let names = ["B", long, "a", "ab", "b", "z", "é", "～", "😀"].sorted {
        Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
      }
      for name in names.reversed() { try disk.put(home / name, [1]) }
      #expect(try disk.list(home) == names)
    }
  }

  @Test(arguments: Make.allCases)
  func `File: a name with a zero byte is refused`(make: Make) throws {
    try make.trying { disk, home in
      let path = Path(home.string + "/a\0b")
      try disk.put(home / "a", [1])
      #expect(throws: DiskError(.open, path, .invalid)) { try disk.open(path, .read) }
      #expect(throws: DiskError(.remove, path, .invalid)) { try disk.remove(path) }
      #expect(try disk.list(home) == ["a"])
    }
  }
}
