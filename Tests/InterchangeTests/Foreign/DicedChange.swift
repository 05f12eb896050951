import Bytes
import Domain
import Interchange
import TestDice

/// A random change of one field, and the parts that may differ afterwards in each format.
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
            #""due":"2027-02-03","dueTime":1020"#, ["Due", "Time", "First due", "Slot"], ["due"],
            ["due", "time"]
          )
        case 7: (#""start":"2026-10-01""#, ["Start"], ["wait"], ["start"])
        case 8: (#""remind":["2h","1w"]"#, ["Remind"], ["daybookremind"], ["remind"])
        case 9:
          (
            #""cancelled":true,"done":false"#,
            ["Cancelled", "Done", "Completed at", "Due", "Slot", "Occurrences"],
            ["status", "end", "recur", "mask", "entry", "daybookclosed"],
            ["state", "priority", "cancelled", "done"]
          )
        case 0: (#""title":\#(quoted)"#, ["Title"], ["description"], ["title"])
        case 1: (#""due":"2027-02-03""#, ["Due", "First due", "Slot"], ["due"], ["due"])
        case 2:
          (
            #""done":\#(dice.chance(50))"#,
            ["Done", "Completed at", "Cancelled", "Due", "Slot", "Occurrences"],
            ["status", "end", "recur", "mask", "entry"], ["state", "priority", "cancelled", "done"]
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
}
