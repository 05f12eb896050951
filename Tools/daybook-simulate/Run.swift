import Glibc
import Platform
import PosixPlatform
import Simulating
import Synchronization

/// A run of many worlds, one after another, and its statistics.
struct Run {
  private let options: Options
  private let clock = Machine.system.timekeeper
  private let start: Int64
  private var told: Int64
  private var count = 0
  private(set) var failures = 0
  private var faults: [WeatherKind: Int] = [:]

  init(_ options: Options) {
    self.options = options
    start = clock.monotonicMilliseconds()
    told = start
  }

  /// Runs the world of a seed, and reports it if it fails.
  mutating func live(_ seed: UInt64) {
    let scenario = options.request.scenario(seed)
    Last.words.withLock { $0 = scenario.words }
    let outcome = Simulation.run(scenario, tracing: options.isTracing)
    count += 1
    faults.merge(outcome.faults, uniquingKeysWith: +)
    if options.isTracing {
      for line in outcome.trace.lines { print(line) }
      print("trace \(String(outcome.trace.mark, radix: 16))")
    }
    if outcome.failure != nil { tell(outcome) }
    let now = clock.monotonicMilliseconds()
    if !options.isQuiet, now - told > 10_000 {
      told = now
      print("\(count) seeds, \(pace(now)) an hour, \(faultCount) faults, \(failures) failed")
      fflush(nil)
    }
  }

  private mutating func tell(_ outcome: Simulation.Outcome) {
    failures += 1
    let smaller = options.shrinks ? Simulation.shrink(outcome) : outcome
    guard let failure = smaller.failure else { return }
    print("seed \(outcome.scenario.seed): \(failure.invariant): \(failure.detail)")
    if !options.isTracing { for line in smaller.trace.lines.suffix(14) { print("  \(line)") } }
    print("daybook-simulate \(smaller.scenario.words)")
    // Output to a file is buffered, and there may be no further output for hours.
    fflush(nil)
  }

  private var faultCount: Int { faults.values.reduce(0, +) }

  private func pace(_ now: Int64) -> Int { count * 3_600_000 / Int(max(1, now - start)) }

  /// Prints the statistics of all worlds.
  func report() {
    let now = clock.monotonicMilliseconds()
    print(
      "\(count) seeds in \((now - start) / 1_000) s, \(pace(now)) an hour, \(faultCount) faults, "
        + "\(failures) failed")
    guard !options.isQuiet else { return }
    for (kind, times) in faults.sorted(by: { $0.key < $1.key }) { print("  \(kind) \(times)") }
  }
}

/// Prints the arguments of the current world if the program crashes.
enum Last {
  static let words = Mutex("")

  /// Installs signal handlers that print the arguments before the program ends with the same signal.
  static func watch() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS] {
      signal(number) { raised in
        Last.words.withLockIfAvailable { print("daybook-simulate \($0)") }
        fflush(nil)
        signal(raised, SIG_DFL)
        raise(raised)
      }
    }
  }
}
