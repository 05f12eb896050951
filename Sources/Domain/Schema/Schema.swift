/// The names and fields of each kind.
package enum Schema {
  /// The version of the schema.
  ///
  /// The version increases with every kind, field, verb or form of value that this program learns, so that data folded
  /// without this knowledge is folded again.
  package static let version: Int64 = 5

  /// The largest values that a command can write.
  ///
  /// A larger value in a log is not refused, but the fold ignores it; see ``ValueBounds``.
  package enum Limit {
    package static let titleBytes = 4096
    package static let noteBytes = 65_536
    package static let tags = 64
    package static let tagBytes = 256
    package static let mapBytes = 65_536
    package static let drawBytes = 524_288
    /// The maximum number of bytes of a value of any other form.
    package static let otherBytes = 4096
    /// The largest weight; every JSON reader represents integers up to this number exactly.
    package static let weight: Int64 = 1 << 53
    /// The maximum number of deletes of a member, and of its givers, that can be in dispute.
    package static let disputedMarks = 16
    /// The maximum number of a document's events that can settle a dispute; each of these events has one bit.
    package static let settlers = UInt64.bitWidth
  }

  package static let kinds = [birthday, list, todo, question, choice, pick]

  package static func schema(of kind: Kind) -> KindSchema? {
    // The index of a kind in the table is its number.
    kind.rawValue < kinds.count ? kinds[Int(kind.rawValue)] : nil
  }

  /// The schema of the kind with the given name, in the singular or plural.
  package static func schema(named name: String) -> KindSchema? {
    kinds.first { $0.name == name || $0.plural == name }
  }

  package static func field(_ field: Field, of kind: Kind) -> FieldSchema? {
    schema(of: kind)?.field(field)
  }

  /// The integer of a value of a field, or the integer that its absence stands for.
  ///
  /// The result is nil if the type of the field does not allow the integer. For an unknown kind or field, the integer
  /// is returned unchanged.
  package static func integer(_ value: Value, of field: Field, in kind: Kind) -> Int64? {
    guard let schema = schema(of: kind), let place = schema.place(of: field) else {
      return value.integer
    }
    let shown = value == .null ? schema.fields[place].valueWhenAbsent : value
    guard let number = shown.integer else { return nil }
    guard let range = schema.fields[place].type.integers else { return number }
    return range.contains(number) ? number : nil
  }

  /// Whether a kind has a field whose type allows the value.
  static func takes(_ value: Value, in field: Field, of kind: Kind) -> Bool {
    guard kind.rawValue < kinds.count else { return false }
    guard let place = kinds[Int(kind.rawValue)].place(of: field) else {
      return field.isTag && tag.takes(value)
    }
    return kinds[Int(kind.rawValue)].fields[place].type.takes(value)
  }

  private static let title = FieldType.text(
    maximumBytes: ValueBounds.textBytes(in: Field.Todo.title))

  fileprivate static let tag = FieldType.tag(maximumBytes: Limit.tagBytes)

  // The fields that all kinds have.
  private static let common = [
    FieldSchema(.note, "note", .text(maximumBytes: ValueBounds.textBytes(in: .note))),
    FieldSchema(
      .tags, "tags", .texts(maximumCount: Limit.tags, maximumBytes: Limit.tagBytes)),
    FieldSchema(.extra, "extra", .map(maximumBytes: ValueBounds.encodedBytes(in: .extra))),
  ]

  private static let birthday = KindSchema(
    .birthday, "birthday", "birthdays",
    [
      FieldSchema(Field.Birthday.firstName, "firstName", title),
      FieldSchema(Field.Birthday.lastName, "lastName", title),
      FieldSchema(Field.Birthday.birthdate, "birthdate", .date),
      FieldSchema(Field.Birthday.leapRule, "leapRule", .leapRule),
      FieldSchema(
        Field.Birthday.lead, "lead",
        .texts(maximumCount: Limit.tags, maximumBytes: Limit.tagBytes)),
    ] + common)

  private static let list = KindSchema(
    .list, "list", "lists",
    [
      FieldSchema(Field.List.name, "name", title, isRequired: true),
      FieldSchema(Field.List.colour, "colour", .colour),
    ] + common)

  private static let todo = KindSchema(
    .todo, "todo", "todos",
    [
      FieldSchema(Field.Todo.title, "title", title, isRequired: true),
      FieldSchema(Field.Todo.list, "list", .reference(.list)),
      FieldSchema(Field.Todo.done, "done", .boolean, otherwise: .boolean(false)),
      FieldSchema(Field.Todo.completedAt, "completedAt", .instant, isQuiet: true),
      FieldSchema(Field.Todo.priority, "priority", .priority, otherwise: .integer(1)),
      FieldSchema(Field.Todo.createdAt, "createdAt", .instant, isQuiet: true),
      FieldSchema(Field.Todo.due, "due", .date),
      FieldSchema(
        Field.Todo.position, "position", .integer(Int64.min...Int64.max), isQuiet: true),
      FieldSchema(Field.Todo.dueTime, "dueTime", .minute, option: "time"),
      FieldSchema(Field.Todo.zone, "zone", title, option: "due-zone"),
      FieldSchema(Field.Todo.start, "start", .date),
      FieldSchema(Field.Todo.repeat, "repeat", .repeatRule),
      FieldSchema(Field.Todo.until, "until", .date),
      FieldSchema(Field.Todo.slot, "slot", .date, isFixed: true),
      FieldSchema(Field.Todo.closedOn, "closedOn", .date, isQuiet: true),
      FieldSchema(
        Field.Todo.cancelled, "cancelled", .boolean, otherwise: .boolean(false),
        isListedByDefault: false),
      FieldSchema(
        Field.Todo.remind, "remind",
        .texts(maximumCount: Limit.tags, maximumBytes: Limit.tagBytes)),
      FieldSchema(Field.Todo.parent, "parent", .reference(.todo), option: "under"),
      FieldSchema(.owner, "series", .reference(.todo), isFixed: true),
    ] + common)

  private static let question = KindSchema(
    .question, "question", "questions",
    [FieldSchema(Field.Question.content, "content", title, isRequired: true)] + common)

  private static let choice = KindSchema(
    .choice, "choice", "choices",
    [
      FieldSchema(.owner, "question", .reference(.question), isRequired: true, isFixed: true),
      FieldSchema(Field.Choice.name, "name", title, isRequired: true),
      FieldSchema(
        Field.Choice.weight, "weight", .integer(0...Limit.weight), otherwise: .integer(1)),
    ] + common)

  private static let pick = KindSchema(
    .pick, "pick", "picks",
    [
      FieldSchema(.owner, "question", .reference(.question), isRequired: true, isFixed: true),
      FieldSchema(
        Field.Pick.choice, "choice", .reference(.choice), isRequired: true, isFixed: true),
      FieldSchema(
        Field.Pick.draw, "draw",
        .bytes(maximumBytes: ValueBounds.byteCount(in: Field.Pick.draw)), isFixed: true),
    ] + common)
}

/// The names and fields of one kind.
package struct KindSchema: Sendable {
  package let kind: Kind
  package let name: String
  package let plural: String
  package let fields: [FieldSchema]
  /// The index in `fields` for each field number.
  private let places: [Int?]

  fileprivate init(_ kind: Kind, _ name: String, _ plural: String, _ fields: [FieldSchema]) {
    let last = Int(fields.map(\.field.rawValue).max() ?? 0)
    places = (0...last).map { number in fields.firstIndex { $0.field.rawValue == number } }
    self.kind = kind
    self.name = name
    self.plural = plural
    self.fields = fields
  }

  /// The schema of a field or of the register of a tag, which ``fields`` does not list.
  package func field(_ field: Field) -> FieldSchema? {
    field.isTag
      ? FieldSchema(field, "tags", Schema.tag, isQuiet: true) : place(of: field).map { fields[$0] }
  }

  /// The index of a field in `fields`.
  func place(of field: Field) -> Int? {
    places.indices.contains(Int(field.rawValue)) ? places[Int(field.rawValue)] : nil
  }

  /// The field with a name such as `firstName`.
  package func field(named name: String) -> FieldSchema? { fields.first { $0.name == name } }

  /// The field that a command-line option such as `first-name` sets.
  package func field(forOption option: String) -> FieldSchema? {
    fields.first { $0.optionName == option }
  }

  /// The field that refers to the parent; the entity is hidden with its parent.
  ///
  /// The parent of a to-do is its list. An occurrence also belongs to its series, which its field `series` names.
  package var parentField: FieldSchema? {
    fields.first { $0.field == (kind == .todo ? Field.Todo.list : .owner) }
  }
}

/// The name and type of a field, and the restrictions on writing it.
package struct FieldSchema: Sendable {
  package let field: Field
  /// The name in JSON: `firstName`.
  package let name: String
  /// The name on the command line: `first-name`.
  package let optionName: String
  package let type: FieldType
  /// Whether the field must have a value.
  package let isRequired: Bool
  /// Whether the field shows its latest write and never conflicts.
  package let isQuiet: Bool
  /// Whether only the event that adds an entity can write the field.
  package let isFixed: Bool
  /// The value that a missing value stands for.
  package let valueWhenAbsent: Value
  /// Whether a list of all fields shows the field if its value is missing and another value stands for it.
  package let isListedByDefault: Bool

  fileprivate init(
    _ field: Field, _ name: String, _ type: FieldType, option: String? = nil,
    isRequired: Bool = false, isQuiet: Bool = false, isFixed: Bool = false,
    otherwise: Value = .null, isListedByDefault: Bool = true
  ) {
    self.field = field
    self.name = name
    optionName =
      option
      ?? name.reduce(into: "") { option, letter in
        option += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
      }
    self.type = type
    self.isRequired = isRequired
    self.isQuiet = isQuiet
    self.isFixed = isFixed
    valueWhenAbsent = otherwise
    self.isListedByDefault = isListedByDefault
  }

  /// The value, or the value that its absence stands for; tags in the order in which they are shown.
  package func meaning(of value: Value) -> Value {
    if field == .tags, case .texts(let texts) = value {
      let tags = Tag.sorted(texts)
      return tags.isEmpty ? .null : .texts(tags)
    }
    return value == .null ? valueWhenAbsent : value
  }
}
