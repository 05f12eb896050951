import Bytes
import Daybook
import Domain
import Phrasing
import ReadModel

enum ChangeCommands {
  static let all = [edit, done, undone, skip, cancel, delete, restore, pick]

  private static let edit = CommandSpec(
    "edit", "Change fields of records; an empty value clears a field.", traits: .keepsReason,
    records(), flag("this", "Apply the change only to the current date of repeating to-dos."),
    flag("series", "Apply the change to all dates of repeating to-dos."), fields(),
    examples: [
      "daybook edit ada --birthdate 1815-12-10",
      "daybook edit eggos --due 2026-12-31 --priority low",
      "daybook edit eggos --start -2w              # hides it until two weeks before it is due",
      "daybook edit eggos --due \"fri 17:00\" --remind 1d,2h",
      "daybook edit eggos --list none              # takes it off its list",
      "daybook edit eggos --tag gift --untag shop  # adds a tag and removes one",
      "daybook edit eggos mike +gift -home         # changes the tags of two records",
      "daybook edit eggos --tags home,shop         # sets these tags and removes all others",
      "daybook edit --list Home --overdue set --due tomorrow +late",
      "daybook edit bins --repeat \"every mon until 2027-06-30\"",
      "daybook edit bins --due tue                 # only the current date of a repeating to-do",
      "daybook edit bins --repeat \"every tue\"      # changes all dates from the current one on",
      "daybook edit bins --time 18:00 --series     # changes the time of all dates",
      "daybook edit bins --repeat none             # makes the current date the last one",
    ]
  ) { context, wish, isOfDate, isOfSeries, fields in
    if isOfDate, isOfSeries { throw UsageFault.contradiction("--this", "--series") }
    let scope: Request.EditScope = isOfDate ? .occurrence : isOfSeries ? .series : .automatic
    try EditRecords(context: context, scope: scope).run(wish, fields)
  }

  private static let done = CommandSpec(
    "done", "Mark to-dos as done.", traits: .keepsReason, records(),
    flag("only", "Do not change the sub-tasks of the to-dos."),
    examples: [
      "daybook done eggos", "daybook done passport --only", "daybook done eggos k7 \"find mike\"",
      "daybook done --list Home --due ..today",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Mark", "Marked", " as done", selecting: .open) {
      .setDone($0, true, alone: isOnly)
    }
    change.subtasks = isOnly ? .left : .open
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let undone = CommandSpec(
    "undone", "Reopen to-dos that are done or cancelled.",
    traits: .keepsReason, records(), flag("only", "Do not change the sub-tasks of the to-dos."),
    examples: [
      "daybook undone eggos", "daybook undone eggos --because \"Mike ate them\"",
      "daybook undone passport --only", "daybook undone --tag weekly",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Mark", "Marked", " as open again", selecting: .done) {
      .setDone($0, false, alone: isOnly)
    }
    change.reopens = true
    change.subtasks = isOnly ? .left : .together
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let skip = CommandSpec(
    "skip", "Skip the current date of repeating to-dos; 'undone' reopens it.",
    traits: .keepsReason, records(),
    examples: [
      "daybook skip bins", "daybook skip bins --because \"Public holiday\"",
      "daybook skip --tag weekly --overdue",
    ]
  ) { context, wish in
    try ChangeRecords(context: context).run(
      wish, RecordChange("Skip", "Skipped", selecting: .repeating) { .skip($0) })
  }

  private static let cancel = CommandSpec(
    "cancel", "Close to-dos without marking them as done; 'undone' reopens them.",
    traits: .keepsReason, records(), flag("only", "Do not change the sub-tasks of the to-dos."),
    examples: [
      "daybook cancel eggos", "daybook cancel eggos k7 --because \"The shop has closed\"",
      "daybook cancel --list Trip --overdue",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Cancel", "Cancelled", selecting: .open) {
      .cancel($0, alone: isOnly)
    }
    change.endsRepeats = true
    change.subtasks = isOnly ? .left : .open
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let delete = CommandSpec(
    "delete",
    "Delete records, including their contents and sub-tasks; 'restore' and 'undo' bring them back.",
    traits: .keepsReason, records(),
    flag("if-empty", "Refuse if the list has to-dos or the question has choices."),
    flag("keep-todos", "Keep the to-dos of the list; they then belong to no list."),
    flag("only", "Keep the sub-tasks of to-dos; they are then no longer sub-tasks."),
    examples: [
      "daybook delete eggos", "daybook rm k7", "daybook delete shopping --keep-todos",
      "daybook delete lunch --if-empty", "daybook delete --list Shopping --done",
    ]
  ) { context, wish, ifEmpty, keepsTodos, isOnly in
    if ifEmpty, keepsTodos { throw UsageFault.contradiction("--if-empty", "--keep-todos") }
    // These options apply to a list itself, but a filter selects its to-dos.
    if ifEmpty || keepsTodos, let option = wish.todos.options.first {
      throw UsageFault.contradiction(ifEmpty ? "--if-empty" : "--keep-todos", option)
    }
    let rule: Command.ChildRule = ifEmpty ? .deny : keepsTodos ? .keep : .hide
    var change = RecordChange("Delete", "Deleted", selecting: .listed) {
      .delete($0, children: rule, alone: isOnly)
    }
    change.endsRepeats = true
    change.leaves = keepsTodos ? "on no list" : nil
    change.subtasks = isOnly ? .left : .all
    (change.kind, change.among) = (nil, .removable)
    change.hidesContents = rule == .hide
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let restore = CommandSpec(
    "restore", "Restore deleted records.",
    traits: .keepsReason, records(), flag("only", "Do not restore the sub-tasks of to-dos."),
    examples: [
      "daybook restore k7", "daybook restore eggos lunch", "daybook restore --list Shopping",
    ]
  ) { context, wish, isOnly in
    var change = RecordChange("Restore", "Restored", selecting: .deleted) {
      .restore($0, alone: isOnly)
    }
    change.subtasks = isOnly ? .left : .together
    (change.kind, change.among) = (nil, .dead)
    try ChangeRecords(context: context).run(wish, change)
  }

  private static let pick = CommandSpec(
    "pick", "Draw one of a question's choices at random, in proportion to the weights.",
    traits: .keepsReason,
    optionalText("QUESTION"),
    option(
      "replay", "ID", "Show how a pick was drawn; for a question, show its latest pick.",
      onlyShows: true
    ),
    examples: ["daybook pick lunch", "daybook pick --replay lunch"]
  ) { context, words, replayed in
    let usage = "pick QUESTION | --replay ID"
    if let replayed {
      if let words { throw ConsoleError.usage(.extraOperand(words, usage: usage)) }
      return try ReplayPick(context: context).run(replayed)
    }
    guard let words else { throw ConsoleError.usage(.missingOperand("QUESTION", usage: usage)) }
    let book = try context.book()
    let question = try context.find(words, kind: .question).id
    try ChangePresenter(context: context).tell(try context.perform(.pick(question), in: book))
  }
}
