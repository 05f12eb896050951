import Platform
import SimulatedPlatform
import Testing

@Suite struct `A crash of the simulated disk` {
  private let disk = SimulatedMachine(seed: 1).disk
  private let path = Path("/a")

  /// A file that survives a crash, because its bytes and its name are flushed.
  private func putDurably(_ path: Path, _ bytes: [UInt8]) throws {
    try disk.put(path, bytes, flushing: true)
    try disk.flushDirectory(path.parent)
  }

  @Test func `Crash: bytes written since the last flush are lost`() throws {
    let file = try OpenFile(path, .create, on: disk)
    try file.write([1, 2], at: 0)
    try file.flush()
    try disk.flushDirectory(Path("/"))
    try file.write([9, 9, 9], at: 1)
    try file.truncate(to: 3)
    #expect(disk.unflushed == [.write(at: 1, byteCount: 3), .truncation])
    disk.crash()
    #expect(disk.files == [path: [1, 2]])
    #expect(disk.unflushed == [])
  }

  @Test func `Crash: a new file is lost without a flush of its directory`() throws {
    try disk.put(path, [1], flushing: true)
    #expect(disk.unflushed == [.name])
    disk.crash()
    #expect(disk.files == [:])
  }

  @Test func `Crash: a flush of the directory alone keeps the name without bytes`() throws {
    try disk.put(path, [1])
    try disk.flushDirectory(Path("/"))
    disk.crash()
    #expect(disk.files == [path: []])
  }

  @Test func `Crash: a rename and a removal without a flush are undone`() throws {
    try putDurably(path, [1])
    try putDurably(Path("/b"), [2])
    try putDurably(Path("/c"), [3])
    try disk.rename(path, to: Path("/b"))
    try disk.remove(Path("/c"))
    #expect(disk.files == [Path("/b"): [1]])
    disk.crash()
    #expect(disk.files == [path: [1], Path("/b"): [2], Path("/c"): [3]])
  }

  @Test func `Crash: a rename is kept once either directory is flushed`() throws {
    try disk.makeDirectories(Path("/from"))
    try disk.makeDirectories(Path("/to"))
    try disk.put(Path("/from/a"), [1], flushing: true)
    try disk.rename(Path("/from/a"), to: Path("/to/a"))
    try disk.flushDirectory(Path("/to"))
    disk.crash()
    #expect(disk.files == [Path("/to/a"): [1]])
  }

  @Test func `Crash: a directory is lost without a flush of its parent`() throws {
    try disk.makeDirectory(Path("/folder"))
    try putDurably(Path("/folder/a"), [1])
    disk.crash()
    #expect(try disk.list(Path("/")) == [])
  }

  @Test func `Crash: tokens are closed and locks released`() throws {
    let token = try #require(try disk.lock(path)).token
    try disk.flush(token)
    try disk.flushDirectory(Path("/"))
    disk.crash()
    #expect(throws: DiskError(.size, Path(""), .closed)) { try disk.size(token) }
    #expect(try disk.lock(path) != nil)
  }

  @Test func `Crash: the end of a process keeps unflushed changes`() throws {
    let token = try #require(try disk.lock(path)).token
    disk.kill()
    #expect(throws: DiskError(.size, Path(""), .closed)) { try disk.size(token) }
    #expect(disk.files == [path: Array("1\n".utf8)])
    #expect(disk.unflushed.count == 3)
    #expect(try disk.lock(path) != nil)
  }

  @Test func `Crash: changes are kept, lost or torn as the test chooses`() throws {
    try putDurably(path, [0])
    let file = try OpenFile(path, .write, on: disk)
    try file.write([1, 1], at: 0)
    try file.write([2, 2], at: 2)
    try file.write([3, 3], at: 4)
    func left(_ survival: Survival) -> [UInt8]? {
      let copy = disk.copy()
      copy.crash(keeping: survival)
      return copy.files[path]
    }
    #expect(left(.nothing) == [0])
    #expect(left(.everything) == [1, 1, 2, 2, 3, 3])
    #expect(left(.first(2)) == [1, 1, 2, 2])
    #expect(left(.chosen([.lost, .kept, .torn(afterBytes: 1)])) == [0, 0, 2, 2, 3])
    #expect(left(.chosen([.kept])) == [1, 1])
    #expect(left(.chosen([.lost, .partly([1..<2]), .lost])) == [0, 0, 0, 2])
    #expect(left(.chosen([.partly([]), .partly([0..<1, 1..<9])])) == [0, 0, 2, 2])
    #expect(disk.files[path] == [1, 1, 2, 2, 3, 3])
  }

  @Test func `Crash: the disk can be recorded after each mutating call`() throws {
    disk.record()
    try putDurably(path, [1, 2])
    _ = try disk.status(path)
    let moments = disk.recorded()
    let bytes: [[UInt8]] = [[], [1, 2], [1, 2], [1, 2]]
    #expect(moments.map(\.files) == bytes.map { [path: $0] })
    #expect(moments.map(\.unflushed.count) == [1, 2, 1, 0])
    try disk.remove(path)
    #expect(disk.recorded().isEmpty)
  }

  @Test func `Crash: a seed determines the outcome, and many seeds yield many states`() throws {
    try putDurably(path, [])
    let file = try OpenFile(path, .write, on: disk)
    for index in 0..<4 { try file.write([UInt8(index), 1, 1], at: 3 * index) }
    func left(_ seed: UInt64) -> [UInt8]? {
      let copy = disk.copy()
      copy.crash(keeping: .random(seed: seed))
      return copy.files[path]
    }
    for seed in UInt64(0)..<20 { #expect(left(seed) == left(seed)) }
    #expect(Set((UInt64(0)..<100).map(left)).count > 20)
  }

  @Test func `Crash: a later name of a file survives only with the earlier ones`() throws {
    try disk.put(path, [], flushing: true)
    try disk.rename(path, to: Path("/b"))
    try disk.rename(Path("/b"), to: Path("/c"))
    func left(_ fates: [Fate]) throws -> [String] {
      let copy = disk.copy()
      copy.crash(keeping: .chosen(fates))
      return try copy.list(Path("/"))
    }
    #expect(try left([.kept, .kept, .kept]) == ["c"])
    #expect(try left([.kept, .lost, .kept]) == ["a"])
    #expect(try left([.lost, .kept, .kept]) == [])
  }

  @Test func `Crash: a replaced file is whole, either old or new`() throws {
    try disk.replace(path, with: [1, 1, 1])
    let start = disk.calls.mutating
    let whole = disk.copy()
    try whole.replace(path, with: [2, 2])
    let steps = whole.calls.mutating - start
    var seen: Set<[UInt8]?> = []
    for step in 1...steps {
      for seed in UInt64(0)..<50 {
        let copy = disk.copy()
        copy.failCall(step, with: .io, .fromThenOn)
        #expect(throws: DiskError.self) { try copy.replace(path, with: [2, 2]) }
        copy.crash(keeping: .random(seed: seed))
        seen.insert(copy.files[path])
      }
    }
    #expect(seen == [[1, 1, 1], [2, 2]])
    whole.crash()
    #expect(whole.files == [path: [2, 2]])
  }
}
