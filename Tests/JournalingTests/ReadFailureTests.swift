import Bytes
import Journaling
import Platform
import SimulatedPlatform
import Synchronization
import Testing
import Verifying

/// Disks that fail to read.
///
/// Each operation reports the failure of any call, and treats no event as lost.
@Suite struct ReadFailureTests {
  private let bench: Bench

  /// A log with a sealed file, and with a tail that ends in an unfinished write.
  init() throws {
    bench = try Bench()
    var journal = try bench.begun()
    _ = try journal.append([Bench.command(1)], to: bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    _ = try journal.append([Bench.command(2)], to: bench.log, keys: bench.keys)
    let file = try OpenFile(
      bench.logFolder / "000000000003.gz", .write, on: bench.machine.disk)
    try file.write([UInt8](repeating: 7, count: 90), at: file.size())
  }

  /// The errors of an operation, with each of its disk calls failing in turn.
  ///
  /// If no error is thrown, the result must be the same as without a failure.
  private func failures<Value: Equatable>(
    _ read: (Machine) throws -> Value
  ) throws -> Set<DiskFault> {
    let whole = try read(bench.copy(of: bench.machine.disk.copy()))
    var failures: Set<DiskFault> = []
    for number in 1... {
      let disk = bench.machine.disk.copy()
      let before = disk.calls.all
      disk.failCall(number, of: .all, with: .io)
      do {
        let found = try read(bench.copy(of: disk))
        if disk.calls.all - before < number { break }
        #expect(found == whole, "call \(number)")
      } catch let error as DiskError {
        failures.insert(error.reason)
      } catch JournalError.disk(let error) {
        failures.insert(error.reason)
      }
    }
    return failures
  }

  @Test func `Read failure: opening a journal and reading a log report it`() throws {
    let failures = try failures { machine in
      let journal = try Bench.journal(on: machine)
      return try journal.contents(of: bench.log).events
    }
    #expect(failures == [.io])
  }

  @Test func `Read failure: exporting a log reports it`() throws {
    let failures = try failures { machine in
      let journal = try Bench.journal(on: machine)
      return try journal.exported(bench.log, keys: bench.keys)
    }
    #expect(failures == [.io])
  }

  @Test func `Read failure: checking the end of a log for damage reports it`() throws {
    let failures = try failures { machine in
      let journal = try Bench.journal(on: machine)
      return try journal.endsInDamage(bench.log)
    }
    #expect(failures == [.io])
  }

  @Test func `Read failure: verification reports it`() throws {
    let failures = try failures { machine in
      try Verification.run(on: Bench.folder, disk: machine.disk)
    }
    #expect(failures == [.io])
  }

  @Test func `Read failure: searching for a moved log reports it`() throws {
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    for frame in try bench.journal().exported(bench.log, keys: bench.keys) {
      try receiver.receive(frame, of: bench.log, on: .aside)
    }
    _ = try receiver.commit()
    let aside = Bench.folder / "aside"
    let name = bench.log.hex
    // Another process admits the log. Its folder is searched once more, and then the disk is asked whether it exists.
    let disk = InterruptedDisk(other.machine.disk, afterListing: aside) {
      (disk) throws(DiskError) in
      try disk.rename(aside / name, to: Bench.folder / "logs" / name)
      disk.failCall(3, of: .all, with: .io)
    }
    let machine = Machine(
      disk: disk, timekeeper: other.machine.timekeeper, dice: other.machine.dice,
      network: other.machine.network)
    #expect(throws: JournalError.disk(DiskError(.status, aside / name, .io))) {
      _ = try Bench.journal(on: machine).logs
    }
  }

  @Test func `Read failure: opening fails if files are renamed after each listing`() throws {
    let bench = try Bench()
    _ = try bench.begun()
    let (folder, seen) = (bench.logFolder, Listings())
    let before = Set(bench.machine.disk.files.values)
    // Another process renames the file after each listing.
    let disk = InterruptedDisk(bench.machine.disk, afterListing: folder) {
      (disk) throws(DiskError) in
      let name = try disk.list(folder)[0]
      let other = name == "000000000001.gz" ? "000000000002.gz" : "000000000001.gz"
      try disk.rename(folder / name, to: folder / other)
      seen.count.add(1, ordering: .relaxed)
    }
    let machine = Machine(
      disk: disk, timekeeper: bench.machine.timekeeper, dice: bench.machine.dice,
      network: bench.machine.network)
    #expect(throws: JournalError.disk(DiskError(.list, folder, .notFound))) {
      _ = try Bench.journal(on: machine).logs
    }
    #expect(seen.count.load(ordering: .relaxed) >= 8)
    #expect(Set(bench.machine.disk.files.values) == before)
  }
}

/// How often a folder has been listed.
private final class Listings: Sendable {
  let count = Atomic(0)
}
