import Bytes
package import Journaling

/// What this device has decided of the erasures by other devices: how far they are let through, and which are held.
///
/// The decision is the device's own: it stands in `book.json` and in no log, so no other device can make it.
package struct ErasureReview: Hashable, Sendable {
  /// Erasures that were let through together, without the user being asked.
  package struct Batch: Hashable, Sendable {
    /// When they came, by this device's clock.
    package var arrival: Int64
    package var records: Int
  }

  /// The last event of each log up to which erasures are let through.
  package private(set) var passed: [Landmark]
  /// The first erasure of each log that is held; the later ones of that log are held with it.
  package private(set) var held: [Landmark]
  /// What was let through of late without the user being asked.
  package private(set) var recent: [Batch]

  package init(passed: [Landmark] = [], held: [Landmark] = [], recent: [Batch] = []) {
    (self.passed, self.held, self.recent) = (passed, held, recent)
  }

  package var isEmpty: Bool { self == ErasureReview() }
}

extension ErasureReview {
  /// How many records all other devices together may erase within ``span`` without the user being asked.
  ///
  /// They are counted together, since a device can admit others and erase by them; and over a time, since it can
  /// sync after each erasure.
  package static let limit = 10
  /// A day, in milliseconds.
  package static let span: Int64 = 24 * 60 * 60 * 1000

  /// Lets erasures through, or holds them.
  ///
  /// What is held stays so until it is accepted, however much time passes.
  ///
  /// - Parameters:
  ///   - erases: Erasures by other devices that count and are not let through yet.
  ///   - taking: Those of them that take a record away here.
  ///   - tree: How the logs hang together.
  ///   - now: The time, in milliseconds.
  /// - Returns: Which are held.
  mutating func judge(
    _ erases: [ErasureLedger.Erase], taking: [ErasureLedger.Erase], in tree: LogTree, at now: Int64
  ) -> Set<Landmark.Mark> {
    let records = Set(taking.map(\.entity)).count
    let isOverLimit = records + recentRecords(at: now) > Self.limit
    let firstHeld = Dictionary(
      held.map { (tree.replica(of: $0.log), $0.sequence) }, uniquingKeysWith: min)
    func isHeld(_ erase: ErasureLedger.Erase) -> Bool {
      // A branch may have left its log before the first erasure that is held: it is the same author's.
      isOverLimit
        || firstHeld[tree.replica(of: erase.place.log)].map { $0 <= erase.place.sequence } ?? false
    }
    let heldErases = taking.filter(isHeld)
    held = Self.ends(of: heldErases, by: <)
    let logs = Set(held.map(\.log))
    pass(erases.filter { !logs.contains($0.place.log) })
    let passedRecords = Set(taking.filter { !isHeld($0) }.map(\.entity)).count
    if passedRecords > 0 {
      recent.removeAll { !Self.isRecent($0, at: now) }
      recent.append(Batch(arrival: now, records: passedRecords))
    }
    return Set(heldErases.map(\.place.mark))
  }

  /// Lets erasures through, and those before them in their logs.
  mutating func pass(_ erases: [ErasureLedger.Erase]) {
    let ends = Self.ends(of: erases, by: >)
    let logs = Set(ends.map(\.log))
    passed = Self.sorted(passed.filter { !logs.contains($0.log) } + ends)
    held.removeAll { first in ends.contains { $0.log == first.log && $0.sequence >= first.sequence }
    }
  }

  private func recentRecords(at now: Int64) -> Int {
    recent.filter { Self.isRecent($0, at: now) }.reduce(0) { $0 + $1.records }
  }

  /// Whether a batch came within the last day; what came in the future came before the clock was set back.
  private static func isRecent(_ batch: Batch, at now: Int64) -> Bool {
    (now - span...now + span).contains(batch.arrival)
  }

  /// The first or last of some erasures in each log.
  private static func ends(
    of erases: [ErasureLedger.Erase], by isBefore: (UInt64, UInt64) -> Bool
  ) -> [Landmark] {
    let places = Dictionary(erases.map { ($0.place.log, $0.place) }) { one, other in
      isBefore(one.sequence, other.sequence) ? one : other
    }
    return sorted(Array(places.values))
  }

  private static func sorted(_ places: [Landmark]) -> [Landmark] {
    places.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
  }
}

extension ErasureReview {
  private static let name = "erasures"

  init(_ json: JSON?) throws(BookFileError) {
    self.init()
    for place in json?["passed"]?.array ?? [] {
      passed.append(try Landmark(place, named: Self.name))
    }
    for place in json?["held"]?.array ?? [] { held.append(try Landmark(place, named: Self.name)) }
    for batch in json?["recent"]?.array ?? [] {
      guard let arrival = batch["arrival"]?.integer,
        let records = batch["records"]?.integer.flatMap({ Int(exactly: $0) }), records >= 0,
        records <= Self.limit
      else { throw .missing(Self.name) }
      recent.append(Batch(arrival: arrival, records: records))
    }
  }

  var json: JSON {
    let batches = recent.map { batch in
      JSON.object(
        ("arrival", .integer(batch.arrival)), ("records", .integer(Int64(batch.records))))
    }
    return .object(
      ("passed", .array(passed.map(\.json))), ("held", .array(held.map(\.json))),
      ("recent", .array(batches)))
  }
}
