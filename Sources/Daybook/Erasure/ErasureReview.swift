import Bytes
package import Journaling

/// The decisions of this device about erasures by other devices: which are let through, and which are held.
///
/// The decisions are stored only in `book.json` and not in a log, so no other device can make them.
package struct ErasureReview: Hashable, Sendable {
  /// Erasures that were let through together without asking the user.
  package struct Batch: Hashable, Sendable {
    /// The time of arrival, by the clock of this device, in milliseconds.
    package var arrival: Int64
    package var records: Int
  }

  /// For each log, the event up to which erasures are let through.
  package private(set) var passed: [Landmark]
  /// The first held erasure of each log.
  ///
  /// Later erasures by the same replica are also held if they remove a record here.
  package private(set) var held: [Landmark]
  /// The batches that were let through recently.
  ///
  /// Old batches are removed when another batch is added.
  package private(set) var recent: [Batch]

  package init(passed: [Landmark] = [], held: [Landmark] = [], recent: [Batch] = []) {
    (self.passed, self.held, self.recent) = (passed, held, recent)
  }

  package var isEmpty: Bool { self == ErasureReview() }
}

extension ErasureReview {
  /// The maximum number of records that all other devices together may erase within ``span`` without asking the user.
  ///
  /// The limit is shared, because a device can admit others and erase through them. The limit applies to a period,
  /// because a device can sync after each erasure.
  package static let limit = 10
  /// A day, in milliseconds.
  package static let span: Int64 = 24 * 60 * 60 * 1000

  /// Lets erasures through, or holds them.
  ///
  /// A held erasure remains held, however much time passes.
  ///
  /// - Parameters:
  ///   - erases: Erasures by other devices that count and have not been let through yet.
  ///   - taking: The subset of `erases` that removes a record here.
  ///   - tree: The logs and their branches.
  ///   - now: The current time, in milliseconds.
  /// - Returns: The marks of the erasures that are held.
  mutating func judge(
    _ erases: [ErasureLedger.Erase], taking: [ErasureLedger.Erase], in tree: LogTree, at now: Int64
  ) -> Set<Landmark.Mark> {
    let records = Set(taking.map(\.entity)).count
    let isOverLimit = records + recentRecords(at: now) > Self.limit
    let firstHeld = Dictionary(
      held.map { (tree.replica(of: $0.log), $0.sequence) }, uniquingKeysWith: min)
    func isHeld(_ erase: ErasureLedger.Erase) -> Bool {
      // Other branches of the same replica are included, because they have the same author.
      isOverLimit
        || firstHeld[tree.replica(of: erase.place.log)].map { $0 <= erase.place.sequence } ?? false
    }
    let heldErases = taking.filter(isHeld)
    held = Self.ends(of: heldErases, by: <)
    // Passing an erasure also passes all earlier erasures, including erasures in the trunk of its log. Therefore, only
    // erasures before the replica's first held erasure are passed.
    let heldNow = Dictionary(
      held.map { (tree.replica(of: $0.log), $0.sequence) }, uniquingKeysWith: min)
    pass(erases.filter { $0.place.sequence < heldNow[tree.replica(of: $0.place.log)] ?? .max })
    let passedRecords = Set(taking.filter { !isHeld($0) }.map(\.entity)).count
    if passedRecords > 0 {
      recent.removeAll { !Self.isRecent($0, at: now) }
      recent.append(Batch(arrival: now, records: passedRecords))
    }
    return Set(heldErases.map(\.place.mark))
  }

  /// Lets erasures through, together with all earlier erasures in their logs.
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

  /// Whether a batch is at most a day old.
  ///
  /// A batch dated up to a day ahead is also recent, because the clock must have been set back since.
  private static func isRecent(_ batch: Batch, at now: Int64) -> Bool {
    (now - span...now + span).contains(batch.arrival)
  }

  /// The first or last of the given erasures in each log.
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
