import Bytes
import Domain
import Interchange
import TestDice

/// A random change to one field, and the parts that may differ afterwards in each format.
struct DicedChange {
  let operation: String
  let names: Set<String>

  init(_ dice: inout Dice, _ document: Document, _ form: DicedFile.Form) {
    let isPerson = document.kind == .birthday
    // Strings that have a different meaning in one of the formats.
    let odd = [
      "+Only", "(A) x", "x y", "x", "2026-01-01 z", "due:tomorrow", "due:2026-01-01", "@at +x",
      "a\nb",
      "pri:A", "uuid:7 base:8", "rec:1w t", "\\+x", "\\x", "# a", "- [ ] b", "```", "<!-- c -->",
      "=1+1", "'=1", "list:a%20b",
    ]
    let title =
      dice.chance(50) ? odd[dice.number(odd.count)] : DicedFile.title(&dice) + " new"
    let quoted = JSON.string(title).text()
    let (fields, csv, task, line): (String, Set<String>, Set<String>, Set<String>) =
      if isPerson {
        switch dice.number(4) {
        case 0: (#""firstName":\#(quoted)"#, ["First name"], [], [])
        case 1: (#""birthdate":"1951-06-07""#, ["Birthday"], [], [])
        case 2: (#""note":"new\nnote""#, ["Note"], [], [])
        default: (#""tags":["neu"]"#, ["Tags"], [], [])
        }
      } else {
        switch dice.number(10) {
        case 6:
          (
            #""due":"2027-02-03","dueTime":1020"#, Self.dates.union(["Time"]), Self.taskDates,
            Self.lineDates.union(["time"])
          )
        case 7: (#""start":"2026-10-01""#, Self.dates, Self.taskDates, Self.lineDates)
        case 8: (#""remind":["2h","1w"]"#, ["Remind"], ["daybookremind"], ["remind"])
        case 9:
          (
            #""cancelled":true,"done":false"#, Self.dates.union(Self.states),
            Self.taskDates.union(Self.taskStates), Self.lineDates.union(Self.lineStates)
          )
        case 0: (#""title":\#(quoted)"#, ["Title"], ["description"], ["title"])
        case 1: (#""due":"2027-02-03""#, Self.dates, Self.taskDates, Self.lineDates)
        case 2:
          (
            #""done":\#(dice.chance(50))"#, Self.dates.union(Self.states),
            Self.taskDates.union(Self.taskStates), Self.lineDates.union(Self.lineStates)
          )
        case 3: (#""priority":\#(dice.number(3))"#, ["Priority"], ["priority"], ["priority"])
        case 4: (#""note":"new\nnote""#, ["Note"], ["annotations"], [])
        default: (#""tags":["neu","x"]"#, ["Tags"], ["tags"], ["tags", "list"])
        }
      }
    names = form.format == .csv ? csv : form == .taskwarrior ? task : line
    let kind = isPerson ? "birthday" : "todo"
    operation =
      #"{"op":"edit","t":1795176000000,"kind":"\#(kind)","id":"\#(document.id.uuid)","set":{\#(fields)}}"#
  }

  // In a series, a change to a date or the state moves the current date and changes the stored dates.

  private static let dates: Set<String> = ["Due", "Start", "First due", "Slot", "Occurrences"]
  private static let states: Set<String> = ["Done", "Completed at", "Cancelled"]
  private static let taskDates: Set<String> = [
    "due", "wait", "mask", "daybookdue", "daybookseries",
  ]
  private static let taskStates: Set<String> = [
    "status", "end", "recur", "entry", "daybookclosed",
  ]
  private static let lineDates: Set<String> = ["due", "start", "first", "slot", "slots"]
  private static let lineStates: Set<String> = ["state", "priority", "cancelled", "done"]
}
