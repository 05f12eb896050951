import Glibc
import Platform
import PosixPlatform
import Simulating
import Synchronization

/// Many worlds, one after the other, and what they came to.
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

  /// Lives through the world of a seed, and tells of it if it fails.
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
    // A file is written in large pieces, and the next ones may be hours away.
    fflush(nil)
  }

  private var faultCount: Int { faults.values.reduce(0, +) }

  private func pace(_ now: Int64) -> Int { count * 3_600_000 / Int(max(1, now - start)) }

  /// Tells what all of them came to.
  func report() {
    let now = clock.monotonicMilliseconds()
    print(
      "\(count) seeds in \((now - start) / 1_000) s, \(pace(now)) an hour, \(faultCount) faults, "
        + "\(failures) failed")
    guard !options.isQuiet else { return }
    for (kind, times) in faults.sorted(by: { $0.key < $1.key }) { print("  \(kind) \(times)") }
  }
}

/// What is told when the program itself ends in the midst of a world.
enum Last {
  static let words = Mutex("")

  /// Has it told, before the program ends as it would have.
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
