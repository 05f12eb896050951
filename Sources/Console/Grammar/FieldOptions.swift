import Domain
import Phrasing

/// The fields of all kinds, as options.
enum FieldOptions {
  struct Entry: Sendable {
    let isRepeatable: Bool
  }

  /// The options that `edit` accepts, for all kinds together.
  static let named: [String: Entry] = {
    var named: [String: Entry] = [:]
    for kind in Schema.kinds {
      for field in settable(of: kind) {
        let isRepeatable = if case .texts = field.type { true } else { false }
        named[field.optionName] = Entry(isRepeatable: isRepeatable)
      }
    }
    for option in ofSingleTags { named[option] = Entry(isRepeatable: true) }
    return named
  }()

  /// The options that add and remove single tags of a record of any kind.
  static let ofSingleTags = ["tag", "untag"]

  /// The letters of fields, which are the letters of `add todo`.
  static let letters: [Character: String] = [
    "d": "due", "l": "list", "p": "priority", "t": "tag",
  ]

  /// The options of each kind, as shown in the help.
  static let byKind: [(kind: String, options: String)] = Schema.kinds.compactMap { kind in
    let options = settable(of: kind).flatMap { field in
      let singles = field.field == .tags ? ofSingleTags : []
      return ([field.optionName] + singles).map { "--\($0)" }
    }
    return options.isEmpty ? nil : (kind.name, options.joined(separator: ", "))
  }

  /// The help on how to write values that are not plain text.
  static let advice = [
    "Dates are written as in the 'add' commands. "
      + "--priority is 'low', 'normal' or 'high'; --done is 'yes' or 'no'; --colour is, for example, '#3366cc' or 'teal'.",
    "--leap-rule is 'february-28' or 'march-1'; --lead is how many days before a birthday to remind you of it, such as '7,1,0', or 'none'.",
    "--time is a time of day such as '17:00'; --due 'fri 17:00' sets the date and the time. "
      + "--due-zone is the time zone of the due time, such as 'Europe/Berlin'.",
    "--remind is how long before the due time to remind you, such as '1d,2h,0', or 'none'. In --due, --time and --due-zone, 'none' clears the date, the time or the zone.",
    "--start hides a to-do until a day; '-3d' and '-2w' count back from its due date, and 'none' clears the start.",
    "--repeat is how a to-do repeats, such as 'every mon'; 'none' ends the repeats after the current date. "
      + "--until is the last day of the repeats. 'daybook help repeats' lists the forms.",
    "--under makes a to-do a sub-task of another to-do; with 'none', it is no longer a sub-task.",
    "--tag A,B adds tags, and --untag A,B removes tags. --tags A,B sets these tags and removes all others; "
      + "--tags +A,-B adds A and removes B.",
    "-d, -l, -p and -t stand for --due, --list, --priority and --tag.",
  ]

  /// Returns the option to suggest in place of an option that the kind does not have.
  static func meant(by option: String, of kind: KindSchema) -> String? {
    let names = settable(of: kind).map(\.optionName)
    // The kinds have different names for their titles.
    let titles = ["title", "name", "content", "first-name"]
    let title = titles.contains(option) ? titles.first(where: names.contains) : nil
    return title ?? Spelling.nearestOption(to: option, among: names)
  }

  /// Returns the fields of a kind that can be set on a command line.
  static func settable(of kind: KindSchema) -> [FieldSchema] {
    kind.fields.filter { field in
      switch field.type {
      case .bytes, .map: false
      default: !field.isFixed
      }
    }
  }
}
