import Bytes
import Journaling
import Platform

/// All events in a book's folder, as read without prior knowledge.
struct Inventory {
  /// The locations of the events, by chain hash.
  ///
  /// No two events share a chain hash.
  private(set) var events: [Digest: Spot] = [:]

  /// The `add` events of the records that the book's logs erase, as named by the `erase` events.
  private(set) var erased: Set<Landmark> = []

  /// The events that belong to an erased record and still have their bodies.
  private(set) var exposed: Set<Digest> = []
  /// The erasures to look for, in the form that stripping uses.
  private var erasures = Erasures()

  /// The position of an event in its log, and its location in a file.
  struct Spot: Hashable {
    var name: EventName
    /// Whether the body was stripped.
    var isStripped: Bool
    /// Whether the log is set aside, because no member has admitted its key.
    var isAside: Bool
    /// The file from which the event was read; `bytes` is the range of the frame in this file.
    var file: Path
    var bytes: Range<Int>

    var words: String { "\(name.log.hex.prefix(8)) \(name.sequence)" }
  }

  /// Reads all logs, including those set aside.
  ///
  /// - Parameters:
  ///   - folder: The folder of the book.
  ///   - machine: The machine that reads.
  ///   - gone: The `add` events of erased records, to find events that still have their bodies.
  /// - Throws: ``JournalError`` if a log cannot be read.
  init(
    of folder: Path, on machine: Machine, lookingFor gone: Set<Landmark> = []
  ) throws(JournalError) {
    let journal = try Journal(at: folder, on: machine)
    // Which event erased them does not matter.
    let nobody = Landmark(log: .none, sequence: 1, hash: .none)
    for add in gone {
      if let name = try Self.name(of: add, in: journal) { erasures.insert(name, by: nobody) }
    }
    for (log, end) in journal.aside { try read(log, upTo: end, in: journal, isAside: true) }
    for (log, end) in journal.logs { try read(log, upTo: end, in: journal, isAside: false) }
  }

  /// The name of a stored `add` event.
  ///
  /// If the station does not have the event, this is the name in the `erase` event, or nil if the log has a different
  /// event there.
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
      while let read = try reader.read(), read.firstSequence <= last {
        let bytes = read.offset..<read.offset + read.frame.length
        let gone =
          erasures.isEmpty
          ? [:] : read.frame.stripping(erasures, in: journal.scope(of: read.frame, in: log)).bodies
        for event in read.events
        where (first...last).contains(event.sequence) {
          events[event.hash] = Spot(
            name: EventName(log: log, sequence: event.sequence), isStripped: event.isStripped,
            isAside: isAside, file: read.file, bytes: bytes)
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

  /// The `add` event of the record that an event erases; nil if the event is not an `erase`.
  private static func erased(
    by event: EventRecord, of log: UniqueID, in frame: Frame, _ table: [UniqueID]
  ) -> Landmark? {
    let body = frame.content.span.extracting(event.body)
    guard let verb = event.verb, JournalVerb.trust.contains(verb),
      case .erase(let target, let add?)? = try? TrustVerb.decode(body)
    else { return nil }
    var author = log
    if let index = target.index {
      // An index beyond the table does not refer to a log.
      guard index < UInt64(table.count) else { return nil }
      author = table[Int(index)]
    }
    return Landmark(log: author, sequence: target.sequence, hash: add)
  }

  var hashes: Set<Digest> { Set(events.keys) }
}
