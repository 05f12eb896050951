import Glibc
import Journaling
import Platform
import PosixPlatform

/// Commits, and plain writes and flushes of the same number of bytes, measured alternately.
///
/// Turns are short, so other processes slow down both equally. The medians exclude the most disturbed turns.
struct Turns {
  /// The number of commits per second.
  let perSecond: Sample
  /// The speed of commits relative to plain writes, in percent.
  let ratio: Sample

  /// Measures commits of one event each, one after another.
  static func append(in folder: Path) throws -> Turns {
    try Turns(in: folder, slices: 600, commits: 10) { bench, commands in
      for command in commands { try bench.append([command]) }
    }
  }

  private init(
    in folder: Path, slices: Int, commits: Int, _ run: (BenchJournal, [Command]) throws -> Void
  ) throws {
    let bench = try BenchJournal(in: folder)
    try run(bench, bench.commands(0..<commits))
    let probe = try Probe(
      in: bench.folder, on: bench.machine, byteCount: bench.unsealedBytes() / commits)
    try probe.run(commits)
    var committing: [Double] = []
    var ratios: [Double] = []
    for slice in 1...slices {
      let commands = bench.commands(slice * commits..<(slice + 1) * commits)
      let mine = try seconds { try run(bench, commands) }
      let plain = try seconds { try probe.run(commits) }
      committing.append(1_000 * mine)
      ratios.append(100 * plain / mine)
    }
    try bench.remove()
    perSecond = .rate(of: UInt64(commits), taking: committing)
    ratio = Sample(ratios)
  }
}

enum BenchFailure: Error {
  case differs, live, notAFolder, usage, skippedLines(Int), program(String)
}

/// The plain writes, each of which appends bytes to a file and flushes the file.
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

/// Returns the duration of a closure, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try body()
  let (seconds, attoseconds) = (clock.now - start).components
  return Double(seconds) + Double(attoseconds) * 1e-18
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  try 1_000 * seconds { try body() }
}

/// The CPU time of this thread in milliseconds, which other processes hardly affect.
func workingMilliseconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }
  let start = now()
  try body()
  return now() - start
}
