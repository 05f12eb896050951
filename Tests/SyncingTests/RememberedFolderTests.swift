import Bytes
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Folders whose files a device remembers from one sync to the next.
struct RememberedFolderTests {
  static let memory = Path("/book/store")
  let machine: SimulatedMachine

  init() throws { try self.init(seed: 12) }

  private init(seed: UInt64) throws {
    machine = SimulatedMachine(seed: seed)
    for folder in [DirectoryTests.folder, Self.memory.parent] {
      try machine.disk.makeDirectories(folder)
    }
  }

  private typealias Outcome = (
    pulled: DirectoryReport, pushed: DirectoryReport, reads: CountingDisk.Reads
  )

  /// Syncs a holder with the folder, as a new process does.
  @discardableResult
  private func sync(
    _ holder: MemoryHolder, with folder: Path = DirectoryTests.folder
  ) throws -> Outcome {
    let disk = CountingDisk(machine.disk, in: folder)
    var peer = try DirectoryPeer(
      at: folder,
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: machine.dice, network: machine.network),
      remembering: Self.memory)
    let (pulled, pushed) = (try peer.pull(.book, into: holder), try peer.push(from: holder))
    peer.saveMemory()
    return (pulled, pushed, disk.reads)
  }

  /// A holder whose events are in the folder, in one file of several blocks.
  private func known() throws -> (holder: MemoryHolder, file: Path) {
    let holder = MemoryHolder(.anna).write((1...400).map { "event \($0)" }, to: .anna)
    try sync(holder)
    try sync(holder)
    machine.timekeeper.advance(milliseconds: 10)
    return (holder, try file())
  }

  private func file() throws -> Path {
    let files = machine.disk.files.keys.filter { $0.names(below: DirectoryTests.folder) != nil }
    #expect(files.count == 1)
    return try #require(files.first)
  }

  private func bytes(of path: Path) throws -> [UInt8] {
    try machine.disk.contents(of: path, limit: 1 << 24)
  }

  @Test func `Remembered folder: an unchanged sync reads one block and writes nothing`() throws {
    let (holder, file) = try known()
    let (size, before) = (try bytes(of: file).count, machine.disk.files)
    #expect(size > 8_192)
    for _ in 0..<3 {
      let calls = machine.disk.calls.mutating
      let outcome = try sync(holder)
      #expect(outcome.pulled == DirectoryReport())
      #expect(outcome.pushed == DirectoryReport())
      #expect(outcome.reads.files == 1)
      #expect(outcome.reads.bytes <= 4_096)
      #expect(machine.disk.calls.mutating == calls)
    }
    #expect(machine.disk.files == before)
  }

  @Test func `Remembered folder: a sync reads only the files that are new`() throws {
    let (holder, _) = try known()
    let other = MemoryHolder(.bert).write(["b1"], to: .bert)
    var peer = try DirectoryTests.peer(on: machine)
    _ = try peer.push(from: other)
    let outcome = try sync(holder)
    #expect(outcome.pulled == DirectoryReport(received: [.bert: 1]))
    // One block of the known file, and the new file.
    #expect(outcome.reads.files == 2)
    #expect(try sync(holder).reads.files == 1)
  }

  // MARK: Changes

  enum Change: CaseIterable {
    case replaced, cut, grown, emptied, removed

    func apply(to path: Path, on disk: SimulatedDisk) throws {
      let bytes = try disk.contents(of: path, limit: 1 << 24)
      switch self {
      case .replaced: try disk.replace(path, with: bytes.map { $0 ^ 1 })
      case .cut: try disk.replace(path, with: Array(bytes.dropLast()))
      case .grown: try disk.replace(path, with: bytes + [0])
      case .emptied: try disk.replace(path, with: [])
      case .removed: try disk.remove(path)
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `Remembered folder: a changed file is seen, and its events are written again`(
    change: Change
  ) throws {
    let (holder, file) = try known()
    let before = try bytes(of: file)
    try change.apply(to: file, on: machine.disk)
    #expect(try sync(holder).pushed.sent == [.anna: 400])
    #expect(try bytes(of: file) == before)
  }

  @Test func `Remembered folder: a renamed file is read once`() throws {
    let (holder, file) = try known()
    let copy = file.parent / (file.name.dropLast(3) + " (copy).gz")
    try machine.disk.rename(file, to: copy)
    let outcome = try sync(holder)
    #expect(outcome.pulled == DirectoryReport())
    #expect(outcome.pushed == DirectoryReport())
    #expect(outcome.reads.bytes == (try bytes(of: copy).count))
    #expect(try sync(holder).reads.bytes <= 4_096)
  }

  @Test func `Remembered folder: a directory in place of a file is no file`() throws {
    let (holder, file) = try known()
    try machine.disk.remove(file)
    try machine.disk.makeDirectories(file)
    let problems = try sync(holder).pushed.problems
    #expect(problems.count == 1)
    #expect(problems.allSatisfy { if case .notLeft = $0 { true } else { false } })
  }

  @Test(arguments: 0..<8)
  func `Remembered folder: damage that size and time do not show is found by reading back`(
    seed: UInt64
  ) throws {
    let tests = try Self(seed: seed)
    let (holder, file) = try tests.known()
    let before = try tests.bytes(of: file)
    tests.machine.disk.rot(file, at: 5_000, flipping: 1)
    // Each sync reads back one random block.
    let number = try (1...100).first { _ in
      try tests.sync(holder).pushed.sent == [.anna: 400]
    }
    #expect(number != nil)
    #expect(try tests.bytes(of: file) == before)
  }

  @Test
  func `Remembered folder: all files are read again after 30 days, or if the clock was ahead`()
    throws
  {
    let (holder, file) = try known()
    let size = try bytes(of: file).count
    machine.timekeeper.advance(milliseconds: 30 * 86_400_000)
    #expect(try sync(holder).reads.bytes == size)
    #expect(try sync(holder).reads.bytes <= 4_096)
    machine.timekeeper.set(Moment(milliseconds: 1_704_067_200_000))
    #expect(try sync(holder).reads.bytes == size)
  }

  // MARK: The memory

  @Test func `Remembered folder: a damaged memory is ignored`() throws {
    let (holder, file) = try known()
    let (size, memory) = (try bytes(of: file).count, try bytes(of: Self.memory))
    for offset in stride(from: 0, to: memory.count, by: 7) {
      var damaged = memory
      damaged[offset] ^= 0x10
      try machine.disk.replace(Self.memory, with: damaged)
      #expect(try sync(holder).reads.bytes == size)
      #expect(try bytes(of: Self.memory) != damaged)
    }
    for count in [0, 1, 31, 32, memory.count - 1] {
      try machine.disk.replace(Self.memory, with: Array(memory.prefix(count)))
      #expect(try sync(holder).reads.bytes == size)
    }
  }

  @Test func `Remembered folder: memories that were not used for 30 days are removed`() throws {
    let folder = Self.memory.parent
    try machine.disk.replace(folder / "store-old", with: [1])
    machine.timekeeper.advance(milliseconds: 30 * 86_400_000)
    try machine.disk.replace(folder / "store-new", with: [1])
    machine.timekeeper.advance(milliseconds: 1)
    try sync(MemoryHolder(.anna))
    #expect(try machine.disk.list(folder) == ["store", "store-new"])
  }

  @Test func `Remembered folder: the memory of another folder is ignored`() throws {
    let (holder, file) = try known()
    let other = Path("/stick/other")
    try machine.disk.makeDirectories(other / UniqueID.book.hex / UniqueID.anna.hex)
    let bytes = try bytes(of: file)
    try machine.disk.replace(
      other / UniqueID.book.hex / UniqueID.anna.hex / file.name, with: bytes)
    #expect(try sync(holder, with: other).reads.bytes == bytes.count)
    #expect(try sync(holder, with: other).reads.bytes <= 4_096)
  }

  @Test func `Remembered folder: a device that was restored receives what it once held`() throws {
    let (_, file) = try known()
    let restored = MemoryHolder(.anna).write(["event 1"], to: .anna)
    let outcome = try sync(restored)
    #expect(outcome.pulled == DirectoryReport(received: [.anna: 399]))
    #expect(outcome.reads.bytes >= (try bytes(of: file).count))
  }

  @Test func `Remembered folder: without a memory, each sync reads all files`() throws {
    let (holder, file) = try known()
    let disk = CountingDisk(machine.disk, in: DirectoryTests.folder)
    var peer = try DirectoryPeer(
      at: DirectoryTests.folder,
      on: Machine(
        disk: disk, timekeeper: machine.timekeeper, dice: machine.dice, network: machine.network))
    #expect(try peer.pull(.book, into: holder) == DirectoryReport())
    #expect(disk.reads == CountingDisk.Reads(files: 1, bytes: try bytes(of: file).count))
  }

  // MARK: Removal

  @Test(arguments: 0..<8)
  func `Remembered folder: no file is removed in favour of one that was damaged since`(
    seed: UInt64
  ) throws {
    let tests = try Self(seed: seed)
    let (small, holder) = try TidyTests.littered(17)
    // All but one of the small files are known, and the large one.
    for (path, bytes) in small.machine.disk.files where DirectoryName(path.name)?.events != 17...17
    {
      try tests.machine.disk.makeDirectories(path.parent)
      try tests.machine.disk.replace(path, with: bytes)
    }
    for _ in 0..<2 { try tests.sync(holder) }
    #expect(tests.names.count == 17)
    let large = try #require(
      tests.machine.disk.files.keys.first { DirectoryName($0.name)?.events == 1...17 })
    tests.machine.disk.rot(large, at: 50, flipping: 1)
    for (path, bytes) in small.machine.disk.files where DirectoryName(path.name)?.events == 17...17
    {
      try tests.machine.disk.replace(path, with: bytes)
    }
    try tests.sync(holder)
    #expect(tests.names.filter { $0.events.count == 1 }.count == 17)
  }

  private var names: [DirectoryName] {
    machine.disk.files.keys.compactMap { DirectoryName($0.name) }
  }

  @Test func `Remembered folder: files are searched for erased bodies once for each erasure`()
    throws
  {
    let holder = MemoryHolder(.anna).write((1...400).map { "event \($0)" }, to: .anna)
    // The holder has erased a body that none of the files contains.
    holder.verdicts = ["gone": .hasBodyToStrip]
    holder.erasures = .id(1)
    for _ in 0..<2 { try sync(holder) }
    #expect(try sync(holder).reads.bytes <= 4_096)
    holder.erasures = .id(2)
    #expect(try sync(holder).reads.bytes >= (try bytes(of: file()).count))
    #expect(try sync(holder).reads.bytes <= 4_096)
  }
}
