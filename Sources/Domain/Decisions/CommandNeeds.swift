/// The records that commands need.
///
/// Commands also need the records to which these records refer.
package struct CommandNeeds {
  /// The entities to which the commands refer.
  package let named: Set<EventKey>
  /// The to-dos whose repeat rules the commands need.
  package let repeating: Set<EventKey>
  /// The to-dos that the commands open again.
  package let opened: Set<EventKey>
  /// The to-dos under which the commands put other to-dos; their ancestors show whether that is allowed.
  package let parents: Set<EventKey>

  package init(of commands: [Command]) {
    named = Set(commands.flatMap(\.named))
    repeating = Set(commands.flatMap(\.repeatingTodos))
    opened = Set(commands.flatMap(\.openedTodos))
    parents = Set(commands.compactMap(\.newParent))
  }
}

extension Command {
  /// The to-do under which the command puts another to-do; its ancestors show whether that is allowed.
  fileprivate var newParent: EventKey? {
    switch self {
    case .edit(_, let fields), .editSeries(_, let fields), .revive(_, let fields):
      fields[Field.Todo.parent]?.reference
    default: nil
    }
  }

  /// The to-dos whose repeat rules the command needs.
  fileprivate var repeatingTodos: [EventKey] {
    switch self {
    case .setDone(let keys, _, _), .cancel(let keys, _), .skip(let keys, _): keys
    case .editOccurrence(let key, _), .editSeries(let key, _), .setRepeat(let key, _),
      .endRepeat(let key):
      [key]
    default: []
    }
  }

  /// The entities to which the command refers.
  fileprivate var named: [EventKey] {
    switch self {
    case .add(_, let fields, _), .addTodoInNewList(let fields, _, _):
      fields.values.compactMap(\.reference)
    case .addQuestion: []
    case .edit(let key, let fields), .revive(let key, let fields):
      [key] + fields.values.compactMap(\.reference)
    case .setDone(let keys, _, _), .cancel(let keys, _), .skip(let keys, _), .delete(let keys, _):
      keys
    case .restore(let key), .pick(let key), .settleLife(let key, _), .endRepeat(let key): [key]
    case .editOccurrence(let key, let fields), .editSeries(let key, let fields),
      .setRepeat(let key, let fields):
      [key] + fields.values.compactMap(\.reference)
    case .settle(let key, _, .value(let value)): [key] + [value.reference].compactMap(\.self)
    case .settle(let key, _, .write): [key]
    case .join(let key, let other, _): [key, other]
    }
  }

  fileprivate var openedTodos: [EventKey] {
    if case .setDone(let keys, false, _) = self { keys } else { [] }
  }
}
