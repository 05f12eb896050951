import Bytes
import Daybook
import Journaling

/// What a reader finds in a book.
struct Reading: Codable {
  /// Each event as `sequence time when verb hash`, by its log.
  var logs: [String: [String]]
  var known: [String]
  var cuts: [String: UInt64]
  var admitted: [String]
  var digest: String
  var words: String
  /// The log that each branch leaves.
  var trunks: [String: String]
  /// The events that are missing, by the folder of a replica or branch.
  var holes: [String: [[UInt64]]]
  /// Events whose bodies are gone though nothing that counts took them.
  var bodiless: [String]
  var wrongHeads: Int

  /// What another reading has otherwise.
  func differences(from other: Reading) -> [String] {
    var differences: [String] = []
    func compare<Value: Equatable>(_ name: String, _ value: (Reading) -> Value) {
      let (one, two) = (value(self), value(other))
      if one != two { differences.append("\(name): \(one), not \(two)") }
    }
    compare("logs") { $0.logs.mapValues(\.count).sorted { $0.key < $1.key }.map { "\($0)" } }
    for log in logs.keys.sorted() { compare(log) { $0.logs[log] ?? [] } }
    compare("trunks", \.trunks)
    compare("known", \.known)
    compare("cuts", \.cuts)
    compare("admitted", \.admitted)
    compare("digest", \.digest)
    compare("words", \.words)
    compare("holes", \.holes)
    compare("bodiless", \.bodiless)
    compare("wrong heads", \.wrongHeads)
    return differences
  }

  /// What the program finds.
  init(of book: Book) throws {
    var lines: [String: [String]] = [:]
    var events: [TrustEvent] = []
    var hashes: [UniqueID: [UInt64: UniqueID]] = [:]
    var ends: [UniqueID: [UInt64]] = [:]
    var stripped: [(log: UniqueID, sequence: UInt64, erase: Landmark)] = []
    let journal = try Journal(at: book.layout.folder, on: book.machine)
    for id in journal.logs.keys {
      try journal.forEachEvent(of: id) { event, body in
        let when = event.when.map(String.init) ?? "-"
        let verb = event.verb.map(String.init) ?? "-"
        lines[id.hex, default: []].append(
          "\(event.sequence) \(event.time) \(when) \(verb) \(event.hash.hex)")
        hashes[id, default: [:]][event.sequence] = event.hash.prefix16
        if event.isCommandStart { ends[id, default: []].append(event.sequence + event.more) }
        if event.isStripped {
          var reader = CBORReader(body.span)
          stripped.append((id, event.sequence, try StrippedBody.decode(&reader).erase))
        }
        if !event.isStripped, let verb = try TrustVerb.decode(body.span) {
          events.append(TrustEvent(log: id, sequence: event.sequence, verb: verb))
        }
      }
    }
    logs = lines
    let trust = Trust(
      TrustInput(
        book: book.id, events: events, forks: journal.forks,
        hash: { log, sequence in hashes[log]?[sequence] },
        commandEnd: { log, sequence in ends[log]?.last { $0 <= sequence } ?? 0 }))
    known = trust.known.map(\.hex).sorted()
    cuts = Dictionary(uniqueKeysWithValues: trust.cuts.map { ($0.key.hex, $0.value) })
    admitted = trust.admitted.keys.map(\.hex).sorted()
    let digest = try book.digest()
    self.digest = digest.hex
    words = Words.pronounceable(digest).joined(separator: " ")
    trunks = Dictionary(
      uniqueKeysWithValues: journal.forks.map { ($0.key.hex, $0.value.trunk.hex) })
    holes = [:]
    let report = try book.verify()
    wrongHeads = report.faults.count { $0.what == .head }
    for log in report.logs where !log.isAside && !log.missing.isEmpty {
      holes[log.id.hex] = log.missing.map { [$0.lowerBound, $0.upperBound] }
    }
    var counting: Set<[UInt64]> = []
    for event in events where trust.folds(event.log, event.sequence) {
      guard case .erase = event.verb, let hash = hashes[event.log]?[event.sequence] else {
        continue
      }
      counting.insert([event.sequence, hash.high, hash.low])
    }
    bodiless = stripped.filter { _, _, erase in
      !counting.contains([erase.sequence, erase.hash.high, erase.hash.low])
    }.map { "\($0.log.hex) \($0.sequence)" }.sorted()
  }
}
