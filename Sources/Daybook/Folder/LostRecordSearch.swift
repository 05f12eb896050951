import Bytes
import Domain
import Journaling
import ReadModel

/// Finds the records that missing events added, in copies of the read model from before the loss.
///
/// Events of different branches can have the same sequences. Therefore a record is not lost if the event that added it
/// is held, even if a missing event has the same sequence. Such a record may be absent from the current view, for
/// example after a revocation.
struct LostRecordSearch {
  private struct Found {
    var event: EventName
    var title: String
  }

  /// The missing events, by replica.
  private let events: [UniqueID: [ClosedRange<UInt64>]]
  private let limit: Int
  private let current: ReadModel
  private let tree: LogTree
  /// The records found so far, by the ids of the entities that the events added.
  private var found: [UniqueID: Found] = [:]

  /// The number of entities that are read at a time.
  private static let portion = 256

  /// Prepares a search for the records that missing events added.
  ///
  /// - Parameters:
  ///   - events: The missing events, by replica.
  ///   - limit: The maximum number of records.
  ///   - current: The current view.
  ///   - tree: The logs.
  init(
    for events: [UniqueID: [ClosedRange<UInt64>]], upTo limit: Int, notIn current: ReadModel,
    _ tree: LogTree
  ) {
    (self.events, self.limit, self.current, self.tree) = (events, limit, current, tree)
  }

  /// The titles of the records, in the order of the events.
  var titles: [String] { found.values.sorted { $0.event < $1.event }.map(\.title) }

  /// Searches a copy of the read model.
  mutating func add(_ copy: ReadModel) throws(ReadModelError) {
    var lost: [EventKey: (id: UniqueID, event: EventName)] = [:]
    for position in try copy.logs.positions() {
      for range in events[position.replica] ?? [] {
        let wanted = limit - found.count - lost.count
        for entity in try lostEntities(of: position, in: range, upTo: wanted, copy) {
          lost[entity.shown] = (entity.id, EventName(log: position.id, sequence: entity.sequence))
        }
      }
    }
    let records = try copy.records.hydrate(
      Set(lost.keys), causality: try copy.logs.causality())
    for (key, entity) in lost {
      guard let title = records.document(of: key)?.title else { continue }
      found[entity.id] = Found(event: entity.event, title: title)
    }
  }

  private struct LostEntity {
    var sequence: UInt64
    var id: UniqueID
    /// The shown member of the entity's document.
    var shown: EventKey
  }

  /// Finds entities that missing events of one log added.
  private func lostEntities(
    of position: LogPosition, in range: ClosedRange<UInt64>, upTo count: Int, _ copy: ReadModel
  ) throws(ReadModelError) -> [LostEntity] {
    var lost: [LostEntity] = []
    var next = range.lowerBound
    while lost.count < count, next <= range.upperBound {
      let portion = try copy.documents.added(
        in: position.number, next...range.upperBound, upTo: Self.portion)
      for entity in portion where lost.count < count {
        let sequence = entity.entity.sequence
        // An event that cannot be read counts as not held.
        let isHeld = try? tree.holdsAdd(of: entity.id, at: sequence, by: position.replica)
        guard isHeld != true, let id = try lostID(of: entity.shown, copy), found[id] == nil else {
          continue
        }
        lost.append(LostEntity(sequence: sequence, id: id, shown: entity.shown))
      }
      guard portion.count == Self.portion, let last = portion.last?.entity.sequence else { break }
      next = last + 1
    }
    return lost
  }

  /// The first id of a document in a copy; nil if the document is in the current view.
  private func lostID(
    of key: EventKey, _ copy: ReadModel
  ) throws(ReadModelError) -> UniqueID? {
    let ids = try copy.documents.memberIDs(of: key)
    for id in ids where try current.documents.document(id: id) != nil { return nil }
    return ids.first
  }
}
