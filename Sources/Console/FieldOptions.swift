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
