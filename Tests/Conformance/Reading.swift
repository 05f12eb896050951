import Bytes
import Daybook
import Journaling

/// What a reader finds in a book.
struct Reading: Equatable, Codable {
  /// Each event as `sequence time when verb hash`, by its log.
  var logs: [String: [String]]
  var known: [String]
  var cuts: [String: UInt64]
  var admitted: [String]
  var digest: String
  var words: String
  var faults: [String]

  /// What the program finds.
  init(of book: Book) throws {
    var lines: [String: [String]] = [:]
    var events: [TrustEvent] = []
    var hashes: [UniqueID: [UniqueID]] = [:]
    var ends: [UniqueID: [UInt64]] = [:]
    let journal = try Journal(at: book.layout.folder, on: book.machine)
    for id in journal.logs.keys {
      try journal.forEachEvent(of: id) { event, body in
        let when = event.when.map(String.init) ?? "-"
        let verb = event.verb.map(String.init) ?? "-"
        lines[id.hex, default: []].append(
          "\(event.sequence) \(event.time) \(when) \(verb) \(event.hash.hex)")
        hashes[id, default: []].append(event.hash.prefix16)
        // A command ends where none of its events is left.
        let last = event.isCommandStart ? event.sequence + event.more : 0
        ends[id, default: []].append(last == 0 ? ends[id]?.last ?? 0 : last)
        if !event.isStripped, let verb = try TrustVerb.decode(body.span) {
          events.append(TrustEvent(log: id, sequence: event.sequence, verb: verb))
        }
      }
    }
    (logs, faults) = (lines, [])
    let trust = Trust(
      TrustInput(
        book: book.id, events: events,
        hash: { log, sequence in
          guard let held = hashes[log], sequence <= held.count else { return nil }
          return held[Int(sequence) - 1]
        },
        commandEnd: { log, sequence in
          (ends[log] ?? []).prefix(Int(sequence)).last { $0 <= sequence } ?? 0
        }))
    known = trust.known.map(\.hex).sorted()
    cuts = Dictionary(uniqueKeysWithValues: trust.cuts.map { ($0.key.hex, $0.value) })
    admitted = trust.admitted.keys.map(\.hex).sorted()
    let digest = try book.digest()
    self.digest = digest.hex
    words = Words.pronounceable(digest).joined(separator: " ")
  }
}
