/// An event to be written.
///
/// With ``Draft/entity(addedBy:)``, a draft can refer to an entity that an earlier draft of the same command adds. The
/// caller that writes the drafts calls ``Draft/resolved(_:)`` to replace these references with the final references.
package struct Draft: Hashable, Sendable {
  package var body: Body

  package init(_ verb: Verb, _ target: Body.Target, _ writes: [Write] = []) {
    body = Body(verb, target, writes)
  }

  /// The log number that stands for the command being written; no log has this number.
  package static let ownLog = UInt32.max

  /// The name of the entity that the draft at an index of its command adds.
  package static func entity(addedBy place: Int) -> EventKey {
    EventKey(log: ownLog, sequence: UInt64(place))
  }

  /// The body with references to the command's own entities replaced by their final keys.
  ///
  /// `name` returns the event that the draft at an index becomes.
  package func resolved(_ name: (Int) -> EventKey) -> Body {
    var body = body
    if case .entity(let key) = body.target, key.log == Self.ownLog {
      body.target = .entity(name(Int(key.sequence)))
    }
    for place in body.writes.indices {
      guard let key = body.writes[place].value.reference, key.log == Self.ownLog else { continue }
      body.writes[place].value = .reference(name(Int(key.sequence)))
    }
    return body
  }
}

/// Decides the events that carry out a command, without writing them.
///
/// The same command on the same documents with the same dice produces the same drafts. An empty result means that the
/// command has nothing to change.
package func decide(
  _ command: Command, on shelf: some Shelf, dice: () -> UInt64
) throws(Refusal) -> [Draft] {
  switch command {
  case .add(let kind, let fields, let source):
    [try add(kind, fields, source: source, on: shelf)]
  case .addTodoInNewList(let fields, let name, let colour):
    try addTodo(fields, inNewList: name, colour, on: shelf)
  case .addQuestion(let fields, let choices): try addQuestion(fields, choices, on: shelf)
  case .edit(let key, let fields): try edit(try shelf.liveDocument(of: key), fields, on: shelf)
  case .setDone(let keys, let isDone, let day): try setDone(keys, isDone, on: day, on: shelf)
  case .cancel(let keys, let day): try cancel(keys, on: day, on: shelf)
  case .skip(let keys, let day): try skip(keys, on: day, on: shelf)
  case .editOccurrence(let key, let fields): try editOccurrence(key, fields, on: shelf)
  case .editSeries(let key, let fields): try editSeries(key, fields, on: shelf)
  case .setRepeat(let key, let fields): try setRepeat(key, fields, on: shelf)
  case .endRepeat(let key): try endRepeat(key, on: shelf)
  case .delete(let keys, let rule): try delete(keys, rule, on: shelf)
  case .restore(let key): try restore(key, on: shelf)
  case .revive(let key, let fields): try revive(key, fields, on: shelf)
  case .pick(let key): [try pick(key, on: shelf, dice: dice)]
  case .settle(let key, let field, let taking):
    try settle(try shelf.liveDocument(of: key), field, taking, on: shelf)
  case .settleLife(let key, let isKept):
    try settleLife(try shelf.liveDocument(of: key), isKept: isKept, on: shelf)
  case .join(let first, let second, let keepsBoth):
    try join(first, second, keepsBoth: keepsBoth, on: shelf)
  }
}

/// The event that adds an entity, with its fields in ascending order.
func add(
  _ kind: Kind, _ fields: [Field: Value], source: Source? = nil, on shelf: some Shelf
) throws(Refusal) -> Draft {
  guard let schema = Schema.schema(of: kind) else { throw .unknownKind(kind) }
  var fields = try completingDue(fields, of: kind, before: nil)
  let tags = try takeTags(from: &fields, of: nil, schema)
  var writes: [Write] = []
  for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
    let admitted = try admit(value, for: field, of: schema, on: shelf)
    if admitted != .null || isUnknownCompletion(field, admitted, beside: fields) {
      writes.append(Write(field, admitted))
    }
  }
  // An occurrence has the title of its series.
  let isOccurrence = kind == .todo && fields[.owner] ?? .null != .null
  for field in schema.fields where field.isRequired && !isOccurrence {
    guard writes.contains(where: { $0.field == field.field }) else {
      throw .required(kind, field.field)
    }
  }
  let present = Set(writes.map(\.field))
  if isEmptyBirthday(kind, holds: present.contains) { throw .empty(kind) }
  if let source {
    if let fault = ValueBounds.fault(of: source.value, in: .source) {
      throw .badValue(kind, .source, fault)
    }
    writes.insert(Write(.source, source.value), at: 0)
  }
  return Draft(.add, .kind(kind), writes + tags)
}

/// The value in the form in which it may be written; null if an optional field is cleared.
func admit(
  _ value: Value, for field: Field, of schema: KindSchema, on shelf: some Shelf
) throws(Refusal) -> Value {
  guard let fieldSchema = schema.field(field) else { throw .unknownField(schema.kind, field) }
  let admitted = try admit(value, for: fieldSchema, in: schema.kind)
  if admitted == .null, fieldSchema.isRequired { throw .required(schema.kind, field) }
  guard case .reference(let expected) = fieldSchema.type, let key = admitted.reference,
    key.log != Draft.ownLog
  else { return admitted }
  let referred = try shelf.liveDocument(of: key)
  guard referred.kind == expected else {
    throw .badReference(schema.kind, field, found: referred.kind)
  }
  return .reference(referred.key)
}

/// The value in the form in which it may be written, without a check of what it refers to.
func admit(_ value: Value, for field: FieldSchema, in kind: Kind) throws(Refusal) -> Value {
  do throws(ValueFault) {
    let admitted = try field.type.admit(value)
    if let fault = ValueBounds.fault(of: admitted, in: field.field) { throw fault }
    return admitted
  } catch {
    throw .badValue(kind, field.field, error)
  }
}

/// Whether a write clears the time of completion of a to-do that the same command marks as done.
///
/// Such a write records that the time is unknown; without it, the time of the event would count as the time of
/// completion.
func isUnknownCompletion(
  _ field: Field, _ value: Value, beside fields: [Field: Value]
) -> Bool {
  field == Field.Todo.completedAt && value == .null && fields[Field.Todo.done] == .boolean(true)
}

/// Whether a birthday would be left with neither a name nor a date.
func isEmptyBirthday(_ kind: Kind, holds: (Field) -> Bool) -> Bool {
  kind == .birthday && !holds(Field.Birthday.firstName) && !holds(Field.Birthday.lastName)
    && !holds(Field.Birthday.birthdate)
}

extension Value {
  /// Whether two values have the same bytes; strings that Swift regards as equal can differ.
  package func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    case (.texts(let left), .texts(let right)):
      left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    default: self == other
    }
  }
}
