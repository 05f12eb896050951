import Bytes
import Daybook
import Phrasing
import Platform

/// The answers and messages of a command, in the format that the global options choose.
struct Output {
  let streams: StandardStreams
  let options: Globals
  /// The colours of standard output.
  let paint: Paint
  /// Divides the layout of a large table between threads, if the machine has several.
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
  /// The width of the terminal; nil if standard output is not a terminal.
  var columns: Int? { streams.size?.columns }

  /// Reports an action; silent with `--quiet` and `--json`.
  func say(_ sentence: String) {
    if !isQuiet, !isJSON { streams.write(sentence + "\n") }
  }

  /// Writes lines of text.
  func answer(_ lines: [String]) {
    if !lines.isEmpty { streams.write(lines.joined(separator: "\n") + "\n") }
  }

  /// Writes help, wrapped to the width of the terminal.
  func explain(_ lines: [String]) { answer(LineWrap(fitting: columns).wrapped(lines)) }

  /// Writes records: in aligned columns, or with `--plain`, one per line with tabs between the fields.
  func answer(rows: [[Cell]]) { answer([Table(rows)]) }

  /// Writes the parts of one table.
  func answer(_ parts: [Table]) {
    let layout = options.isPlain ? Table.Layout.tabbed : .columns(fitting: columns, paint)
    for text in parts.texts(as: layout, beside: beside) where !text.isEmpty {
      streams.write(text)
    }
  }

  func answer(_ json: JSON) { answer(json: json.text(indented: true)) }

  /// Writes values, one per line; a program can read each as it arrives.
  func answer(lines: [JSON]) {
    if !lines.isEmpty { answer(json: lines.map { $0.text() }.joined(separator: "\n")) }
  }

  /// Writes JSON unchanged to programs, and with harmful characters escaped to a terminal.
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
  /// Whether the user can be asked: standard input is a terminal, and `--no-input` is not set.
  var isAnswering: Bool { streams.isInputTerminal && !options.isSilent }

  /// Asks the user a yes-or-no question; returns false if the user cannot be asked.
  func confirms(_ question: String) -> Bool {
    guard isAnswering else { return false }
    streams.writeError("\(question) [y/N] ")
    return Self.isYes(streams.readAnswer() ?? "")
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }

  /// Asks the user to confirm, unless `isSure` is set.
  ///
  /// - Throws: ``ConsoleError/needsYes(_:)`` if the user cannot be asked, ``DaybookError/declined`` for any answer
  ///   but yes.
  func require(_ isSure: Bool, _ question: String) throws {
    if isSure { return }
    guard isAnswering else { throw ConsoleError.needsYes(question) }
    guard confirms(question) else { throw DaybookError.declined }
  }
}
