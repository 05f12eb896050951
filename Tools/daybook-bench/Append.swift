import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform
import Synchronization

extension Benchmark {
  private static var slices: Int { 40 }
  private static var commits: Int { 50 }
  private static var threads: Int { 8 }

  /// Commits of one event each, one after the other.
  static let append = Benchmark(name: "append", unit: "durable commits/s") { folder in
    try against(probeIn: folder) { bench, numbers in
      for number in numbers { try bench.group.append([bench.command(number)]) }
    }
  }

  /// The same from several threads at once.
  static let appendGroup = Benchmark(name: "append-group", unit: "durable commits/s") { folder in
    try against(probeIn: folder) { bench, numbers in
      let failures = Atomic(0)
      let finished = Atomic(0)
      for thread in 0..<threads {
        SystemThread.start {
          for number in numbers.dropFirst(thread).enumerated() where number.offset % threads == 0 {
            do {
              try bench.group.append([bench.command(number.element)])
            } catch {
              failures.add(1, ordering: .relaxed)
            }
          }
          finished.add(1, ordering: .releasing)
        }
      }
      while finished.load(ordering: .acquiring) < threads {
        bench.machine.timekeeper.pause(milliseconds: 1)
      }
      guard failures.load(ordering: .relaxed) == 0 else { throw BenchFailure.appends }
    }
  }

  /// Measures commits, and plain writes and flushes of as many bytes, by turns.
  ///
  /// What else the machine does meanwhile slows both alike only where the turns are short.
  private static func against(
    probeIn folder: Path, _ run: (Bench, Range<Int>) throws -> Void
  ) throws -> (value: Double, probe: Double) {
    let bench = try Bench(in: folder)
    try run(bench, 0..<commits)
    let probe = try Probe(
      in: bench.folder, on: bench.machine, byteCount: bench.commitBytes(commits))
    try probe.run(commits)
    var (committing, probing) = (0.0, 0.0)
    for slice in 1...slices {
      let numbers = slice * commits..<(slice + 1) * commits
      committing += try seconds { try run(bench, numbers) }
      probing += try seconds { try probe.run(commits) }
    }
    try bench.remove()
    let count = Double(slices * commits)
    return (count / committing, count / probing)
  }
}

/// What a plain loop does: each time it appends some bytes to a file and flushes it.
private final class Probe {
  private let file: OpenFile
  private let bytes: [UInt8]
  private var written = 0

  init(in folder: Path, on machine: Machine, byteCount: Int) throws {
    file = try OpenFile(folder / "probe", .create, on: machine.disk)
    bytes = [UInt8](repeating: 0x5a, count: byteCount)
  }

  func run(_ count: Int) throws {
    for _ in 0..<count {
      try file.write(bytes, at: written)
      try file.flush()
      written += bytes.count
    }
  }
}

enum BenchFailure: Error { case appends }

/// A journal of its own, in a folder that is not there yet.
private struct Bench: Sendable {
  let machine = Machine.system
  let folder: Path
  let group: GroupCommit

  init(in parent: Path) throws {
    folder = parent / "daybook-bench-\(UniqueID(machine.dice.bytes(16)).hex)"
    try machine.disk.makeDirectories(folder)
    let keys = try DeviceKeys(
      signingSeed: machine.dice.bytes(32), agreementSeed: machine.dice.bytes(32))
    var journal = try Journal(at: folder, on: machine)
    let log = try journal.begin(
      keys, incarnation: UniqueID(machine.dice.bytes(16)), name: "bench", at: 1_704_067_200_000)
    group = GroupCommit(journal, log: log, keys: keys)
  }

  /// How many bytes of the log's files one of so many commits takes, before they are sealed.
  func commitBytes(_ count: Int) throws -> Int {
    let logs = folder / "logs"
    var byteCount = 0
    for log in try machine.disk.list(logs) {
      for file in try machine.disk.list(logs / log) {
        byteCount += try machine.disk.status(logs / log / file)?.size ?? 0
      }
    }
    return byteCount / count
  }

  /// Leaves nothing behind.
  func remove() throws { try remove(folder) }

  private func remove(_ path: Path) throws {
    guard try machine.disk.status(path)?.kind == .directory else {
      return try machine.disk.remove(path)
    }
    for name in try machine.disk.list(path) { try remove(path / name) }
    try machine.disk.removeDirectory(path)
  }

  /// A body of about twenty bytes.
  func command(_ number: Int) -> Command {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    writer.unsigned(0)
    writer.unsigned(2)
    writer.unsigned(UInt64(number))
    writer.byteString(machine.dice.bytes(14))
    return Command(
      time: 1_704_067_200_000 + Int64(number), events: [NewEvent(body: writer.bytes)])
  }
}
