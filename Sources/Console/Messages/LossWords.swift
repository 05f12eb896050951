import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Verifying

// What is said of events that were here and are gone.

extension Invocation {
  /// Whether the command shows or passes on what the book holds, and so also what it lacks.
  fileprivate var answersFromBook: Bool {
    guard let verb, verb.reading == .no else { return true }
    if Self.passedOn.contains(verb.path) { return true }
    return Self.showing[verb.path].map(arguments.options.map(\.name).contains) ?? false
  }

  private static let passedOn: Set<String> = [
    "sync", "join", "export", "bundle", "rebuild", "remind", "serve", "page",
  ]

  /// Options with which a command that writes only shows something.
  private static let showing = ["pick": "replay", "erase": "held"]
}

extension Context {
  /// Says in one line that events are missing, where a command used a book of which some are.
  ///
  /// What it answered lacks them, so a command that shows or passes on what the book holds does not end as done.
  func warnOfLoss() {
    guard let loss = lossInWords else { return }
    if invocation.answersFromBook || trial != nil, exit == .done { exit = .dataFault }
    // These three report it in detail, and long-running commands reported it when they started.
    if ["verify", "doctor", "status"].contains(invocation.verb?.path) || hasNotedLoss { return }
    note(loss, isLoss: true)
  }

  /// Reports missing events when a long-running command starts.
  func noteLoss() {
    guard let loss = lossInWords else { return }
    note(loss, isLoss: true)
    hasNotedLoss = true
  }

  /// What is missing; nil where nothing is.
  private var lossInWords: String? {
    let (gaps, lacksBeginning) = openedLoss
    guard !gaps.isEmpty || lacksBeginning else { return nil }
    let loss =
      lacksBeginning
      ? Self.noBeginning
      : "\(gaps.summary) missing here, and the book shows nothing of what they say"
    return "\(loss). 'daybook verify' says more."
  }

  /// Whether a book is open of which events are missing.
  var hasLoss: Bool { lossInWords != nil }

  private static let noBeginning =
    "the event that began this book is missing here, so nothing that other devices wrote is shown"

  /// Says that a program copies the book's folder, which sooner or later mixes up the files of two machines.
  func warnOfPlace() {
    guard case .copied(let folder, let program)? = try? book().folderState() else { return }
    note(
      "\(program) copies \(folder.string.visible), and the book in it, to other machines. Move the book "
        + "elsewhere, and sync with a folder in there instead.")
  }

  /// Says that this device cannot sign, and so cannot write, where that is so.
  func warnOfKey() {
    guard let state = try? book().keyState(), state != .usable, state != .none else { return }
    note("\(Finding.key(state).text(at: machine.timekeeper)).")
    exit = max(exit, .dataFault)
  }

  /// What a verification found missing, device by device, with what is still known of it.
  func tell(_ loss: Loss) {
    guard !loss.gaps.isEmpty else { return }
    answer([paint.urgent("Missing: \(loss.gaps.map(\.words).joined(separator: ", ")).")])
    guard !loss.titles.isEmpty else { return }
    let titles = loss.titles.map { "'\($0.visible)'" }.joined(separator: ", ")
    answer([
      "The view still had: \(titles). Copies of it are kept in the book's folder as view-before-loss*.sqlite."
    ])
  }

  /// Gives up what is missing, and says what that was.
  func acceptLoss() throws {
    let (loss, after) = try book().acceptLoss()
    if isJSON {
      answer(
        .object([
          JSON.Member("accepted", .array(loss.gaps.map(\.json))),
          JSON.Member("titles", .array(loss.titles.map(JSON.string))),
        ]))
    } else if loss.gaps.isEmpty {
      say("Nothing is missing that was not accepted before.")
    } else {
      say("Accepted as lost: \(loss.gaps.map(\.words).joined(separator: ", ")).")
      if !loss.titles.isEmpty {
        say("Among them: \(loss.titles.map { "'\($0.visible)'" }.joined(separator: ", ")).")
      }
    }
    guard after.isClean else { throw ConsoleError.faultsFound(in: after) }
  }
}

extension ConsoleError {
  static func faultsFound(in report: VerificationReport) -> ConsoleError {
    .faultsFound(report.faults.count, canAccept: report.faults.contains { $0.what.canBeAccepted })
  }
}

extension [Gap] {
  /// Which events are missing, short enough for one line.
  fileprivate var summary: String {
    let count = reduce(0) { $0 + $1.range.count }
    let devices = [String](Set(map(\.device.visible))).sorted()
    let few = devices.prefix(3).joined(separator: ", ") + (devices.count > 3 ? " and others" : "")
    return "\(count.counted("event")) of \(few) \(count == 1 ? "is" : "are")"
  }
}

extension Gap {
  var words: String {
    (isBodiless ? "what was said in " : "") + "\(range.asEvents) of \(device.visible)"
  }

  var json: JSON {
    .object(
      ("device", .string(device)), ("log", .string(log.hex)),
      ("first", .integer(Int64(clamping: range.lowerBound))),
      ("last", .integer(Int64(clamping: range.upperBound))),
      ("isBodiless", .boolean(isBodiless)))
  }
}
