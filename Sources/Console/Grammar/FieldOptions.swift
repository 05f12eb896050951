import Domain

/// The fields of all kinds as options.
enum FieldOptions {
  struct Entry: Sendable {
    let isRepeatable: Bool
  }

  /// What can be set by `edit`, whatever the kind.
  static let named: [String: Entry] = {
    var named: [String: Entry] = [:]
    for kind in Schema.kinds {
      for field in settable(of: kind) {
        let isRepeatable = if case .texts = field.type { true } else { false }
        named[field.optionName] = Entry(isRepeatable: isRepeatable)
      }
    }
    for (other, name) in otherNames { named[other] = named[name] }
    return named
  }()

  /// Options that mean a field under another name.
  static let otherNames = ["tag": "tags"]

  /// What can be set of each kind, in words.
  static let byKind: [(kind: String, options: String)] = Schema.kinds.compactMap { kind in
    let options = settable(of: kind).map { "--\($0.optionName)" }
    return options.isEmpty ? nil : (kind.name, options.joined(separator: ", "))
  }

  /// How the values are said that are no plain text.
  static let advice = [
    "Dates are said as for add. --priority is low, normal or high; --done is yes or no; --colour is such as "
      + "#3366cc or teal.",
    "--leap-rule is february-28 or march-1; --lead is days before a birthday, such as 7,1,0, or none.",
    "Several tags are said as --tags A,B or --tag A --tag B, and take the place of all there were;",
    "--tags +C adds one to them, and --tags=-C takes one away.",
  ]

  /// The option of a kind that is meant by one that it does not have.
  static func meant(by option: String, of kind: KindSchema) -> String? {
    let names = settable(of: kind).map(\.optionName)
    // What is called so of one kind is called otherwise of the next.
    let titles = ["title", "name", "content", "first-name"]
    let title = titles.contains(option) ? titles.first(where: names.contains) : nil
    return title ?? Spelling.nearestOption(to: option, among: names)
  }

  /// The fields of a kind that a command line can write.
  static func settable(of kind: KindSchema) -> [FieldSchema] {
    kind.fields.filter { field in
      switch field.type {
      case .bytes, .map: false
      default: !field.isFixed
      }
    }
  }
}
