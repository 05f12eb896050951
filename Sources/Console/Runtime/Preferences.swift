import Domain
import Phrasing
import Platform

/// The user's settings for all records, from a file of lines such as `leap-rule = march-1`.
struct Preferences: Equatable {
  /// The rule for birthdays on 29 February that have no rule of their own.
  var leapRule = LeapRule.february28
  /// How long before a birthday to remind the user of it, unless the birthday has its own lead times.
  var lead = LeadTimes.usual
  /// When to remind the user of a to-do, as times before it is due, unless the to-do has its own lead times.
  var todoLeads = ReminderLeads.usual

  /// An unusable line, and the reason.
  struct Fault: Equatable {
    let line: Int
    let text: String
  }

  static let names = ["leap-rule", "remind.lead", "remind.todo"]

  init() {}

  /// Parses the text of a file; a faulty line does not affect the others.
  init(_ text: String, faults: inout [Fault]) {
    var lines: [String: Int] = [:]
    for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.prefix { $0 != "#" }
      if words.allSatisfy(\.isWhitespace) { continue }
      let parts = words.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
      if let wrong = take(parts[0], parts.count == 2 ? parts[1] : nil) {
        faults.append(Fault(line: place + 1, text: wrong))
      } else if let earlier = lines.updateValue(place + 1, forKey: parts[0]) {
        faults.append(
          Fault(line: earlier, text: "line \(place + 1) sets \(parts[0].visible) again."))
      }
    }
  }

  /// Applies one setting.
  ///
  /// - Returns: The fault of the setting; nil if it has none.
  private mutating func take(_ name: String, _ value: String?) -> String? {
    guard let value else { return "'\(name.visible)' is not a setting. Write NAME = VALUE." }
    switch name {
    case "leap-rule":
      guard let rule = LeapRule(words: value) else {
        return "leap-rule cannot be '\(value.visible)'. Use february-28 or march-1."
      }
      leapRule = rule
    case "remind.lead":
      guard let times = LeadTimes(value.split(separator: ",").map(String.init)) else {
        return "remind.lead cannot be '\(value.visible)'. \(LeadTimes.advice)"
      }
      lead = times
    case "remind.todo":
      guard let leads = ReminderLeads(value.split(separator: ",").map(String.init)) else {
        return "remind.todo cannot be '\(value.visible)'. \(ReminderLeads.advice)"
      }
      todoLeads = leads
    default:
      return "no setting is called '\(name.visible)'."
        + guess(Spelling.nearest(to: name, among: Self.names))
    }
    return nil
  }
}

extension Preferences {
  private static let limit = 1 << 16

  /// Reads the user's settings, and reports and skips faulty lines.
  static func read(in environment: CommandEnvironment, note: (String) -> Void) -> Preferences {
    guard let path = environment.configurationFolder.map({ $0 / "daybook" / "config" }) else {
      return Preferences()
    }
    let disk = environment.machine.disk
    let bytes: [UInt8]
    do {
      guard try disk.status(path) != nil else { return Preferences() }
      bytes = try disk.contents(of: path, limit: limit)
    } catch {
      note("the settings cannot be read, so none apply: \(Told(ofAny: error).text)")
      return Preferences()
    }
    var faults: [Fault] = []
    let preferences = Preferences(String(decoding: bytes, as: UTF8.self), faults: &faults)
    for fault in faults {
      note("\(path.string.visible), line \(fault.line) is ignored: \(fault.text)")
    }
    return preferences
  }
}
