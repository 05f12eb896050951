import Console
import Phrasing
import Testing

extension Stage {
  /// Runs the first command that begins with the given words and is named in the answer of an earlier run, as
  /// printed.
  ///
  /// The words in `device` choose the device on which to run it, and `values` has values for the placeholders that only
  /// the reader can fill.
  @discardableResult
  func follow(
    _ beginning: String, in answer: Outcome, on device: [String] = [],
    filling values: [String: String] = [:], code: ExitCode = .done,
    adjust: (inout CommandEnvironment) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let text = answer.output + "\n" + answer.error
    let named = NamedCommand.all(in: text).map(\.text).first {
      beginning.isEmpty ? $0.isEmpty : $0.hasPrefix(beginning)
    }
    let command = try #require(
      named, "no 'daybook \(beginning)' in: \(text)", sourceLocation: sourceLocation)
    let words = try #require(Shell.words(command), sourceLocation: sourceLocation)
    let filled = words.map { values[$0] ?? $0 }
    for word in filled {
      #expect(
        word.count < 2 || !word.allSatisfy { $0.isUppercase && $0.isASCII },
        "the placeholder \(word) in: daybook \(command)", sourceLocation: sourceLocation)
    }
    let outcome = run(device + filled, adjust: adjust)
    #expect(
      outcome.code == code, "daybook \(filled.joined(separator: " ")): \(outcome)",
      sourceLocation: sourceLocation)
    return outcome
  }

  /// Replaces the standard streams with the streams of a terminal whose user answers yes.
  static func consenting(_ environment: inout CommandEnvironment) {
    environment.streams.isInputTerminal = true
    environment.streams.isErrorTerminal = true
    environment.streams.readAnswer = { "yes" }
  }
}
