import Bytes
import Daybook
import Domain
import Phrasing
import Platform

/// Undoes or redoes commands, and reports the changes.
struct UndoRun {
  let context: CommandContext
  /// How to treat fields that other devices have edited since the command to be undone.
  let care: UndoCare
  private var presenter: UndonePresenter { UndonePresenter(context: context) }

  /// Returns the scope that the options describe; nil if none of them is given.
  func scope(
    _ words: String?, command: String?, by device: String?, since: String?
  ) throws -> UndoScope? {
    if let command, device == nil, since == nil, words == nil { return .command(command) }
    if let since, command == nil, words == nil {
      let start = try context.reader.pastInstant(since, wholeDay: .beginning)
      if let device = try lastingWords(for: device) {
        return .device(device, since: start.milliseconds)
      }
    }
    guard command != nil || device != nil || since != nil else { return nil }
    throw ConsoleError.badValue(
      "what to undo", [words, command, device, since].compactMap(\.self).joined(separator: " "),
      "Use N or ID, or --command NAME, or --since TIME, or --by DEVICE with --since TIME.")
  }

  /// Returns words that certainly name the given device, or this device if none is given.
  ///
  /// The words of a key stand for all logs of the device.
  ///
  /// - Parameter device: A name, the words of a key, or an id.
  /// - Returns: The words; nil if no device is given and this device has written nothing.
  /// - Throws: ``ConsoleError`` if another device previously had the name; ``DaybookError`` unless one device has it.
  private func lastingWords(for device: String?) throws -> String? {
    let book = try context.book()
    guard let device else {
      return try book.deviceList.devices().first(where: \.isThis)?.fingerprint
        .joined(separator: "-")
    }
    return try CertainDevice(book: book, timekeeper: context.machine.timekeeper)
      .lastingWords(for: device)
  }

  /// Undoes one command, or all commands of a device since a point in time.
  func undo(_ scope: UndoScope, isSure: Bool) throws {
    let book = try context.book()
    let erased = try book.undoEngine.countOfErased(by: scope)
    if case .device = scope, !isSure {
      let forecast = try book.undoEngine.forecast(undoing: scope, care: care)
      if case .refusing = care, !forecast.editedSince.isEmpty {
        throw ConsoleError.editedSince(try presenter.sentences(forecast.editedSince))
      }
      try context.output.require(
        isSure, forecast.question(at: context.machine.timekeeper, erased: erased))
    }
    // If the user is asked, the question says this.
    if isSure, erased > 0 {
      context.output.note(UndoForecast.sentence(onErased: erased))
    }
    let steps = try careful { () throws(DaybookError) in
      [try book.undoEngine.undo(scope, care: care, because: context.reason)]
    }
    try presenter.tell(steps, "Undone")
  }

  /// Undoes the given number of this device's latest commands.
  func undo(_ count: Int, pastErasure: Bool, pastDevices: Bool) throws {
    let book = try context.book()
    let steps = try careful { () throws(DaybookError) in
      try book.undoEngine.undo(
        count, pastErasure: pastErasure, pastDevices: pastDevices, care: care,
        because: context.reason)
    }
    try presenter.tell(steps, "Undone")
  }

  /// Undoes the latest command that changed the given record.
  func undoRecord(_ words: String) throws {
    let book = try context.book()
    let id = try book.finder.find(words, among: .all).id
    let steps = try careful { () throws(DaybookError) in
      try book.undoEngine.undo(id: id, care: care, because: context.reason)
    }
    try presenter.tell(steps, "Undone")
  }

  func redo(_ count: Int) throws {
    let book = try context.book()
    let steps = try careful { () throws(DaybookError) in
      try book.undoEngine.redo(count, care: care, because: context.reason)
    }
    try presenter.tell(steps, "Redone")
  }

  /// Parses the number of commands: 1 if none is given, nil if it is not a number.
  func count(_ words: String?) throws -> Int? {
    guard let words else { return 1 }
    guard words.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }) else { return nil }
    return Int(clamping: try context.reader.number(words, "N", from: 1))
  }

  /// Performs an undo or redo, and describes the later edits if they prevent it.
  private func careful(_ act: () throws(DaybookError) -> [Undone]) throws -> [Undone] {
    do throws(DaybookError) {
      return try act()
    } catch .editedSince(let edits) {
      throw ConsoleError.editedSince(try presenter.sentences(edits))
    }
  }
}

extension UndoForecast {
  /// Returns a question that describes the changes and asks whether to make them.
  fileprivate func question(at timekeeper: any Timekeeper, erased: Int) -> String {
    let what = commands == 1 ? "1 command" : "\(commands) commands"
    let first = timekeeper.localText(of: times.lowerBound)
    let last = timekeeper.localText(of: times.upperBound)
    let span = first == last ? "from \(first)" : "from \(first) to \(last)"
    let parts = [
      (deletes, "delete"), (restores, "bring back"), (edits, "edit"),
    ].filter { $0.0 > 0 }.map { count, verb in
      "\(verb) \(count == 1 ? "1 record" : "\(count) records")"
    }
    let effect = parts.isEmpty ? "change nothing" : parts.joined(separator: ", ")
    let rest =
      left.isEmpty
      ? ""
      : left.count == 1
        ? " 1 value would stay unchanged." : " \(left.count) values would stay unchanged."
    let gone = erased == 0 ? "" : " " + Self.sentence(onErased: erased)
    return "Undo \(what) of \(device.visible) \(span)? It would \(effect).\(rest)\(gone)"
  }

  /// A sentence about records that have been erased since then, which an undo does not bring back.
  fileprivate static func sentence(onErased count: Int) -> String {
    count == 1
      ? "1 record that the device has erased since then stays erased, because an erasure cannot be undone."
      : "\(count) records that the device has erased since then stay erased, because erasures cannot be undone."
  }
}
