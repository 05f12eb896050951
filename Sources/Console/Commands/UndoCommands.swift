import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum UndoCommands {
  static let all = [undo, redo]

  private static let undo = CommandSpec(
    "undo", "Undo the last commands of this device, or the last one that changed a record.",
    traits: .keepsReason, optionalText("N|ID"),
    option(
      "command", "NAME",
      "One command, of any device: DEVICE:NUMBER, or the NUMBER of one of this device."),
    option("by", "DEVICE", "All that a device did, as one step; with --since."),
    option("since", "TIME", "From when on, by the time at which it was written."),
    flag("yes", "Do not ask."),
    flag(
      "force",
      "Also what another device has edited since, and what is in use since: it goes with all that is on it."
    ),
    flag("past-erasure", "Go on behind an erasure, which cannot be undone itself."),
    flag("past-devices", "Go on behind what was done about devices, which stays as it is."),
    examples: [
      "daybook undo", "daybook undo 3", "daybook undo eggos", "daybook undo --command phone:12",
      "daybook undo --by phone --since 2026-01-31 --yes",
    ]
  ) { context, words, command, device, since, isSure, isForced, goesPast, passesDevices in
    let run = UndoRun(context: context, care: isForced ? .forcing : .refusing)
    if let scope = try run.scope(words, command: command, by: device, since: since) {
      return try run.undo(scope, isSure: isSure)
    }
    if let count = try run.count(words) {
      return try run.undo(count, pastErasure: goesPast, pastDevices: passesDevices)
    }
    try run.undoRecord(words ?? "")
  }

  private static let redo = CommandSpec(
    "redo", "Do again what was undone last.", traits: .keepsReason, optionalText("N"),
    flag("force", "Also what another device has edited since; it gets the value from before."),
    examples: ["daybook redo", "daybook redo 3"]
  ) { context, words, isForced in
    let run = UndoRun(context: context, care: isForced ? .forcing : .refusing)
    guard let count = try run.count(words) else {
      throw ConsoleError.badValue("N", words ?? "", "Say how many, as a whole number from 1.")
    }
    try run.redo(count)
  }
}
