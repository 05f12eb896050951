import Platform
import SimulatedPlatform
import Syncing
import Testing

/// The files that a push removes.
struct TidyTests {
  let machine = SimulatedMachine(seed: 8)

  func push(_ holder: MemoryHolder) throws -> DirectoryReport {
    var peer = try DirectoryTests.peer(on: machine)
    return try peer.push(from: holder)
  }

  var names: [DirectoryName] {
    machine.disk.files.keys.compactMap { DirectoryName($0.name) }.sorted()
  }

  /// Copies the files of another directory into this directory.
  func copyFiles(from other: TidyTests) throws {
    for (path, bytes) in other.machine.disk.files {
      try machine.disk.makeDirectories(path.parent)
      try machine.disk.replace(path, with: bytes)
    }
  }

  /// A directory with one file for each of many events and one file with all events.
  static func littered(_ count: Int) throws -> (tests: TidyTests, holder: MemoryHolder) {
    let (tests, whole) = (TidyTests(), TidyTests())
    let holder = MemoryHolder(.anna)
    for number in 1...count {
      holder.write(["a\(number)"], to: .anna)
      _ = try tests.push(holder)
    }
    _ = try whole.push(holder)
    try tests.copyFiles(from: whole)
    return (tests, holder)
  }

  @Test func `Tidying: many small files are removed in favour of a large file`() throws {
    let (tests, holder) = try Self.littered(17)
    #expect(tests.names.count == 18)
    #expect(try tests.push(holder) == DirectoryReport())
    #expect(tests.names.map(\.events) == [1...17])
  }

  @Test func `Tidying: up to 16 small files stay`() throws {
    let (tests, holder) = try Self.littered(16)
    #expect(try tests.push(holder) == DirectoryReport())
    #expect(tests.names.count == 17)
  }

  @Test func `Tidying: a damaged large file replaces nothing`() throws {
    let (tests, holder) = try Self.littered(17)
    let large = try #require(
      tests.machine.disk.files.keys.first { DirectoryName($0.name)?.events == 1...17 })
    tests.machine.disk.rot(large, at: 50, flipping: 1)
    _ = try tests.push(holder)
    #expect(tests.names.count == 18)
  }

  @Test func `Tidying: an unproved branch replaces nothing`() throws {
    let (tests, holder) = try Self.littered(17)
    let large = try #require(
      tests.machine.disk.files.keys.first { DirectoryName($0.name)?.events == 1...17 })
    try tests.machine.disk.remove(large)
    let (forger, other) = (TidyTests(), MemoryHolder(.cleo))
    _ = try forger.push(other.write((1...17).map { "a\($0)" } + ["f18"], to: .anna))
    try tests.copyFiles(from: forger)
    _ = try tests.push(holder)
    #expect(tests.names.count == 18)
  }

  @Test func `Tidying: a file with an erased body is rewritten and removed`() throws {
    let holder = MemoryHolder(.anna).write(["a1", "a2", "a3", "a4"], to: .anna)
    _ = try push(holder)
    let before = names
    let (bare, other) = (MemoryHolder(.bert), TidyTests())
    bare.verdicts = ["a2": .hasBodyToStrip]
    var directory = try DirectoryTests.peer(on: machine)
    _ = try directory.pull(.book, into: bare)
    // As long as a new file would have the same bytes, the file stays.
    _ = try push(bare)
    #expect(names == before)
    bare.isStripping = true
    #expect(try push(bare) == DirectoryReport())
    #expect(names.map(\.events) == [1...4])
    #expect(names != before)
    _ = try other.push(bare)
    #expect(other.names == names)
  }
}
