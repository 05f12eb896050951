import Daybook
import Domain
import Glibc
import Journaling
import Platform
import PosixPlatform
import Verifying

/// A task that is measured in a separate process, which has not yet read a book.
enum Alone: String {
  /// The task folds all events in memory.
  case fold
  /// The task folds all events, and writes the read model with its search index.
  case view
  /// The task verifies all logs: every byte, hash, salt and head.
  case verify

  /// The option that precedes the task's name on the command line.
  static let option = "--alone"

  /// The time and memory that a task took.
  struct Cost {
    let milliseconds: Double
    /// The CPU time of all threads, in milliseconds.
    let working: Double
    /// The peak memory of the process.
    let peakMebibytes: Double
  }

  /// Performs the task, and prints its cost.
  func run(on folder: Path) throws {
    let before = Self.workingMilliseconds
    // Freeing the records takes a long time, and this time must not be measured.
    var records: Records?
    let taken = try milliseconds {
      let book = try Book(at: folder, on: .bench)
      switch self {
      case .fold: records = try book.core.projector.records()
      case .view: try book.core.projector.rebuild()
      case .verify:
        guard try book.verifier.verify().faults.isEmpty else { throw BenchFailure.differs }
      }
    }
    print(taken, Self.workingMilliseconds - before, try Self.peakMebibytes())
    withExtendedLifetime(records) {}
  }

  /// Performs the task in separate processes, one after another; the first run is not counted.
  func measure(on large: LargeBook, runs: Int) throws -> [Cost] {
    let own = Program(path: Program.own)
    let answer = large.folder / "answer"
    let words = [Self.option, rawValue, (large.folder / "book").string]
    var costs: [Cost] = []
    for _ in 0...runs {
      try own.run(words, output: answer.string)
      let bytes = try large.machine.disk.contents(of: answer, limit: 1 << 10)
      let numbers = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        .compactMap { Double($0) }
      guard numbers.count == 3 else { throw BenchFailure.program(own.path) }
      costs.append(
        Cost(milliseconds: numbers[0], working: numbers[1], peakMebibytes: numbers[2]))
    }
    return Array(costs.dropFirst())
  }

  private static var workingMilliseconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  /// The peak memory of this process.
  ///
  /// `wait4` would not report this value correctly for a child, because the value that it returns includes the parent's
  /// peak from before the parent started the program.
  private static func peakMebibytes() throws -> Double {
    let file = unsafe open("/proc/self/status", O_RDONLY)
    guard file >= 0 else { throw BenchFailure.program("/proc/self/status") }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe read(file, &bytes, bytes.count)
    let lines = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
    let words = lines.first { $0.hasPrefix("VmHWM:") }?.split { $0 == " " || $0 == "\t" }
    guard let words, words.count > 1, let kibibytes = Double(words[1]) else {
      throw BenchFailure.program("/proc/self/status")
    }
    return kibibytes / 1_024
  }
}

extension Alone {
  /// Returns the figures for a task whose cost grows with the number of events.
  func figures(
    _ name: String, of stock: Stock, _ scale: Scale, _ meaning: String
  ) throws -> [Figure] {
    let large = try stock.book(scale)
    let costs = try measure(on: large, runs: scale.runs)
    let rate = Sample.rate(of: large.eventCount, taking: costs.map(\.milliseconds))
    return [
      Figure(scale.name(name), rate, "events/s", "\(meaning), a cold process"),
      Figure(
        scale.name("\(name)-working"), Sample(costs.map(\.working)), "ms",
        "CPU time of all threads"),
      Figure(
        scale.name("\(name)-peak"), Sample(costs.map(\.peakMebibytes)), "MiB",
        "peak memory"),
    ]
  }
}
