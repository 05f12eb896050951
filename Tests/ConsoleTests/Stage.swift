import Console
import Phrasing
import Platform
import ReadModel
import SimulatedPlatform
import Synchronization
import Testing

/// A simulated machine with a console.
final class Stage: Sendable {
  let machine: SimulatedMachine
  private let output = Mutex(("", ""))
  private let input: String
  private let witness: Path?

  /// Creates a machine whose clock shows nine in the morning on 2026-11-20.
  init(seed: UInt64 = 1, input: String = "", witness: Path? = nil) {
    machine = SimulatedMachine(seed: seed)
    machine.timekeeper.set(Moment(milliseconds: 1_795_165_200_000))
    (self.input, self.witness) = (input, witness)
  }

  var disk: any Disk { machine.disk }

  /// The result of a run.
  struct Outcome: Equatable {
    var code: ExitCode
    var output: String
    var error: String
  }

  @discardableResult
  func run(_ words: String..., environment: [String: String] = [:]) -> Outcome {
    run(words, environment: environment)
  }

  func run(
    _ words: [String], environment: [String: String] = [:],
    shouldStop: @escaping @Sendable () -> Bool = { false },
    adjust: (inout CommandEnvironment) -> Void = { _ in }
  ) -> Outcome {
    let input = Mutex(Array(input.utf8)[...])
    let streams = StandardStreams(
      write: { text in self.output.withLock { $0.0 += text } },
      writeError: { text in self.output.withLock { $0.1 += text } },
      readInput: { count in
        input.withLock { rest in
          defer { rest = rest.dropFirst(count) }
          return Array(rest.prefix(count))
        }
      },
      readAnswer: { nil })
    var command = CommandEnvironment(
      machine: machine.machine, variables: ["HOME": "/home/ada"].merging(environment) { $1 },
      workingDirectory: Path("/home/ada"), hostName: "laptop", streams: streams,
      process: HostProcess(beside: { $0() }), seededDice: { Seeded(seed: $0) })
    command.view = .memory
    command.process.shouldStop = shouldStop
    command.witness = witness
    adjust(&command)
    machine.timekeeper.advance(milliseconds: 60_000)
    let code = Console.run(words, in: command)
    return output.withLock { output in
      defer { output = ("", "") }
      return Outcome(code: code, output: output.0, error: output.1)
    }
  }

  /// Returns the output of a run that must succeed.
  func answer(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) -> String {
    let outcome = run(words)
    #expect(outcome.code == .done, "\(outcome.error)", sourceLocation: sourceLocation)
    return outcome.output
  }
}
