import Bytes
import Domain
import Interchange
import TestDice

/// A random file with the features of real files.
struct DicedFile {
  enum Form: String, CaseIterable {
    case todoTxt, markdown, taskwarrior, csv
    case todoist, tickTick, asana, trello, microsoftToDo, notion, things, clickUp, outlook
    case reminders, thunderbird, googleContacts, outlookContacts

    var format: FileFormat {
      switch self {
      case .todoTxt: .todoTxt
      case .markdown: .markdown
      case .taskwarrior: .taskwarrior
      default: .csv
      }
    }
  }

  private(set) var text = ""
  /// The parts of each record that an export must contain, by the names of ``WrittenParts``.
  private(set) var came: [[String: String]] = []

  init(_ dice: inout Dice, _ form: Form) {
    switch form {
    case .todoTxt: fillTodoTxt(&dice)
    case .markdown: fillMarkdown(&dice)
    case .taskwarrior: fillTaskwarrior(&dice)
    case .csv: fillOwnTable(&dice)
    default: fillTable(of: form, &dice)
    }
    if dice.chance(10), form != .taskwarrior { text = "\u{FEFF}" + text }
  }

  private static let words = [
    "Mop", "x", "(A)", "+", "@", "due:tomorrow", "2026-11-20", "a:b", "é🎂", "=1+1", "\\", "\\x",
    "100%", "http://a.b/c?d=e", "10:30", "\"q\"", "'s", "*b*", "`c`", "#5", "[x]", "|", ";", ",",
    "<b>", "-", "list", "rec", "ß", "日本語", "\u{301}e", "uuid:", "due:x",
  ]

  static func title(_ dice: inout Dice) -> String {
    let count = dice.number(5)
    let blank = dice.chance(10) ? "  " : " "
    return
      (["Sweep"] + (0..<count).map { _ in words[dice.number(words.count)] }.shuffled(using: &dice))
      .joined(separator: blank)
  }

  private static func day(_ dice: inout Dice) -> String {
    "20\(20 + dice.number(10))-0\(1 + dice.number(9))-1\(dice.number(10))"
  }

  private static func ending(_ dice: inout Dice) -> String { dice.chance(30) ? "\r\n" : "\n" }
}

extension DicedFile {
  private mutating func fillTodoTxt(_ dice: inout Dice) {
    let end = Self.ending(&dice)
    var lines: [String] = []
    for _ in 0...dice.number(5) {
      var parts: [String: String] = [:]
      var words: [String] = []
      let isDone = dice.chance(30)
      let letter = String(UnicodeScalar(UInt8(65 + dice.number(26))))
      var state: [String] = []
      if isDone { state.append("x") } else if dice.chance(50) { parts["priority"] = "(\(letter))" }
      if isDone, dice.chance(60) { state.append(Self.day(&dice)) }
      if isDone == (state.count == 2), dice.chance(60) { state.append(Self.day(&dice)) }
      parts["state"] = state.joined(separator: " ")
      // If the state may have one more date, a date at the start of the title would be read as that date.
      let title = Self.title(&dice)
      parts["title"] = title
      words = title.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      var others: [String] = []
      if dice.chance(50) {
        parts["list"] = ["+Home", "+Garage.Sale", "+日本"][dice.number(3)]
        others.append(parts["list"] ?? "")
      }
      if dice.chance(50) {
        parts["tags"] = dice.chance(50) ? "@phone @é" : "@home"
        others.append(parts["tags"] ?? "")
      }
      if dice.chance(50) {
        parts["due"] = "due:" + Self.day(&dice) + (dice.chance(30) ? "T17:05" : "")
        others.append(parts["due"] ?? "")
      }
      if isDone, dice.chance(30) {
        parts["priority"] = "pri:" + letter
        others.append("pri:" + letter)
      }
      if dice.chance(30) {
        parts["others"] = ["rec:+1m", "rec:2w", "rec:+1b", "rec:soon"][dice.number(4)]
        others.append(parts["others"] ?? "")
      }
      if dice.chance(30) {
        parts["start"] = "t:" + Self.day(&dice)
        others.append(parts["start"] ?? "")
      }
      if isDone, dice.chance(30) {
        parts["cancelled"] = "status:cancelled"
        others.append(parts["cancelled"] ?? "")
      }
      others.shuffle(using: &dice)
      let head = isDone ? state : [parts["priority"]].compactMap(\.self) + state
      // Words with a key or a sign follow the title.
      lines.append((head + words + others).joined(separator: " "))
      came.append(parts)
      if dice.chance(10) { lines.append(dice.chance(50) ? "" : "  ") }
    }
    text = lines.joined(separator: end) + (dice.chance(80) ? end : "")
  }

  private mutating func fillMarkdown(_ dice: inout Dice) {
    let end = Self.ending(&dice)
    var lines: [String] = []
    var heading = ""
    for _ in 0...dice.number(7) {
      switch dice.number(8) {
      case 0:
        heading = ["Home", "C#", "Été `x`", "a <b>"][dice.number(4)]
        let signs = String(repeating: "#", count: 1 + dice.number(4))
        lines.append("\(signs) \(heading)" + (dice.chance(30) ? " ##" : ""))
      case 1: lines += ["```swift", "- [ ] in a passage", "# none", "```"]
      case 2: lines += ["", "Some words. - [ ] not an item", ""]
      case 3: lines += ["> - [ ] quoted", "| a | b |", "- no box", "1. none"]
      case 4: lines += ["~~~", "```", "- [x] in it", "~~~"]
      default: break
      }
      let title = Self.title(&dice)
      let indent = [0, 0, 0, 2, 4][dice.number(5)]
      let state = [" ", " ", "x", "X", "-", "/"][dice.number(6)]
      let sign = ["-", "*", "+", "1.", "12)"][dice.number(5)]
      var parts = ["heading": heading, "state": state == "X" ? "x" : state, "title": title]
      let fields = Self.signs(&dice, &parts)
      lines.append(
        String(repeating: " ", count: indent) + "\(sign) [\(state)] "
          + ([title] + fields).joined(separator: " "))
      came.append(parts)
    }
    text = lines.joined(separator: end) + end
  }

  /// Tags and signs with values after a title, in any order.
  private static func signs(_ dice: inout Dice, _ parts: inout [String: String]) -> [String] {
    var fields: [String] = []
    let days = [
      ("📅", "due"), ("📆", "due"), ("🛫", "start"), ("⏳\u{FE0F}", "scheduled"), ("✅", "done"),
      ("❌", "cancelled"),
    ]
    for (sign, name) in days where parts[name] == nil && dice.chance(25) {
      let day = Self.day(&dice)
      parts[name] = day
      fields.append(sign + (dice.chance(80) ? " " : "") + day)
    }
    let rules = [
      "every week", "every 2 months on the last Friday", "every day when done", "every eon",
    ]
    let others = [
      ("🔁", "repeat", rules[dice.number(4)]), ("🆔", "id", "a-1"), ("⛔", "dependsOn", "b,c_2"),
    ]
    for (sign, name, value) in others where dice.chance(15) {
      parts[name] = value
      fields.append("\(sign) \(value)")
    }
    if dice.chance(40) {
      let sign = ["🔺", "⏫", "🔼", "🔽", "⏬"][dice.number(5)]
      parts["priority"] = sign
      fields.append(sign)
    }
    if dice.chance(40) {
      parts["tags"] = "#home #é/1"
      fields.append("#home #é/1")
    }
    fields.shuffle(using: &dice)
    if dice.chance(20) {
      parts["anchor"] = "^a-1"
      fields.append("^a-1")
    }
    return fields
  }

  private mutating func fillTaskwarrior(_ dice: inout Dice) {
    func time(_ dice: inout Dice) -> String {
      Self.day(&dice).replacing("-", with: "")
        + "T1\(dice.number(10))\(10 + dice.number(50))0\(dice.number(10))Z"
    }
    func quoted(_ text: String) -> String { JSON.string(text).text() }
    var lines: [String] = []
    for number in 0...dice.number(4) {
      let isDone = dice.chance(30)
      var members = [
        "uuid": "\"00000000-0000-4000-8000-0000000000\(10 + number)\"",
        "description": quoted(Self.title(&dice)), "entry": "\"2019\(time(&dice).dropFirst(4))\"",
        "status": isDone ? "\"completed\"" : "\"pending\"",
      ]
      if isDone { members["end"] = quoted(time(&dice)) }
      if dice.chance(50) {
        members["due"] = dice.chance(30) ? "\"20270612T235959Z\"" : quoted(time(&dice))
      }
      if dice.chance(50) {
        members["project"] = quoted(["Home", "Home.Garden", "é 1"][dice.number(3)])
      }
      if dice.chance(50) { members["priority"] = quoted(["H", "M", "L"][dice.number(3)]) }
      if dice.chance(50) { members["tags"] = #"["a","b\#(dice.number(9))"]"# }
      if dice.chance(30) {
        members["annotations"] =
          #"[{"description":\#(quoted(Self.title(&dice))),"entry":"20190102T030405Z"},"#
          + #"{"description":"second","entry":"20190103T030405Z"}]"#
      }
      if dice.chance(30) { members["estimate"] = "2.5" }
      if dice.chance(30) { members["jiraid"] = quoted(Self.title(&dice)) }
      if dice.chance(30) { members["depends"] = #"["00000000-0000-4000-8000-000000000099"]"# }
      if dice.chance(30) {
        members["wait"] = dice.chance(50) ? "\"20300101T000000Z\"" : quoted(time(&dice))
        if !isDone, dice.chance(50) { members["status"] = "\"waiting\"" }
      }
      if dice.chance(20), !isDone, members["due"] != nil, members["wait"] == nil {
        members["recur"] = quoted(["weekly", "monthly", "3days", "12h"][dice.number(4)])
        members["mask"] = "\"-\""
        members["status"] = "\"recurring\""
      }
      // The mask of a recurring task goes up to the day of the export.
      came.append(members.filter { $0.key != "mask" })
      var all = members.map { "\(quoted($0.key)):\($0.value)" }.sorted()
      all += [#""id":\#(number)"#, #""urgency":1.5"#, #""modified":"20260101T000000Z""#]
      all.shuffle(using: &dice)
      lines.append("{" + all.joined(separator: dice.chance(20) ? ", " : ",") + "}")
    }
    let isList = dice.chance(70)
    text =
      isList
      ? "[\n" + lines.joined(separator: ",\n") + "\n]\n" : lines.joined(separator: "\n") + "\n"
  }
}

extension DicedFile {
  private static func cell(_ text: String, _ separator: String, _ dice: inout Dice) -> String {
    let needs = text.unicodeScalars.contains {
      "\"\r\n".unicodeScalars.contains($0) || String($0) == separator
    }
    guard needs || text != text.trimmingBlanks || dice.chance(20) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private mutating func write(_ rows: [[String]], _ dice: inout Dice) {
    let separator = [",", ",", ";", "\t"][dice.number(4)]
    let end = Self.ending(&dice)
    for row in rows {
      text += row.map { Self.cell($0, separator, &dice) }.joined(separator: separator) + end
    }
  }

  private static let notes = ["", "", "one\ntwo", "a, b", "\"q\"; r", "=SUM(A1)", "日本", " x "]

  private mutating func fillOwnTable(_ dice: inout Dice) {
    let header = [
      "Title", "List", "Done", "Priority", "Due", "Note", "Tags", "Created at", "Repeat", "Ref",
      "Ünit",
    ]
    let isOfPeople = dice.chance(30)
    var rows: [[String]] =
      [isOfPeople ? ["First name", "Last name", "Birthday", "Note", "Tags", "Phone"] : header]
    for _ in 0...dice.number(4) {
      let other = ["", "7", "a;b", "'x", "@y", "true"][dice.number(6)]
      if isOfPeople {
        rows.append([
          ["Ada", "Zoë", "O'Neil", "-", "日"][dice.number(5)] + "\(dice.number(99))", "King",
          ["1815-12-10", "--02-29", "", "1990-05-06"][dice.number(4)], Self.notes[dice.number(8)],
          ["", "a,b", "c"][dice.number(3)], other,
        ])
        came.append(other.isEmpty ? [:] : ["Phone": Self.guarded(other)])
        continue
      }
      let isDone = ["", "yes", "no"][dice.number(3)]
      let due = dice.chance(50) ? Self.day(&dice) : ""
      let repeats = isDone != "yes" && due != "" && dice.chance(50)
      rows.append([
        Self.title(&dice) + " \(dice.number(999))", ["", "Home", "a, b"][dice.number(3)],
        isDone, ["", "high", "low"][dice.number(3)], due, Self.notes[dice.number(8)],
        ["", "a,b", "c"][dice.number(3)], dice.chance(40) ? Self.day(&dice) + "T10:11:12Z" : "",
        repeats ? ["FREQ=WEEKLY", "FREQ=MONTHLY;BYDAY=-1FR"][dice.number(2)] : "", other,
        dice.chance(50) ? "5" : "",
      ])
      came.append(other.isEmpty ? [:] : ["Ref": Self.guarded(other)])
    }
    write(rows, &dice)
  }

  private static func guarded(_ cell: String) -> String {
    "@'".contains(cell.first ?? "x") && cell.contains(/^'*[@=+-]/) ? "'" + cell : cell
  }

  /// Fills a table from a program's sample, with random rows left out and random cells.
  private mutating func fillTable(of form: Form, _ dice: inout Dice) {
    let samples: [Form: ProgramSample] = [
      .todoist: .todoist, .tickTick: .tickTick, .asana: .asana, .trello: .trello,
      .microsoftToDo: .microsoftToDo, .notion: .notion, .things: .things, .clickUp: .clickUp,
      .outlook: .outlook, .reminders: .reminders, .thunderbird: .thunderbird,
      .googleContacts: .googleContacts, .outlookContacts: .outlookContacts,
    ]
    guard let sample = samples[form] else { return }
    let source = sample.text.replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
    var rows = WrittenParts.table(source.hasSuffix("\n") ? source : source + "\n")
    let header = rows.firstIndex { $0.count > 2 } ?? 0
    let width = rows[header].count
    for place in rows.indices.dropFirst(header + 1) where rows[place].count == width {
      // Changes cells from which no field is read.
      for column in rows[header].indices
      where ["Members", "Assignee", "Assign", "AUTHOR", "Business Phone", "Ünit"].contains(
        rows[header][column])
      {
        rows[place][column] = Self.title(&dice)
      }
    }
    rows[header].append("Ünit")
    for place in rows.indices.dropFirst(header + 1) {
      rows[place] += [String](repeating: "", count: max(0, width - rows[place].count))
      rows[place].append(dice.chance(50) ? Self.title(&dice) : "")
    }
    let end = Self.ending(&dice)
    for row in rows { text += row.map { Self.cell($0, ",", &dice) }.joined(separator: ",") + end }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    String(
      trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace)
        .reversed())
  }
}
