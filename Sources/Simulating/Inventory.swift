import Bytes
import Journaling
import Platform

/// Every event that a book's folder holds, as a reader finds it that knows nothing of before.
struct Inventory {
  /// Where each event stands, by the chain hash there, which no two events share.
  private(set) var events: [Digest: Spot] = [:]

  /// The adds of the records that the book's logs say are erased.
  private(set) var erased: Set<EventName> = []

  /// Events that are about a record that is erased, and have their bodies.
  private(set) var exposed: Set<Digest> = []
  /// What was erased, as those who strip are told.
  private var erasures = Erasures()
  /// Whether an event is known to be of another device's log than the one it was read from.
  private let isForeign: (Digest, UniqueID) -> Bool

  /// An event's place in the log it was read from.
  struct Spot: Hashable {
    var name: EventName
    /// Whether its body was taken out.
    var isStripped: Bool
    /// The file it was read from, and the bytes of its frame there.
    var file: Path
    var bytes: Range<Int>

    var words: String { "\(name.log.hex.prefix(8)) \(name.sequence)" }
  }

  /// Reads all logs, those of devices nobody has admitted among them, and looks for what is left of some records.
  ///
  /// A whole frame that a disk has put into another log's file may be taken for one of that log, until the log's own is
  /// back; it is not held by that.
  init(
    of folder: Path, on machine: Machine, lookingFor gone: Set<EventName> = [],
    except isForeign: @escaping (Digest, UniqueID) -> Bool = { _, _ in false }
  ) throws(JournalError) {
    self.isForeign = isForeign
    // Which event took them does not matter.
    let nobody = UniqueID(high: 0, low: 0)
    for name in gone { erasures.insert(name, by: Landmark(log: nobody, sequence: 1, hash: nobody)) }
    let journal = try Journal(at: folder, on: machine)
    for (log, end) in journal.aside { try read(log, upTo: end, in: journal, isAside: true) }
    for (log, end) in journal.logs { try read(log, upTo: end, in: journal, isAside: false) }
  }

  private mutating func read(
    _ log: UniqueID, upTo end: LogEnd, in journal: borrowing Journal, isAside: Bool
  ) throws(JournalError) {
    let (lineage, last) = (journal.lineage(of: log), end.sequence)
    let first = lineage.first
    guard first <= last else { return }
    var reader = try journal.reader(of: log)
    do throws(DiskError) {
      while let read = try reader.read(), read.frame.firstSequence <= last {
        let bytes = read.offset..<read.offset + read.frame.length
        let gone =
          erasures.isEmpty
          ? [:] : read.frame.stripping(erasures, in: journal.scope(of: read.frame, in: log)).bodies
        for event in read.frame.events
        where (first...last).contains(event.sequence) && !isForeign(event.hash, lineage.replica) {
          events[event.hash] = Spot(
            name: EventName(log: log, sequence: event.sequence), isStripped: event.isStripped,
            file: read.file, bytes: bytes)
          if gone[event.sequence] != nil { exposed.insert(event.hash) }
          if !isAside, let name = Self.erased(by: event, of: log, in: read.frame, end.table) {
            erased.insert(name)
          }
        }
      }
    } catch {
      throw .disk(error)
    }
  }

  /// The add of the record that an event erases, if it does that.
  private static func erased(
    by event: EventRecord, of log: UniqueID, in frame: Frame, _ table: [UniqueID]
  ) -> EventName? {
    let body = frame.content.span.extracting(event.body)
    guard let verb = event.verb, JournalVerb.trust.contains(verb),
      case .erase(let target)? = try? TrustVerb.decode(body)
    else { return nil }
    guard let index = target.index else { return EventName(log: log, sequence: target.sequence) }
    // An index beyond the table names nothing.
    guard index < UInt64(table.count) else { return nil }
    return EventName(log: table[Int(index)], sequence: target.sequence)
  }

  var hashes: Set<Digest> { Set(events.keys) }
}
