/// An entity in a table.
///
/// The row contains what most entities need and has the size of one cache line. Everything else, such as events and
/// writes, is stored elsewhere in the table, at the places given in the row.
struct EntityRow: Sendable {
  /// The index that means "none".
  static let none = UInt32.max
  /// The write count of an entity whose writes are all in its ``EntityRest``.
  static let unchained = UInt8.max

  var source: Source?
  /// The number of writes in the chain, or `unchained`.
  var writeCount: UInt8 = 0
  /// The narrowed kind; `none` for an alias, and until the event that adds the entity is folded.
  var kind = none
  /// The place of the event that added the entity.
  var birth = none
  /// The place of the first write in the chain.
  var writes = none
  /// The place of the only giver; `none` if there are several or none.
  private var giver = none
  /// The place of the only delete; `none` if there are several or none.
  private var delete = none
  var rest = none
  private let log: UInt32
  private let sequence: UInt64

  init(_ key: EventKey) { (log, sequence) = (key.log, key.sequence) }

  var key: EventKey { EventKey(log: log, sequence: sequence) }

  subscript(role: MarkRole) -> UInt32 {
    get { role == .giver ? giver : delete }
    set { if role == .giver { giver = newValue } else { delete = newValue } }
  }
}

/// Whether a mark gave life to an entity or deleted it.
enum MarkRole {
  case giver
  case delete
}

/// The state that only a few entities have.
struct EntityRest: Sendable {
  /// All writes of the entity, if they are too many for a chain.
  var writes = SortedChunks<Stored>()
  var aliases = SortedChunks<EventKey>()
  var promises = SortedChunks<Entity.Promise>()
  /// The two entities that the entity joins, if it is an alias.
  var joins: [EventKey] = []
  private var givers = SortedChunks<Mark>()
  private var deletes = SortedChunks<Mark>()

  /// The marks of a role, if there are several.
  subscript(role: MarkRole) -> SortedChunks<Mark> {
    get { role == .giver ? givers : deletes }
    _modify {
      if role == .giver { yield &givers } else { yield &deletes }
    }
  }
}
