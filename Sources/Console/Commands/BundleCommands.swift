import Bytes
import Daybook
import Journaling
import Phrasing
import Platform
import Syncing

enum BundleCommands {
  static let all = [bundle, inspectBundle, verifyBundle]

  private static let bundle = CommandSpec(
    "bundle", "Write the events to a file for another machine to sync from.",
    traits: [.leavesBook, .passesOn], text("FILE"),
    option("since", "PEER", "Omit events that the named device is known to have."),
    flag(
      "force",
      "Replace an existing file even if it is not a bundle of this book, or contains events that this device lacks."
    ),
    examples: [
      "daybook bundle /media/stick/book.bundle", "daybook bundle b --since laptop",
      "daybook bundle inspect b  # what it contains",
      "daybook bundle verify b  # whether it is intact",
    ]
  ) { context, file, peer, isForced in
    let book = try context.book()
    let path = try BundleDestination(context: context).place(
      ofBundle: file, of: book, isForced: isForced)
    let receipt = try book.replicator.writeBundle(to: path, since: peer)
    for (log, events) in receipt.withheld.sorted(by: { $0.key < $1.key }) {
      ReceiptPresenter(context: context).tellWithheld(
        events, of: try book.deviceList.deviceNames()[log] ?? log.hex, log, "written")
    }
    if context.output.isJSON { return context.output.answer(receipt.json(path)) }
    let events = receipt.sent.values.reduce(0, +)
    context.output.say(
      "Wrote \(events.counted("event")), \(receipt.byteCount) bytes, to \(path.string.visible).")
  }

  private static let inspectBundle = CommandSpec(
    "bundle inspect", "Show which book a bundle belongs to, and what it contains.",
    reading: .present,
    text("FILE"),
    examples: [
      "daybook bundle inspect book.bundle", "daybook bundle inspect book.bundle --json",
    ]
  ) { context, file in
    let look = try BundleInspection(context: context).look(at: file)
    if context.output.isJSON {
      context.output.answer(look.json)
    } else {
      context.output.answer(look.lines(at: context.machine.timekeeper))
    }
    ProblemPresenter(context: context).tell(look.contents.problems)
  }

  private static let verifyBundle = CommandSpec(
    "bundle verify", "Check every hash and signature in a bundle without importing it.",
    reading: .present, text("FILE"),
    examples: [
      "daybook bundle verify book.bundle", "daybook bundle verify book.bundle --json",
    ]
  ) { context, file in
    var look = try BundleInspection(context: context).look(at: file)
    let found = try BundleInspection(context: context).tryBundle(look)
    look.contents.problems += found.filter { !look.contents.problems.contains($0) }
    if context.output.isJSON { context.output.answer(look.json) }
    ProblemPresenter(context: context).tell(look.contents.problems)
    guard look.contents.problems.isEmpty, !context.output.isJSON else { return }
    let heads = look.contents.logs.reduce(0) { $0 + $1.heads.count }
    context.output.answer([
      "No faults found: \(look.contents.events.counted("event")), \(heads.counted("signature"))."
    ])
    for log in look.contents.logs where !look.lost(of: log).isEmpty {
      let lost = look.lost(of: log)
      let events = lost.map(\.asEvents).joined(separator: ", ")
      let isOne = lost.count == 1 && lost[0].count == 1
      context.output.note(
        "the bundle's writer had lost \(events) of \(look.name(of: log).visible), "
          + "so a device that syncs from this bundle will lack \(isOne ? "it" : "them") too.")
    }
    for log in look.contents.logs where log.isKeyUnknown {
      context.output.note(
        "the key of \(look.name(of: log).visible) is neither in the bundle nor stored on this device, "
          + "so its signatures could not be checked.")
    }
  }
}

/// The contents of a bundle, and the information that this machine has about it.
struct BundleLook {
  var path: Path
  var contents: BundleContents
  /// The names of the devices, if the bundle belongs to the local book.
  var names: [UniqueID: String] = [:]
  var isOwnBook = false

  /// The name of the founder, as known on this machine; nil if the founder's first event is not in the bundle.
  var founder: String? { contents.founderLog.flatMap { names[$0] } ?? contents.founder }

  func name(of log: BundleContents.Log) -> String {
    names[log.replica] ?? log.name ?? log.replica.hex
  }
}

extension Bundle.Receipt {
  func json(_ path: Path) -> JSON {
    let sent = sent.sorted { $0.key < $1.key }.map { replica, events in
      JSON.object(
        ("replica", .string(replica.hex)), ("events", .integer(Int64(clamping: events))))
    }
    return .object(
      ("file", .string(path.string)), ("bytes", .integer(Int64(byteCount))), ("sent", .array(sent)))
  }
}

/// Inspects a bundle, and compares it with the local book unless the bundle belongs to a different book.
private struct BundleInspection {
  let context: CommandContext

  func look(at file: String) throws -> BundleLook {
    let path = context.environment.path(file)
    context.opener.beginTrial()
    let contents = try bundleContents(path)
    guard let book = try bookIfAny(), contents.hello?.book == book.id else {
      return BundleLook(path: path, contents: contents)
    }
    return BundleLook(
      path: path, contents: try book.replicator.inspectBundle(path),
      names: try book.deviceList.devices().names,
      isOwnBook: true)
  }

  private func bundleContents(_ path: Path) throws(DaybookError) -> BundleContents {
    do throws(SyncError) { return try Bundle.inspect(path, on: context.machine) } catch {
      throw .sync(error)
    }
  }

  /// Opens the local book; returns nil if there is none.
  private func bookIfAny() throws(DaybookError) -> Book? {
    do throws(DaybookError) { return try context.book() } catch {
      if case .noBook = error { return nil }
      throw error
    }
  }

  /// Returns the problems that a sync with the bundle would report, for the local book or a new one.
  func tryBundle(_ look: BundleLook) throws(DaybookError) -> [SyncProblem] {
    if look.isOwnBook { return try context.book().replicator.sync(with: .file(look.path)).problems }
    do throws(SyncError) { return try Bundle.check(look.path, on: context.machine) } catch {
      throw .sync(error)
    }
  }
}

/// Decides where a bundle may be written.
private struct BundleDestination {
  let context: CommandContext

  /// Returns the path for a bundle.
  ///
  /// Without `isForced`, an existing file is replaced only if it is a bundle of the same book and its writer held no
  /// events that are missing here.
  func place(
    ofBundle file: String, of book: Book, isForced: Bool
  ) throws -> Path {
    if file == "-" {
      throw ConsoleError.badValue(
        "FILE", file, "A bundle must be a file, so use the name of a file.")
    }
    let path = context.environment.path(file)
    try DestinationCheck(disk: context.machine.disk).check(path, isForced: isForced) {
      guard let hello = try hello(ofBundle: path), hello.book == book.id else { return false }
      let lacking = try book.contactBook.countOfLacking(of: hello.frontier)
      if lacking > 0 { throw ConsoleError.bundleHoldsMore(path, lacking) }
      return true
    }
    return path
  }

  /// Reads the `Hello` of the writer of a bundle; returns nil if the file is not a bundle.
  private func hello(ofBundle path: Path) throws(DaybookError) -> Hello? {
    do throws(SyncError) { return try Bundle.hello(of: path, on: context.machine) } catch {
      switch error {
      case .notABundle, .message: return nil
      default: throw .sync(error)
      }
    }
  }
}
