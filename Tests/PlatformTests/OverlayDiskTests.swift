import Platform
import SimulatedPlatform
import Testing

/// A disk for trial changes, which are discarded.
struct TrialDiskTests {
  private func trying(_ body: (_ disk: OverlayDisk, _ home: Path) throws -> Void) throws {
    let simulated = SimulatedMachine(seed: 3).disk
    let home = Path("/home")
    try simulated.makeDirectories(home / "folder" / "deep")
    try simulated.put(home / "file", [1, 2, 3], flushing: true)
    try simulated.put(home / "folder" / "deep" / "other", [4], flushing: true)
    let before = simulated.files
    try body(OverlayDisk(over: simulated, holdingUpTo: 1_000), home)
    #expect(simulated.files == before)
    #expect(try simulated.list(home) == ["file", "folder"])
  }

  @Test func `Overlay: changes are visible in it and absent from the disk below`() throws {
    try trying { disk, home in
      let file = try disk.open(home / "file", .write)
      try disk.write(file, [9], at: 4)
      #expect(try disk.read(file, at: 0, count: 9) == [1, 2, 3, 0, 9])
      try disk.truncate(file, to: 2)
      try disk.flush(file)
      try disk.close(file)
      #expect(try disk.get(home / "file") == [1, 2])
      #expect(try disk.status(home / "file")?.size == 2)
      try disk.replace(home / "new", with: [5])
      try disk.rename(home / "new", to: home / "folder" / "moved")
      try disk.remove(home / "file")
      #expect(try disk.list(home) == ["folder"])
      #expect(try disk.list(home / "folder") == ["deep", "moved"])
      #expect(try disk.status(home / "file") == nil)
      #expect(throws: DiskError(.open, home / "file", .notFound)) {
        try disk.open(home / "file", .read)
      }
    }
  }

  @Test func `Overlay: open files see later writes and survive a removal`() throws {
    try trying { disk, home in
      let (reader, writer) = (
        try disk.open(home / "file", .read), try disk.open(home / "file", .write)
      )
      try disk.write(writer, [7], at: 0)
      #expect(try disk.read(reader, at: 0, count: 3) == [7, 2, 3])
      #expect(throws: DiskError(.write, home / "file", .readOnly)) {
        try disk.write(reader, [7], at: 0)
      }
      try disk.remove(home / "file")
      #expect(try disk.read(reader, at: 0, count: 3) == [7, 2, 3])
      try disk.close(reader)
      try disk.close(writer)
      #expect(throws: DiskError(.close, Path(""), .closed)) { try disk.close(writer) }
    }
  }

  @Test func `Overlay: directories are created, moved with their contents, and removed`() throws {
    try trying { disk, home in
      try disk.makeDirectories(home / "a" / "b")
      try disk.put(home / "a" / "b" / "c", [8])
      try disk.rename(home / "folder", to: home / "a" / "folder")
      #expect(try disk.list(home) == ["a", "file"])
      #expect(try disk.get(home / "a" / "folder" / "deep" / "other") == [4])
      #expect(try disk.status(home / "folder") == nil)
      #expect(throws: DiskError(.removeDirectory, home / "a" / "b", .notEmpty)) {
        try disk.removeDirectory(home / "a" / "b")
      }
      try disk.remove(home / "a" / "b" / "c")
      try disk.removeDirectory(home / "a" / "b")
      #expect(try disk.list(home / "a") == ["folder"])
      #expect(throws: DiskError(.makeDirectory, home / "file", .exists)) {
        try disk.makeDirectory(home / "file")
      }
      #expect(throws: DiskError(.open, home / "none" / "x", .notFound)) {
        try disk.open(home / "none" / "x", .create)
      }
    }
  }

  @Test func `Overlay: a lock is exclusive and absent from the disk below`() throws {
    try trying { disk, home in
      let lock = try #require(try disk.lock(home / "lock"))
      #expect(try disk.lock(home / "lock") == nil)
      try disk.close(lock.token)
      #expect(try disk.lock(home / "lock") != nil)
    }
  }

  @Test(arguments: ["file", "lock"])
  func `Overlay: a lock is held until its own token is closed`(name: String) throws {
    try trying { disk, home in
      let lock = try #require(try disk.lock(home / name))
      let writer = try disk.open(home / name, .write)
      try disk.close(writer)
      #expect(try disk.lock(home / name) == nil)
      try disk.rename(home / name, to: home / "moved")
      #expect(try disk.lock(home / "moved") == nil)
      #expect(try disk.lock(home / name) != nil)
      try disk.close(lock.token)
      #expect(try disk.lock(home / "moved") != nil)
    }
  }

  @Test func `Overlay: a lock call that fails leaves the lock free`() throws {
    let below = SimulatedMachine(seed: 3).disk
    let (disk, file) = (OverlayDisk(over: below), Path("/file"))
    try below.put(file, [1])
    try below.makeDirectory(Path("/folder"))
    try disk.makeDirectory(Path("/new"))
    // The first call finds the file, and the second call opens it.
    below.failCall(2, of: .all, with: .io)
    #expect(throws: DiskError(.open, file, .io)) { try disk.lock(file) }
    #expect(try disk.lock(file) != nil)
    for folder in [Path("/folder"), Path("/new")] {
      #expect(throws: DiskError(.lock, folder, .isADirectory)) { try disk.lock(folder) }
    }
    let missing = Path("/none") / "lock"
    #expect(throws: DiskError(.lock, missing, .notFound)) { try disk.lock(missing) }
    #expect(try disk.status(missing) == nil)
  }

  @Test func `Overlay: writes over the memory limit are refused`() throws {
    try trying { disk, home in
      let file = try disk.open(home / "big", .create)
      try disk.write(file, [UInt8](repeating: 1, count: 900), at: 0)
      #expect(throws: DiskError(.write, home / "big", .full)) {
        try disk.write(file, [UInt8](repeating: 1, count: 200), at: 900)
      }
      #expect(try disk.size(file) == 900)
      try disk.truncate(file, to: 0)
      try disk.write(file, [UInt8](repeating: 1, count: 200), at: 0)
    }
  }

  @Test func `Overlay: a file over the memory limit is refused before it is read`() throws {
    let below = SimulatedMachine(seed: 3).disk
    let (large, small) = (Path("/large"), Path("/small"))
    try below.put(large, [UInt8](repeating: 7, count: 2_000))
    let disk = OverlayDisk(over: below, holdingUpTo: 1_000)
    let file = try disk.open(large, .write)
    // Reading the file would fail with a different error.
    below.failCall(2, of: .all, with: .io)
    #expect(throws: DiskError(.write, large, .full)) { try disk.write(file, [1], at: 0) }
    below.clearWeather()
    #expect(throws: DiskError(.truncate, large, .full)) { try disk.truncate(file, to: 1_001) }
    try disk.put(small, [UInt8](repeating: 1, count: 900))
    #expect(try disk.size(file) == 2_000)
    try disk.truncate(file, to: 3)
    try disk.write(file, [8], at: 1)
    #expect(try disk.get(large) == [7, 8, 7])
    #expect(try below.get(large) == [UInt8](repeating: 7, count: 2_000))
  }

  @Test func `Overlay: an unreadable file is not moved, and it is closed again`() throws {
    let below = SimulatedMachine(seed: 3).disk
    let (disk, file, moved) = (OverlayDisk(over: below), Path("/file"), Path("/moved"))
    try below.put(file, [1])
    // Two calls look up the two names, the third call opens the file, and the fourth call requests its size.
    let before = below.calls.all
    below.failCall(5, of: .all, with: .io)
    #expect(throws: DiskError(.read, file, .io)) { try disk.rename(file, to: moved) }
    #expect(below.calls.all == before + 6)
    #expect(try disk.list(Path("/")) == ["file"])
    #expect(try disk.get(file) == [1])
  }

  @Test func `Overlay: a confined part shows its changes and refuses paths outside`() throws {
    try trying { disk, home in
      try disk.put(home / "folder" / "new", [6])
      let part = disk.confined(to: home / "folder")
      #expect(try part.get(home / "folder" / "new") == [6])
      try part.replace(home / "folder" / "newer", with: [7])
      #expect(try disk.get(home / "folder" / "newer") == [7])
      #expect(throws: DiskError(.status, home / "file", .outside)) {
        try part.open(home / "file", .read)
      }
    }
  }
}
