import Bytes
import Daybook
import Phrasing
import Platform
import Synchronization

/// Plays a story of two machines with ordinary commands, and checks every step.
///
/// The clock and the dice do not depend on the machine, so the story is the same in each run.
struct Demo {
  /// A machine in the story, with its own folder, name and dice.
  enum Actor: String {
    case laptop
    case desktop
  }

  /// 2026-11-20T09:00:00Z.
  private static let beginning = Moment(milliseconds: 1_795_165_200_000)

  let context: CommandContext
  let folder: Path
  let clock: StoryClock
  let output = Capture()
  private let machines: [Actor: Machine]
  private(set) var passed = 0

  private init(_ context: CommandContext, in folder: Path) {
    self.context = context
    self.folder = folder
    let base = context.machine
    let clock = StoryClock(at: Self.beginning, base: base.timekeeper)
    self.clock = clock
    func machine(_ seed: UInt64) -> Machine {
      Machine(
        disk: base.disk, timekeeper: clock, dice: context.environment.seededDice(seed),
        network: base.network)
    }
    machines = [.laptop: machine(1), .desktop: machine(2)]
  }

  static func run(in context: CommandContext) throws {
    let start = context.machine.timekeeper.monotonicMilliseconds()
    let name = "daybook-demo-" + Hex.encode(context.machine.dice.bytes(6))
    let place = context.environment[.temporary].flatMap { $0.isEmpty ? nil : $0 }
    let folder = context.environment.path(place ?? "/tmp") / name
    try context.machine.disk.makeDirectories(folder)
    defer {
      // If the temporary folder cannot be removed, it is left for the system to clean up.
      try? context.machine.disk.removeTree(folder)
    }
    var demo = Demo(context, in: folder)
    try demo.play()
    let milliseconds = context.machine.timekeeper.monotonicMilliseconds() - start
    context.output.say("\(demo.passed) of \(demo.passed) steps passed.")
    context.output.note("that took \(milliseconds) milliseconds.")
    context.output.say("Your turn: daybook add birthday \"Ada Lovelace\" 1815-12-10")
  }

  /// The folder of an actor's book.
  func book(of actor: Actor) -> Path { folder / actor.rawValue }

  func machine(of actor: Actor) -> Machine {
    guard let machine = machines[actor] else { preconditionFailure("every actor has a machine") }
    return machine
  }

  func environment(of actor: Actor) -> CommandEnvironment {
    let output = output
    return CommandEnvironment(
      machine: machine(of: actor), variables: ["DAYBOOK_DIR": book(of: actor).string],
      workingDirectory: folder, hostName: actor.rawValue,
      streams: StandardStreams(
        write: { output.append($0) }, writeError: { output.append($0) }, readInput: { _ in [] },
        readAnswer: { nil }),
      process: HostProcess(beside: context.environment.process.beside),
      seededDice: context.environment.seededDice)
  }

  /// Advances the clock by a minute, runs a command on an actor's machine, and shows the command and its output.
  ///
  /// - Returns: The answer.
  /// - Throws: ``ConsoleError/demoFailed(step:found:)`` if the exit code is not the expected one.
  @discardableResult
  func command(
    _ actor: Actor, _ words: String..., expecting code: ExitCode = .done
  ) throws -> String {
    clock.advance(minutes: 1)
    let quoted = words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }
    let shown = (["daybook"] + quoted).joined(separator: " ")
    context.output.say("\(actor.rawValue)$ \(shown)")
    let (answer, ended) = answer(actor, words)
    for line in answer.split(separator: "\n") { context.output.say("  \(line)") }
    guard ended == code else {
      throw ConsoleError.demoFailed(
        step: shown, found: "It exited with \(ended.rawValue).\n\(answer)")
    }
    return answer
  }

  /// Runs a command on an actor's machine, and returns its output without showing it.
  func ask(_ actor: Actor, _ words: String...) -> String { answer(actor, words).text }

  private func answer(_ actor: Actor, _ words: [String]) -> (text: String, code: ExitCode) {
    let code = context.host.run(words, environment(of: actor))
    // The path of the temporary folder is different in each run.
    return (output.take().replacing(folder.string, with: "…"), code)
  }

  /// Shows the title of a step, plays the step, and counts it as passed unless it throws.
  mutating func step(_ title: String, _ play: (Demo) throws -> Void) throws {
    context.output.say("")
    context.output.say(context.output.paint.heading("\(passed + 1). \(title)"))
    do {
      try play(self)
    } catch let error as ConsoleError {
      if case .demoFailed(_, let found) = error {
        throw ConsoleError.demoFailed(step: "\(passed + 1). \(title)", found: found)
      }
      throw error
    }
    passed += 1
  }

  /// Throws ``ConsoleError/demoFailed(step:found:)`` unless a condition holds.
  func check(_ isTrue: Bool, _ found: @autoclosure () -> String) throws(ConsoleError) {
    guard isTrue else { throw .demoFailed(step: "", found: found()) }
  }
}

/// Output that is collected instead of shown.
final class Capture: Sendable {
  private let text = Mutex("")

  func append(_ more: String) { text.withLock { $0 += more } }

  /// Returns the collected output and clears it.
  func take() -> String {
    text.withLock { text in
      defer { text = "" }
      return text
    }
  }
}

extension Disk {
  fileprivate func removeTree(_ folder: Path) throws(DiskError) {
    for name in try list(folder) {
      let path = folder / name
      if try status(path)?.kind == .directory { try removeTree(path) } else { try remove(path) }
    }
    try removeDirectory(folder)
  }
}

extension String {
  /// Returns the text with every occurrence of `piece` replaced.
  func replacing(_ piece: String, with other: String) -> String {
    var (rest, result) = (self[...], "")
    while let range = rest.firstRange(of: piece) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
