import Bytes
import Daybook
import Phrasing
import Platform

/// What a command answers and says, in the form that the options of all commands ask for.
struct Output {
  let streams: StandardStreams
  let options: Globals
  /// For what goes to standard output.
  let paint: Paint
  /// Shares the work of a large table between threads, where the machine has several.
  private let beside: Machine.Beside?

  init(_ environment: CommandEnvironment, _ options: Globals) {
    streams = environment.streams
    self.options = options
    paint = Paint(
      options.usesColour ?? environment.wantsColour, isTrue: environment.hasTrueColour)
    beside = environment.machine.beside
  }

  var isJSON: Bool { options.isJSON }
  var isQuiet: Bool { options.isQuiet }
  /// How wide the terminal is; nil where standard output is none.
  var columns: Int? { streams.size?.columns }

  /// Reports what was done; silent with `--quiet` and `--json`.
  func say(_ sentence: String) {
    if !isQuiet, !isJSON { streams.write(sentence + "\n") }
  }

  /// Answers with lines of text.
  func answer(_ lines: [String]) {
    if !lines.isEmpty { streams.write(lines.joined(separator: "\n") + "\n") }
  }

  /// Answers with records: in columns for people, or each in a line with tabs between its fields.
  func answer(rows: [[Cell]]) { answer([Table(rows)]) }

  /// Answers with the parts of one table.
  func answer(_ parts: [Table]) {
    let layout = options.isPlain ? Table.Layout.tabbed : .columns(fitting: columns, paint)
    for text in parts.texts(as: layout, beside: beside) where !text.isEmpty {
      streams.write(text)
    }
  }

  func answer(_ json: JSON) { answer(json: json.text(indented: true)) }

  /// Answers with values, each on a line of its own, so that a program can read them as they come.
  func answer(lines: [JSON]) {
    if !lines.isEmpty { answer(json: lines.map { $0.text() }.joined(separator: "\n")) }
  }

  /// Programs get JSON as it is; on a terminal, what may harm it is escaped.
  private func answer(json: String) {
    streams.write((streams.isOutputTerminal ? json.visibleJSON : json) + "\n")
  }

  /// Writes a note to standard error; with `--quiet`, only if it reports a loss.
  func note(_ sentence: String, isLoss: Bool = false) {
    if isLoss || !isQuiet { streams.writeError("daybook: \(sentence)\n") }
  }
}

// MARK: Questions

extension Output {
  /// Whether somebody can be asked, and may be.
  var isAnswering: Bool { streams.isInputTerminal && !options.isSilent }

  /// Asks for a yes where somebody can give it.
  func confirms(_ question: String) -> Bool {
    guard isAnswering else { return false }
    streams.writeError("\(question) [y/N] ")
    return Self.isYes(streams.readAnswer() ?? "")
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }

  /// Asks for a yes unless it was given beforehand.
  ///
  /// - Throws: ``ConsoleError/needsYes(_:)`` where nobody can be asked, ``DaybookError/declined`` for any other answer.
  func require(_ isSure: Bool, _ question: String) throws {
    if isSure { return }
    guard isAnswering else { throw ConsoleError.needsYes(question) }
    guard confirms(question) else { throw DaybookError.declined }
  }
}
