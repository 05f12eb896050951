import Bytes
import Daybook
import Domain
package import Phrasing
import Platform
import ReadModel
import Syncing

/// The command line: words in, sentences and a code out.
package enum Console {
  /// Runs one command.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - surroundings: Where it runs.
  /// - Returns: How it ended.
  package static func run(_ arguments: [String], in surroundings: Surroundings) -> ExitCode {
    if arguments.first == completing {
      return complete(Array(arguments.dropFirst()), in: surroundings)
    }
    do {
      let invocation = try Words.parse(arguments)
      let pager = Pager(invocation, in: surroundings)
      // What was answered before an error is shown too.
      defer { pager?.show() }
      let around = try (pager?.collecting ?? surroundings).inZone(invocation.globals.zone)
      let context = Context(try around.atNamedTime().withNamedMemory(), invocation)
      try run(context)
      return context.exit
    } catch {
      let told = told(error)
      let options = arguments.prefix { $0 != "--" }
      let isJSON = options.contains("--json") || options.contains("-j")
      let detail = surroundings.wantsDetail ? "\(error)".visible : nil
      tell(told, detail, asJSON: isJSON, in: surroundings)
      return told.exit
    }
  }

  private static func run(_ context: Context) throws {
    let invocation = context.invocation
    if invocation.globals.wantsVersion { return context.answer([Help.version]) }
    if invocation.globals.wantsHelp {
      return context.answer(
        try invocation.verb.map(Help.lines(about:)) ?? Help.lines(about: [String]()))
    }
    let isAboutBook = !["help", "demo", "completions", "manual"].contains(invocation.verb?.path)
    if isAboutBook, !context.surroundings.knowsPlace(invocation.globals.directory) {
      throw ConsoleError.noHome
    }
    // What was not found may be among what is missing.
    defer { context.warnOfLoss() }
    guard let verb = invocation.verb else { return try context.showToday() }
    do {
      try verb.run(context, invocation.arguments)
    } catch DaybookError.unknown(let words, let kind) {
      guard let title = context.nearestTitle(to: words, kind) else {
        throw DaybookError.unknown(words, kind: kind)
      }
      throw ConsoleError.misspelt(words, kind: kind?.noun, title)
    } catch let error as DaybookError {
      throw context.tellingWhatIsWritten(error)
    }
    context.finishErasures(ifWritten: true)
    context.warnOfDisk()
  }

  /// What is told of an error of any layer.
  static func told(_ error: any Error) -> Told {
    switch error {
    case let error as ConsoleError: return error.told
    case let error as UsageFault: return error.told
    default:
      guard let told = Told(of: error) else {
        preconditionFailure("an error that no layer has: \(error)")
      }
      return told
    }
  }

  private static func tell(
    _ told: Told, _ detail: String?, asJSON: Bool, in surroundings: Surroundings
  ) {
    guard asJSON else {
      let more = detail.map { "daybook: detail: \($0)\n" } ?? ""
      return surroundings.writeError("daybook: \(told.text)\n" + more)
    }
    let error = [
      JSON.Member("code", .string(told.code)), JSON.Member("message", .string(told.text)),
    ]
    let more = detail.map { [JSON.Member("detail", .string($0))] } ?? []
    let text = JSON.object(("error", .object(error + more))).text()
    surroundings.writeError((surroundings.isErrorTerminal ? text.visibleJSON : text) + "\n")
  }
}
