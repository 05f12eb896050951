import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Testing
import Verifying

/// Verification of files that a writer changes at the same time.
@Suite struct BesideWriterTests {
  @Test func `Verification: files that a writer seals during the check cause no faults`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let second = try log.frame([HandWrittenLog.plain()])
    let replica = ReplicaFiles(
      id: log.id, files: [(ReplicaFiles.tail, first), ("000000000002.gz", second)])
    let folder = Path("/book/logs/\(replica.id.hex)")
    let sealed = "000000000001-000000000002.gz"
    // Both tails are sealed after the folder has been listed and before they are read.
    let listings = Counter()
    let disk = InterruptedDisk(try replica.disk(), afterListing: folder) {
      (disk: SimulatedDisk) throws(DiskError) in
      guard listings.next() == 2 else { return }
      try disk.replace(folder / sealed, with: first + second)
      try disk.remove(folder / ReplicaFiles.tail)
      try disk.remove(folder / "000000000002.gz")
    }
    let report = try Verification.run(on: Path("/book"), disk: disk)
    #expect(report.faults == [])
    #expect(report.logs.map(\.events) == [2])
  }

  @Test func `Verification: a log with a fault that changes during the check is checked again`()
    throws
  {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let second = try log.frame([HandWrittenLog.plain()])
    let torn = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, first + second.dropLast(3))])
    let path = Path("/book/logs/\(log.id.hex)")
    let listings = Counter()
    // The write ends after the file has been read, during the third listing of the folder.
    let disk = InterruptedDisk(try torn.disk(), afterListing: path) {
      (disk: SimulatedDisk) throws(DiskError) in
      if listings.next() == 3 { try disk.replace(path / ReplicaFiles.tail, with: first + second) }
    }
    #expect(try Verification.run(on: Path("/book"), disk: disk).faults == [])
    #expect(listings.next() == 6)
  }

  @Test func `Verification: a log that keeps changing is reported as last read`() throws {
    var log = try HandWrittenLog()
    let first = try log.frame([log.opening])
    let torn = ReplicaFiles(id: log.id, files: [(ReplicaFiles.tail, first + [1])])
    let path = Path("/book/logs/\(log.id.hex)")
    let listings = Counter()
    let disk = InterruptedDisk(try torn.disk(), afterListing: path) {
      (disk: SimulatedDisk) throws(DiskError) in
      let noise = [UInt8](repeating: 1, count: listings.next())
      try disk.replace(path / ReplicaFiles.tail, with: first + noise)
    }
    #expect(
      try Verification.run(on: Path("/book"), disk: disk).faults == [
        torn.fault(ReplicaFiles.tail, at: first.count, .tornTail(count: 11))
      ])
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let count = Mutex(0)

  /// The number of this call.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
