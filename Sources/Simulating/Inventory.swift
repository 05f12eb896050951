import Bytes
import Journaling
import Platform

/// Every event that a book's folder holds, as a reader finds it that knows nothing of before.
struct Inventory {
  /// Where each event stands, by the chain hash there, which no two events share.
  private(set) var events: [Digest: Spot] = [:]

  /// The adds of the records that the book's logs say are erased, in the logs that those who erased them name.
  private(set) var erased: Set<Landmark> = []

  /// Events that are about a record that is erased, and have their bodies.
  private(set) var exposed: Set<Digest> = []
  /// What was erased, as those who strip are told.
  private var erasures = Erasures()

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
  init(
    of folder: Path, on machine: Machine, lookingFor gone: Set<Landmark> = []
  ) throws(JournalError) {
    let journal = try Journal(at: folder, on: machine)
    // Which event took them does not matter.
    let nobody = Landmark(log: .none, sequence: 1, hash: .none)
    for add in gone {
      if let name = try Self.name(of: add, in: journal) { erasures.insert(name, by: nobody) }
    }
    for (log, end) in journal.aside { try read(log, upTo: end, in: journal, isAside: true) }
    for (log, end) in journal.logs { try read(log, upTo: end, in: journal, isAside: false) }
  }

  /// Where an add is held; where it is not, it is named as by those who erased it, unless another one is there.
  private static func name(
    of add: Landmark, in journal: borrowing Journal
  ) throws(JournalError) -> EventName? {
    let replica = journal.lineage(of: add.log).replica
    var isTaken = false
    for log in Array(journal.logs.keys) + journal.aside.keys
    where journal.lineage(of: log).replica == replica {
      guard let hash = try journal.hash(of: log, at: add.sequence)?.prefix16 else { continue }
      if hash == add.hash { return EventName(log: log, sequence: add.sequence) }
      if log == add.log { isTaken = true }
    }
    return isTaken ? nil : EventName(log: add.log, sequence: add.sequence)
  }

  private mutating func read(
    _ log: UniqueID, upTo end: LogEnd, in journal: borrowing Journal, isAside: Bool
  ) throws(JournalError) {
    let (first, last) = (journal.lineage(of: log).first, end.sequence)
    guard first <= last else { return }
    var reader = try journal.reader(of: log)
    do throws(DiskError) {
      while let read = try reader.read(), read.frame.firstSequence <= last {
        let bytes = read.offset..<read.offset + read.frame.length
        let gone =
          erasures.isEmpty
          ? [:] : read.frame.stripping(erasures, in: journal.scope(of: read.frame, in: log)).bodies
        for event in read.frame.events
        where (first...last).contains(event.sequence) {
          events[event.hash] = Spot(
            name: EventName(log: log, sequence: event.sequence), isStripped: event.isStripped,
            file: read.file, bytes: bytes)
          if gone[event.sequence] != nil { exposed.insert(event.hash) }
          if !isAside, let add = Self.erased(by: event, of: log, in: read.frame, end.table) {
            erased.insert(add)
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
  ) -> Landmark? {
    let body = frame.content.span.extracting(event.body)
    guard let verb = event.verb, JournalVerb.trust.contains(verb),
      case .erase(let target, let add?)? = try? TrustVerb.decode(body)
    else { return nil }
    var author = log
    if let index = target.index {
      // An index beyond the table names nothing.
      guard index < UInt64(table.count) else { return nil }
      author = table[Int(index)]
    }
    return Landmark(log: author, sequence: target.sequence, hash: add)
  }

  var hashes: Set<Digest> { Set(events.keys) }
}
