import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// Files that a forger has left in a directory.
///
/// The forger has a device's events but not its keys.
struct ForgedFileTests {
  private let stick = SimulatedMachine(seed: 5)
  private let folder = Path("/stick")

  private func peer() throws -> DirectoryPeer {
    try stick.disk.makeDirectories(folder)
    return try DirectoryPeer(at: folder, on: stick.machine)
  }

  private func push(_ holder: JournalHolder) throws -> DirectoryReport {
    var peer = try peer()
    return try peer.push(from: holder)
  }

  /// Expects that an author writes all of its 7 events again, and that a new device can read them.
  private func expectAllWritten(by author: JournalHolder) throws {
    let sent = try push(author).sent
    #expect(sent == [author.replica: 7])
    let reader = try JournalHolder(seed: 9)
    var peer = try peer()
    let report = try peer.pull(.book, into: reader)
    #expect(report.received == [author.replica: 7])
    #expect(
      reader.frontier.places(of: author.replica) == author.frontier.places(of: author.replica))
  }

  @Test func `Forged file: a forged event at the end leaves true events readable`() throws {
    let author = try JournalHolder(seed: 1)
    try author.write(2)
    let forger = try JournalHolder(forging: author, seed: 66)
    try forger.write(1)
    _ = try push(forger)
    try expectAllWritten(by: author)
  }

  @Test func `Forged file: events without a head at the end are written again`() throws {
    let author = try JournalHolder(seed: 1)
    try author.write(2)
    _ = try push(author)
    let disk = stick.disk
    let pushed = try #require(disk.files.keys.first { DirectoryName($0.name) != nil })
    let log = JournalHolder.folder / "logs" / author.replica.hex / "000000000001.gz"
    let tail = try author.machine.disk.contents(of: log, limit: 1 << 20)
    let half = UniqueID(Array(SHA256.digest(of: tail).bytes.prefix(16)))
    try disk.remove(pushed)
    try disk.replace(pushed.parent / DirectoryName(events: 1...7, digest: half).string, with: tail)
    try expectAllWritten(by: author)
  }

  @Test func `Forged file: a push removes no true file in favour of a forged file`() throws {
    let author = try JournalHolder(seed: 1)
    for _ in 0..<20 {
      try author.write(1)
      _ = try push(author)
    }
    let forger = try JournalHolder(forging: author, seed: 66)
    try forger.write(1)
    // All events in one file, as in a separate directory.
    let other = ForgedFileTests()
    _ = try other.push(forger)
    for (path, bytes) in other.stick.disk.files { try stick.disk.replace(path, with: bytes) }
    let before = stick.disk.files.count
    _ = try push(author)
    #expect(stick.disk.files.count >= before)
  }
}
