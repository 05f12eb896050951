import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Verifying

/// Reports missing events and their consequences.
struct LossPresenter {
  let context: CommandContext
  private var output: Output { context.output }

  /// Reports in one line that events are missing from the book.
  ///
  /// If the command answers from the book or is a dry run, its answer is incomplete, and the exit code reports a fault
  /// instead of success.
  func warnOfLoss() {
    guard let loss = lossInWords else { return }
    let isAnswer =
      context.invocation.command?.answersFromBook(context.invocation.arguments.options.map(\.name))
      ?? true
    if isAnswer || context.opener.trial != nil, context.exit == .done { context.exit = .dataFault }
    let isReported = context.invocation.command?.traits.contains(.reportsLoss) ?? false
    if isReported || context.hasNotedLoss { return }
    output.note(loss, isLoss: true)
  }

  /// Reports missing events when a long-running command starts.
  func noteLoss() {
    guard let loss = lossInWords else { return }
    output.note(loss, isLoss: true)
    context.hasNotedLoss = true
  }

  /// The known loss of the open book.
  ///
  /// The loss is empty if no book is open or the loss cannot be read; in the latter case, the command itself reports
  /// the error.
  private var openLoss: (gaps: [Gap], lacksBeginning: Bool) {
    (try? context.opener.opened?.losses.knownLoss()) ?? ([], false)
  }

  /// A sentence about the loss; nil if there is none.
  private var lossInWords: String? {
    let (gaps, lacksBeginning) = openLoss
    guard !gaps.isEmpty || lacksBeginning else { return nil }
    let loss =
      lacksBeginning
      ? Self.noBeginning
      : "\(gaps.summary) missing, so the book is incomplete"
    return "\(loss). 'daybook verify' shows details."
  }

  /// Whether events are missing from the open book.
  var hasLoss: Bool { lossInWords != nil }

  private static let noBeginning =
    "this device lacks the event that began this book, so nothing from other devices is shown"

  /// Warns that another program copies the folder of the book, which can mix the files of two machines.
  func warnOfPlace() {
    // If the book cannot be opened, the calling command reports the reason.
    guard case .copied(let folder, let program)? = try? context.book().healthCheck.folderState()
    else { return }
    output.note(
      "\(program) copies \(folder.string.visible), and the book in it, to other machines. "
        + "Move the book elsewhere, and use that folder only for syncing.")
  }

  /// Warns that this device cannot use its key, and makes the exit code report a fault.
  func warnOfKey() {
    // If the keys cannot be read, the write that needs a key reports the reason.
    guard let state = try? context.book().healthCheck.keyState(), state != .usable, state != .none
    else {
      return
    }
    output.note("\(Finding.key(state).text(at: context.machine.timekeeper)).")
    context.exit = max(context.exit, .dataFault)
  }

  /// Reports the events that a verification found missing, and the titles that are still known.
  func tell(_ loss: Loss) {
    guard !loss.gaps.isEmpty else { return }
    output.answer([
      output.paint.urgent("Missing: \(loss.gaps.map(\.words).joined(separator: ", ")).")
    ])
    if !loss.titles.isEmpty {
      let titles = loss.titles.map { "'\($0.visible)'" }.joined(separator: ", ")
      output.answer([
        "Titles of missing records, from copies of the view: \(titles). "
          + "The copies are in the book's folder as view-before-loss*.sqlite."
      ])
    }
    tellUncopied(loss)
  }

  /// Reports missing events for which no copy of the view was made.
  private func tellUncopied(_ loss: Loss) {
    guard loss.uncopied > 0 else { return }
    output.note(
      "no copy of the view was made for \(loss.uncopied.counted("missing event")), "
        + "because the book's folder already contains the maximum number of copies. "
        + "Move the view-before-loss*.sqlite files that you have examined to another folder, "
        + "so that a copy can be made at the next loss.")
  }

  /// Returns, as JSON, the titles that are still known, and the number of events for which no copy of the view was
  /// made.
  func members(_ loss: Loss) -> [JSON.Member] {
    [
      JSON.Member("titles", .array(loss.titles.map(JSON.string))),
      JSON.Member("uncopied", .integer(Int64(clamping: loss.uncopied))),
    ]
  }

  /// Reports where bytes without readable events, and files whose events are all in other files, were moved.
  func tellRepairs() throws {
    output.answer(try context.book().core.store.repairs.compactMap(\.words))
  }

  /// Returns what ``tellRepairs()`` reports, as JSON.
  func repairs() throws -> JSON.Member {
    JSON.Member("repairs", .array(try context.book().core.store.repairs.compactMap(\.json)))
  }

  /// Accepts the loss of missing events, and reports them.
  func acceptLoss() throws {
    let (loss, after) = try context.book().verifier.acceptLoss()
    if output.isJSON {
      output.answer(
        .object(
          [JSON.Member("accepted", .array(loss.gaps.map(\.json)))] + members(loss)
            + [try repairs()]))
    } else if loss.gaps.isEmpty {
      output.say("Nothing to accept: no further events are missing.")
    } else {
      output.say("Accepted as lost: \(loss.gaps.map(\.words).joined(separator: ", ")).")
      if !loss.titles.isEmpty {
        output.say("Among them: \(loss.titles.map { "'\($0.visible)'" }.joined(separator: ", ")).")
        output.say(
          "Copies of the view from before the loss are in the book's folder as view-before-loss*.sqlite; "
            + "remove them once you no longer need them.")
      }
    }
    if !output.isJSON {
      tellUncopied(loss)
      try tellRepairs()
    }
    OwnEventNotices(output: output).tellStranded(try context.book().ownEvents.countOfStranded())
    guard after.isClean else { throw ConsoleError.faultsFound(in: after) }
  }
}

extension ConsoleError {
  static func faultsFound(in report: VerificationReport) -> ConsoleError {
    .faultsFound(report.faults.count, canAccept: report.hasAcceptableLoss)
  }
}

extension [Gap] {
  /// The missing events, in one short phrase.
  fileprivate var summary: String {
    let count = reduce(0) { $0 + $1.range.count }
    let devices = [String](Set(map(\.device.visible))).sorted()
    let few = devices.prefix(3).joined(separator: ", ") + (devices.count > 3 ? " and others" : "")
    return "\(count.counted("event")) of \(few) \(count == 1 ? "is" : "are")"
  }
}

extension Gap {
  var words: String {
    (isBodiless ? "the content of " : "") + "\(range.asEvents) of \(device.visible)"
  }

  var json: JSON {
    .object(
      ("device", .string(device)), ("log", .string(log.hex)),
      ("first", .integer(Int64(clamping: range.lowerBound))),
      ("last", .integer(Int64(clamping: range.upperBound))),
      ("isBodiless", .boolean(isBodiless)))
  }
}

extension Repair {
  /// The number of bytes that were moved from the file, and where they are now; nil for a repair that moved none.
  private var moved: (count: Int, copy: Path)? {
    switch kind {
    case .trimmed(let count, let copy), .moved(let count, let copy): (count, copy)
    case .removedCovered, .removedDraft, .renewed: nil
    }
  }

  /// The file, the number of bytes that were moved from it, and the copy; nil for a repair that moved none.
  fileprivate var json: JSON? {
    moved.map { count, copy in
      .object(
        ("file", .string(file.string)), ("bytes", .integer(Int64(count))),
        ("copy", .string(copy.string)))
    }
  }

  /// A sentence that says what was moved where; nil for a repair that moved nothing.
  fileprivate var words: String? {
    guard let (count, copy) = moved else { return nil }
    if case .moved = kind {
      return
        "Cleaned: moved \(file.string.visible), a copy whose events are all in other files, to \(copy.string.visible)."
    }
    return
      "Cleaned: moved \(count.counted("byte")) without a readable event from \(file.string.visible) to \(copy.string.visible)."
  }
}
