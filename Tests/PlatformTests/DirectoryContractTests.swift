import Platform
import Testing

/// The behaviour that every disk must have for names, tested on each disk.
@Suite struct `The contract of directories` {
  @Test(arguments: Make.allCases)
  func `Directory: names are listed in the order of their bytes`(make: Make) throws {
    try make.trying { disk, home in
      for name in ["f", "b", "a", "é", "e\u{301}", "Z", ".dot"] { try disk.put(home / name, []) }
      try disk.makeDirectory(home / "c")
      let names = try disk.list(home).map { Array($0.utf8) }
      let expected = [".dot", "Z", "a", "b", "c", "e\u{301}", "f", "é"].map { Array($0.utf8) }
      #expect(names == expected)
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: the statuses of its entries are those of their paths`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "b", [1, 2])
      try disk.put(home / "a", [])
      try disk.makeDirectory(home / "c")
      let names = ["b", "missing", "a", "c"]
      let statuses = try disk.statuses(of: names, in: home)
      #expect(statuses == (try names.map { try disk.status(home / $0) }))
      #expect(statuses.map { $0?.size } == [2, nil, 0, statuses[3]?.size])
      #expect(statuses.map { $0?.kind } == [.file, nil, .file, .directory])
      #expect(try disk.statuses(of: [], in: home) == [])
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: a renamed file replaces an existing file`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "old", [1])
      try disk.put(home / "new", [2, 3])
      try disk.makeDirectory(home / "folder")
      try disk.rename(home / "new", to: home / "old")
      try disk.rename(home / "old", to: home / "old")
      #expect(try disk.list(home) == ["folder", "old"])
      #expect(try disk.get(home / "old") == [2, 3])
      try disk.rename(home / "old", to: home / "folder" / "moved")
      try disk.rename(home / "folder", to: home / "box")
      #expect(try disk.list(home) == ["box"])
      #expect(try disk.get(home / "box" / "moved") == [2, 3])
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: a move into itself or over a directory with entries is refused`(
    make: Make
  ) throws {
    try make.trying { disk, home in
      try disk.makeDirectories(home / "a" / "b")
      try disk.makeDirectories(home / "c" / "d")
      #expect(throws: DiskError(.rename, home / "a", .invalid)) {
        try disk.rename(home / "a", to: home / "a" / "b" / "c")
      }
      #expect(throws: DiskError(.rename, home / "a", .notEmpty)) {
        try disk.rename(home / "a", to: home / "c")
      }
      try disk.rename(home / "a", to: home / "c" / "d")
      #expect(try disk.list(home / "c" / "d") == ["b"])
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: it is created once and removed when empty`(make: Make) throws {
    try make.trying { disk, home in
      let folder = home / "a"
      try disk.makeDirectory(folder)
      try disk.makeDirectory(folder)
      let status = try #require(try disk.status(folder))
      #expect(status.kind == .directory)
      #expect(status.permissions == 0o700)
      try disk.put(folder / "b", [])
      #expect(throws: DiskError(.removeDirectory, folder, .notEmpty)) {
        try disk.removeDirectory(folder)
      }
      try disk.remove(folder / "b")
      try disk.removeDirectory(folder)
      #expect(try disk.list(home) == [])
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: it is created with its parents`(make: Make) throws {
    try make.trying { disk, home in
      try disk.makeDirectories(home / "a" / "b" / "c")
      try disk.makeDirectories(home / "a" / "b" / "c")
      try disk.makeDirectories(Path("/"))
      #expect(try disk.list(home / "a" / "b") == ["c"])
      let file = home / "a" / "file"
      try disk.put(file, [])
      #expect(throws: DiskError(.makeDirectory, file, .exists)) {
        try disk.makeDirectories(file)
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: a replaced file is whole and leaves no draft`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      try disk.replace(path, with: [1, 2, 3])
      #expect(try disk.get(path) == [1, 2, 3])
      // A draft left by a crash does not prevent a replacement.
      try disk.put(path.draft, [9, 9, 9, 9, 9])
      try disk.replace(path, with: [4])
      #expect(try disk.get(path) == [4])
      #expect(try disk.list(home) == ["a"])
      let status = try #require(try disk.status(path))
      #expect(status.kind == .file)
      #expect(status.size == 1)
      #expect(status.permissions == 0o600)
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: a failed replacement leaves the old entry and no draft`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      try disk.makeDirectory(path)
      #expect(throws: DiskError(.rename, path.draft, .isADirectory)) {
        try disk.replace(path, with: [1])
      }
      #expect(try disk.list(home) == ["a"])
    }
  }

  @Test(arguments: Make.allCases)
  func `Directory: contents over the limit are refused`(make: Make) throws {
    try make.trying { disk, home in
      let path = home / "a"
      try disk.put(path, [1, 2, 3])
      #expect(try disk.contents(of: path, limit: 3) == [1, 2, 3])
      #expect(throws: DiskError(.read, path, .tooLarge)) {
        try disk.contents(of: path, limit: 2)
      }
    }
  }
}
