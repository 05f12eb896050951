import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform
import Synchronization

extension Benchmark {
  private static var commits: Int { 2_000 }
  private static var threads: Int { 8 }

  /// Commits of one event each, one after the other.
  static let append = Benchmark(name: "append", unit: "durable commits/s") { folder in
    let bench = try Bench(in: folder)
    let value = try perSecond(commits) {
      for number in 0..<commits { try bench.group.append([bench.command(number)]) }
    }
    return (value, try probe(bench))
  }

  /// The same from several threads at once.
  static let appendGroup = Benchmark(name: "append-group", unit: "durable commits/s") { folder in
    let bench = try Bench(in: folder)
    let failures = Atomic(0)
    let finished = Atomic(0)
    let value = perSecond(commits) {
      for thread in 0..<threads {
        SystemThread.start {
          for number in stride(from: thread, to: commits, by: threads) {
            do {
              try bench.group.append([bench.command(number)])
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
    }
    guard failures.load(ordering: .relaxed) == 0 else { throw BenchFailure.appends }
    return (value, try probe(bench))
  }

  /// Plain writes and flushes of as many bytes as a commit takes.
  private static func probe(_ bench: Bench) throws -> Double {
    let path = bench.folder / "probe"
    let file = try OpenFile(path, .create, on: bench.machine.disk)
    let bytes = [UInt8](repeating: 0x5a, count: 140)
    let value = try perSecond(commits) {
      for number in 0..<commits {
        try file.write(bytes, at: number * bytes.count)
        try file.flush()
      }
    }
    try file.close()
    try bench.machine.disk.remove(path)
    return value
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
