import Bytes
import Daybook
import Domain
package import Phrasing
import Platform
import ReadModel
import Syncing

/// The command-line interface, which reads arguments, writes text, and returns an exit code.
package enum Console {
  /// Runs one command.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - environment: The environment of the run.
  /// - Returns: The exit code.
  package static func run(_ arguments: [String], in environment: CommandEnvironment) -> ExitCode {
    if arguments.first == completing {
      return complete(Array(arguments.dropFirst()), in: environment)
    }
    do {
      let invocation = try CommandLineParser.parse(arguments)
      environment.process.prepare(invocation.kind)
      let pager = Pager(invocation, in: environment)
      // Output that precedes an error is also shown.
      defer { pager?.show() }
      let around = try (pager?.collecting ?? environment).inZone(invocation.globals.zone)
      let context = CommandContext(
        try around.atNamedTime().withNamedMemory(), invocation,
        host: host)
      try run(context)
      return context.exit
    } catch {
      let told = Told(ofAny: error)
      let options = arguments.prefix { $0 != "--" }
      let isJSON = options.contains("--json") || options.contains("-j")
      let detail = environment.wantsDetail ? "\(error)".visible : nil
      tell(told, detail, asJSON: isJSON, in: environment)
      return told.exit
    }
  }

  static let host = CommandHost(
    help: { words throws(UsageFault) in try Help(CommandCatalog.table).lines(about: words) },
    manual: { Manual.program(CommandCatalog.table) },
    reference: { CommandReference.lines(CommandCatalog.table) }, run: { run($0, in: $1) })

  private static func run(_ context: CommandContext) throws {
    let invocation = context.invocation
    if invocation.globals.wantsVersion { return context.output.answer([ProgramVersion.line]) }
    if invocation.globals.wantsHelp {
      return context.output.explain(
        try invocation.command.map(Help.lines(about:))
          ?? context.host.help([]))
    }
    let needsNoBook = invocation.command?.traits.contains(.needsNoBook) ?? false
    guard needsNoBook || context.environment.knowsPlace(invocation.globals.directory) else {
      throw ConsoleError.noHome
    }
    // A record that was not found may have been added by a missing event.
    defer { LossPresenter(context: context).warnOfLoss() }
    context.noteFutureView()
    guard let command = invocation.command else { return try ShowToday(context: context).run() }
    let end = CommandEnd(context: context)
    // Even a command that is refused may already have begun a log under a new key.
    defer {
      end.noteNewKey()
      end.reportErasures()
    }
    do {
      try command.run(context, invocation.arguments)
    } catch DaybookError.unknown(let words, let kind) {
      if let command = commandWithoutKind(words, invocation) {
        throw ConsoleError.kindBeforeName(words, command: command)
      }
      guard let snapshot = try? context.snapshot(),
        let title = NearestTitle(snapshot.model).title(like: words, kind)
      else {
        throw DaybookError.unknown(words, kind: kind)
      }
      throw ConsoleError.misspelt(words, kind: kind?.noun, title)
    } catch let error as DaybookError {
      throw end.completing(error)
    }
    end.finishErasures(ifWritten: true)
    end.warnOfDisk()
    end.warnOfClock()
  }

  /// Returns the command without a kind before the name of the record, such as `list` in `delete list Home`; nil if it
  /// has none.
  private static func commandWithoutKind(_ words: String, _ invocation: Invocation) -> String? {
    let operands = invocation.arguments.operands
    guard operands.count > 1, operands.first == words, let command = invocation.command,
      command.forms.contains(.records),
      Schema.kinds.contains(where: {
        $0.name == words || $0.plural == words || $0.kind.noun == words
      })
    else { return nil }
    return (["daybook", command.path] + operands.dropFirst().map(\.quoted)).joined(separator: " ")
  }

  private static func tell(
    _ told: Told, _ detail: String?, asJSON: Bool, in environment: CommandEnvironment
  ) {
    guard asJSON else {
      let more = detail.map { "daybook: detail: \($0)\n" } ?? ""
      let lines = wrapped("daybook: \(told.text)", in: environment)
      return environment.streams.writeError(lines.joined(separator: "\n") + "\n" + more)
    }
    let error = [
      JSON.Member("code", .string(told.code)), JSON.Member("message", .string(told.text)),
    ]
    let more = detail.map { [JSON.Member("detail", .string($0))] } ?? []
    let text = JSON.object(("error", .object(error + more))).text()
    environment.streams.writeError(
      (environment.streams.isErrorTerminal ? text.visibleJSON : text) + "\n")
  }

  /// Returns the lines of an error, wrapped to the width of the terminal.
  ///
  /// Without a terminal, only usage is wrapped. Programs search for sentences, so each sentence stays on one line.
  private static func wrapped(
    _ text: String, in environment: CommandEnvironment
  ) -> [String] {
    let wrap = LineWrap(fitting: environment.streams.size?.columns)
    return text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      environment.streams.isErrorTerminal || line.hasPrefix("usage: ")
        ? wrap.wrapped([String(line)]) : [String(line)]
    }
  }
}
