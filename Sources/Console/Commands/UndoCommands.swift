import Bytes
import Daybook
import Domain
import Phrasing
import Platform
import ReadModel

enum UndoCommands {
  static let all = [undo, redo]

  private static let undo = CommandSpec(
    "undo",
    "Undo the last command or commands of this device, or the last one that changed a given record.",
    traits: .keepsReason, optionalText("N|ID"),
    option(
      "command", "NAME",
      "Undo one command: DEVICE:NUMBER, or NUMBER for a command of this device."),
    option("by", "DEVICE", "Undo all commands of a device in one step; requires --since."),
    option(
      "since", "TIME",
      "Undo, in one step, all commands since this time by this device or by the device named with --by."
    ),
    flag("yes", "Do not ask for confirmation."),
    flag(
      "force",
      "Also undo changes to fields that another device has since edited, and delete records that have since been used, with their contents."
    ),
    flag("past-erasure", "Skip erasures, which cannot be undone."),
    flag("past-devices", "Skip changes to devices, which cannot be undone."),
    examples: [
      "daybook undo", "daybook undo 3", "daybook undo eggos", "daybook undo --command phone:12",
      "daybook undo --since 2026-01-31", "daybook undo --by phone --since 2026-01-31 --yes",
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
    "redo", "Redo the last undone commands.", traits: .keepsReason, optionalText("N"),
    flag(
      "force",
      "Also redo changes to fields that another device has since edited, and replace that device's values."
    ),
    examples: ["daybook redo", "daybook redo 3"]
  ) { context, words, isForced in
    let run = UndoRun(context: context, care: isForced ? .forcing : .refusing)
    guard let count = try run.count(words) else {
      throw ConsoleError.badValue("N", words ?? "", "Use a whole number of at least 1.")
    }
    try run.redo(count)
  }
}
