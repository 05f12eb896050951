import Platform
import SimulatedPlatform
import Testing

@Suite struct `The weather of the simulated disk` {
  private let disk = SimulatedMachine(seed: 1).disk
  private let path = Path("/a")

  @Test func `Disk weather: only the chosen call fails`() throws {
    disk.failCall(2, with: .io)
    let token = try disk.open(path, .create)
    #expect(try disk.size(token) == 0)
    #expect(throws: DiskError(.write, path, .io)) { try disk.write(token, [1], at: 0) }
    #expect(disk.files == [path: []])
    try disk.write(token, [2], at: 0)
    #expect(disk.files == [path: [2]])
    #expect(disk.calls == DiskCalls(all: 4, mutating: 3))
  }

  @Test func `Disk weather: every call fails from the chosen one on`() throws {
    disk.failCall(1, of: .all, with: .permission, .fromThenOn)
    for _ in 0..<3 {
      #expect(throws: DiskError(.status, path, .permission)) { try disk.status(path) }
    }
    disk.clearWeather()
    #expect(try disk.status(path) == nil)
    #expect(disk.calls == DiskCalls(all: 4, mutating: 0))
  }

  @Test func `Disk weather: bytes that a flush failed to keep are lost in a crash`() throws {
    let token = try disk.open(path, .create)
    try disk.flushDirectory(Path("/"))
    try disk.write(token, [1], at: 0)
    disk.failCall(1, with: .io)
    #expect(throws: DiskError(.flush, path, .io)) { try disk.flush(token) }
    try disk.flush(token)
    #expect(disk.files == [path: [1]])
    disk.crash()
    #expect(disk.files == [path: []])
  }

  @Test func `Disk weather: the write that fills the disk is performed in part`() throws {
    try disk.put(path, [1, 2])
    disk.becomeFull(afterBytes: 3)
    let token = try disk.open(path, .write)
    #expect(throws: DiskError(.write, path, .full)) {
      try disk.write(token, [3, 4, 5, 6], at: 2)
    }
    #expect(disk.files == [path: [1, 2, 3, 4, 5]])
    #expect(throws: DiskError(.open, Path("/b"), .full)) { try disk.open(Path("/b"), .create) }
    try disk.write(token, [9, 9], at: 0)
    try disk.truncate(token, to: 4)
    try disk.write(token, [8], at: 4)
    #expect(disk.files == [path: [9, 9, 3, 4, 8]])
  }

  @Test func `Disk weather: a write that fails halfway keeps its first half`() throws {
    let token = try disk.open(path, .create)
    disk.failCall(1, with: .io, halfway: true)
    #expect(throws: DiskError(.write, path, .io)) { try disk.write(token, [1, 2, 3, 4, 5], at: 1) }
    #expect(disk.files == [path: [0, 1, 2]])
    disk.failCall(1, with: .io, halfway: true)
    #expect(throws: DiskError(.truncate, path, .io)) { try disk.truncate(token, to: 1) }
    #expect(disk.files == [path: [0, 1, 2]])
    disk.failCall(1, with: .io)
    #expect(throws: DiskError(.write, path, .io)) { try disk.write(token, [7, 8], at: 0) }
    #expect(disk.files == [path: [0, 1, 2]])
  }

  @Test func `Disk weather: flushes on chosen paths have no effect`() throws {
    disk.lie { $0 == Path("/a") || $0 == Path("/folder") }
    try disk.makeDirectories(Path("/folder"))
    for path in ["/a", "/b", "/folder/c"] { try disk.put(Path(path), [1], flushing: true) }
    try disk.flushDirectory(Path("/folder"))
    try disk.flushDirectory(Path("/"))
    disk.crash()
    #expect(disk.files == [Path("/a"): [], Path("/b"): [1]])
  }

  @Test func `Disk weather: a read-only disk refuses every change`() throws {
    try disk.put(path, [1])
    disk.becomeReadOnly()
    #expect(throws: DiskError(.open, path, .readOnly)) { try disk.open(path, .write) }
    #expect(throws: DiskError(.remove, path, .readOnly)) { try disk.remove(path) }
    #expect(throws: DiskError(.lock, path, .readOnly)) { try disk.lock(path) }
    #expect(try disk.get(path) == [1])
  }

  @Test func `Disk weather: a flipped byte survives a crash`() throws {
    try disk.replace(path, with: [1, 2, 3])
    disk.rot(path, at: 1, flipping: 0x80)
    disk.rot(path, at: 3, flipping: 0x80)
    #expect(disk.files == [path: [1, 0x82, 3]])
    disk.crash()
    #expect(disk.files == [path: [1, 0x82, 3]])
  }

  @Test func `Disk weather: a removed file is forgotten once its directory is flushed`() throws {
    for _ in 0..<3 {
      try disk.put(path, [1, 2])
      try disk.remove(path)
    }
    #expect(disk.unflushed.count == 9)
    try disk.flushDirectory(Path("/"))
    #expect(disk.unflushed == [])
  }

  @Test func `Simulated disk: a copy is independent of the original`() throws {
    try disk.put(path, [1])
    let copy = disk.copy()
    try copy.remove(path)
    #expect(disk.files == [path: [1]])
    #expect(copy.files == [:])
  }
}
