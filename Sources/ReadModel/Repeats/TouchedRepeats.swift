internal import Domain
internal import SQLite

/// The to-dos of a commit on which rows of repeating to-dos can depend.
struct TouchedRepeats {
  /// The shown members of the to-dos that were written.
  private(set) var todos: Set<EventKey> = []
  /// The ``todos`` that have a rule.
  private(set) var series: Set<EventKey> = []
  /// The ``todos`` that are occurrences.
  private(set) var occurrences: Set<EventKey> = []
  /// The slots that the rows of ``todos`` showed before the commit.
  private(set) var slots: [EventKey: CivilDate] = [:]
  /// The owners of occurrences that were written or removed, as the occurrences name them.
  private(set) var owners: Set<EventKey> = []

  /// Notes the entity of a to-do.
  ///
  /// - Parameters:
  ///   - key: The entity.
  ///   - content: The content of the entity's document, if the document is alive and shown under the entity.
  mutating func note(_ key: EventKey, _ content: DocumentContent?) {
    todos.insert(key)
    guard let content else { return }
    if content.owner != nil {
      occurrences.insert(key)
    } else if content.hasRule {
      series.insert(key)
    }
  }

  /// Notes that the row of a to-do was replaced; nil means that there was no row.
  mutating func noteRow(_ key: EventKey, _ old: [SQLiteValue]?) {
    slots[key] = old.flatMap(SlotColumn.slot(in:))
  }

  /// Notes the owner in a row of `occurrence`.
  mutating func noteOwner(_ row: [SQLiteValue]?) {
    guard let row, case .integer(let log) = row[Self.owner],
      case .integer(let sequence) = row[Self.owner + 1]
    else { return }
    owners.insert(
      EventKey(log: UInt32(truncatingIfNeeded: log), sequence: UInt64(bitPattern: sequence)))
  }

  private static let owner: Int = {
    guard let place = OccurrenceTable.shape.columns.firstIndex(of: "owner_log") else {
      preconditionFailure("occurrences have owners")
    }
    return place
  }()
}
