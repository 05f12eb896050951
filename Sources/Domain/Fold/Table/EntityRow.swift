/// An entity as a table holds it: what most of them have takes as much as a line of a processor's cache.
///
/// Events, writes and all else stand elsewhere in the table, at places given here.
struct EntityRow: Sendable {
  /// Stands for no place.
  static let none = UInt32.max
  /// Stands for a count where the rest has all writes.
  static let unchained = UInt8.max

  var source: Source?
  /// How many writes are chained.
  var writeCount: UInt8 = 0
  /// Narrowed; none for an alias, and while the event that adds it is not folded.
  var kind = none
  /// The event that added it.
  var birth = none
  /// The first of its writes.
  var writes = none
  /// The only event that gave it life, where there are not several.
  private var giver = none
  /// The only delete, where there are not several.
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

/// What a mark says of an entity.
enum MarkRole {
  case giver
  case delete
}

/// What few entities have.
struct EntityRest: Sendable {
  /// All its writes, where they are too many for a chain.
  var writes = SortedChunks<Stored>()
  var aliases = SortedChunks<EventKey>()
  var promises = SortedChunks<Entity.Promise>()
  /// The two entities that it joins as an alias.
  var joins: [EventKey] = []
  private var givers = SortedChunks<Mark>()
  private var deletes = SortedChunks<Mark>()

  /// The marks, where there are several.
  subscript(role: MarkRole) -> SortedChunks<Mark> {
    get { role == .giver ? givers : deletes }
    _modify {
      if role == .giver { yield &givers } else { yield &deletes }
    }
  }
}
