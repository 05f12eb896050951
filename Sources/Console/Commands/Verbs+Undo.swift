import Bytes
import Daybook
import Domain
import Phrasing
import Platform

// Undoing what is named: one command, or all that a device did since some moment.

extension Context {
  /// What is to be undone beside the own last commands, if that was said.
  func scope(
    _ words: String?, command: String?, by device: String?, since: String?
  ) throws -> UndoScope? {
    if let command, device == nil, since == nil, words == nil { return .command(command) }
    if let device, let since, command == nil, words == nil {
      return .device(device, since: try instant(since).milliseconds)
    }
    guard command != nil || device != nil || since != nil else { return nil }
    throw ConsoleError.badValue(
      "what to undo", [words, command, device, since].compactMap(\.self).joined(separator: " "),
      "Say N or ID, or --command NAME, or --by DEVICE with --since TIME.")
  }

  func undo(_ scope: UndoScope, _ care: UndoCare, isSure: Bool) throws {
    let book = try book()
    if case .device = scope, !isSure {
      let forecast = try book.forecast(undoing: scope, care: care)
      if case .refusing = care, !forecast.editedSince.isEmpty {
        throw ConsoleError.editedSince(try sentences(forecast.editedSince))
      }
      try require(isSure, forecast.question(at: machine.timekeeper))
    }
    try tell(
      try careful { () throws(DaybookError) in [try book.undo(scope, care: care, because: reason)]
      }, "Undone")
  }

  /// Undoes or redoes, and says who has edited what since if that is why it was not done.
  func careful(_ act: () throws(DaybookError) -> [Undone]) throws -> [Undone] {
    do throws(DaybookError) {
      return try act()
    } catch .editedSince(let edits) {
      throw ConsoleError.editedSince(try sentences(edits))
    }
  }

  /// Why the undo went no further.
  func sentence(_ obstacle: Undone.Obstacle) throws -> String {
    switch obstacle {
    case .erasure:
      "stopped at an erasure, which cannot be undone; --past-erasure goes on behind it."
    case .lasting(let change):
      "stopped behind this: \(change.words); --past-devices goes on."
    case .edits(let edits):
      "stopped where another device has edited since: "
        + "\(try sentences(edits).joined(separator: "; ")). --force goes on."
    case .dependences(let dependences):
      "stopped: \(dependences.map(\.words).joined(separator: "; ")). --force goes on."
    }
  }

  private static let shownEdits = 5

  /// Who has edited what since, and when.
  func sentences(_ edits: [EditSince]) throws -> [String] {
    let snapshot = try presentSnapshot()
    var lines = try edits.prefix(Self.shownEdits).map { edit in
      let value = try Schema.field(edit.field, of: edit.kind).map { field in
        try snapshot.words(edit.value, of: field)
      }
      return "\(edit.device.visible) has set the \(edit.field.name(in: edit.kind)) of "
        + "\(edit.kind.name) \(try snapshot.shortID(edit.id)) to '\(value ?? "")' on "
        + machine.timekeeper.localText(of: edit.time)
    }
    if edits.count > lines.count { lines.append("and \(edits.count - lines.count) more") }
    return lines
  }
}

extension UndoForecast {
  /// What it would do, and whether it shall.
  fileprivate func question(at timekeeper: any Timekeeper) -> String {
    let what = commands == 1 ? "1 command" : "\(commands) commands"
    let first = timekeeper.localText(of: times.lowerBound)
    let last = timekeeper.localText(of: times.upperBound)
    let span = first == last ? "of \(first)" : "from \(first) to \(last)"
    let parts = [
      (deletes, "delete"), (restores, "bring back"), (edits, "edit"),
    ].filter { $0.0 > 0 }.map { count, verb in
      "\(verb) \(count == 1 ? "1 record" : "\(count) records")"
    }
    let effect = parts.isEmpty ? "change nothing" : parts.joined(separator: ", ")
    let rest = left.isEmpty ? "" : " \(left.count) things stay, which would look the same anyway."
    return "Undo \(what) of \(device.visible), \(span)? It would \(effect).\(rest)"
  }
}
