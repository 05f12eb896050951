import Bytes
import Journaling

/// What a book knows of erasing, kept with its ledger.
struct ErasureLedger: Sendable {
  /// An `erase` event and the entity it names.
  struct Erase: Hashable, Sendable {
    var place: Landmark
    var entity: EventName
    /// The first 16 bytes of the chain hash of the entity's add, while that was not found held.
    var add: UniqueID?
  }

  /// Every `erase` event of the logs of the book.
  private(set) var erases: [Erase] = []
  /// The events without a body, each with the `erase` said to have taken it.
  private(set) var stripped: [UniqueID: [UInt64: Landmark]] = [:]
  /// The entities whose facts count for nothing, as of the last fold of everything.
  var hidden = Erasures()
  /// The `erase` events that count and take nothing away here until the user accepts them.
  var heldBack: Set<Landmark.Mark> = []

  mutating func note(_ erase: Erase) { erases.append(erase) }

  mutating func note(_ body: StrippedBody, at sequence: UInt64, of log: UniqueID) {
    stripped[log, default: [:]][sequence] = body.erase
  }

  /// The entities that the `erase` events of some logs name, up to the last event that counts of each; not those that
  /// are held back.
  ///
  /// Where a body was stripped it can no longer be told what it was: as an add, it marks its entity as erased.
  func erasures(
    by folded: [UniqueID: UInt64], in tree: LogTree
  ) throws(DaybookError) -> Erasures {
    var erasures = Erasures()
    let erases = self.erases(by: folded)
    let marks = Set(erases.map(\.place.mark))
    for erase in erases {
      let meant = try tree.resolve(erase)
      if let meant { erasures.insert(meant.entity, by: erase.place, supposing: meant.add) }
    }
    for (log, bodies) in stripped {
      for (sequence, place) in bodies where marks.contains(place.mark) {
        erasures.insert(EventName(log: log, sequence: sequence), by: place)
      }
    }
    return erasures
  }

  /// Whether no `erase` event of some logs takes anything away, and no body is gone.
  func isNothing(by folded: [UniqueID: UInt64]) -> Bool {
    erases(by: folded).isEmpty && stripped.isEmpty
  }

  /// Events of a log without a body that no `erase` which counts explains; ascending and apart.
  func bodiless(in log: UniqueID, by folded: [UniqueID: UInt64]) -> [ClosedRange<UInt64>] {
    guard let bodies = stripped[log] else { return [] }
    return [ClosedRange<UInt64>](joining: unexplained(bodies, by: folded).map { $0...$0 })
  }

  /// Those of some events without a body that no `erase` which counts explains.
  func unexplained(
    _ bodies: [UInt64: Landmark], by folded: [UniqueID: UInt64]
  ) -> Set<UInt64> {
    let standing = standing(by: folded)
    return Set(bodies.filter { !standing.contains($0.value.mark) }.keys)
  }

  /// The `erase` events that lie in some logs, up to the last event that counts of each, and are not held back.
  func erases(by folded: [UniqueID: UInt64]) -> [Erase] {
    guard !heldBack.isEmpty else { return counting(by: folded) }
    return counting(by: folded).filter { !heldBack.contains($0.place.mark) }
  }

  /// The `erase` events that lie in some logs, up to the last event that counts of each, and are held back.
  func heldErases(by folded: [UniqueID: UInt64]) -> [Erase] {
    guard !heldBack.isEmpty else { return [] }
    return counting(by: folded).filter { heldBack.contains($0.place.mark) }
  }

  /// The `erase` events that lie in some logs, up to the last event that counts of each.
  func counting(by folded: [UniqueID: UInt64]) -> [Erase] {
    erases.filter { $0.place.sequence <= folded[$0.place.log] ?? 0 }
  }

  /// The `erase` events of some logs that count, whatever their logs are called.
  ///
  /// Those that are held back explain a body that came without its content as well as others do: no copy of it is
  /// asked for until its author is revoked.
  func standing(by folded: [UniqueID: UInt64]) -> Set<Landmark.Mark> {
    Set(counting(by: folded).map(\.place.mark))
  }
}

extension ErasureLedger {
  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(erases.count * 6)
    for erase in erases {
      writer.landmark(erase.place)
      writer.uniqueID(erase.entity.log)
      writer.unsigned(erase.entity.sequence)
      writer.uniqueID(erase.add ?? UniqueID.none)
    }
    let bodies = stripped.flatMap { log, bodies in bodies.map { (log, $0.key, $0.value) } }
    writer.arrayHeader(bodies.count * 5)
    for (log, sequence, place) in bodies.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      writer.uniqueID(log)
      writer.unsigned(sequence)
      writer.landmark(place)
    }
    hidden.encode(to: &writer)
    let held = heldBack.sorted { ($0.sequence, $0.hash) < ($1.sequence, $1.hash) }
    writer.arrayHeader(held.count * 2)
    for mark in held {
      writer.unsigned(mark.sequence)
      writer.uniqueID(mark.hash)
    }
  }

  init(decoding reader: inout CBORReader) throws(CBORError) {
    for _ in 0..<(try reader.arrayHeader() / 6) {
      let place = try reader.landmark()
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      let add = try reader.uniqueID()
      erases.append(Erase(place: place, entity: entity, add: add == .none ? nil : add))
    }
    for _ in 0..<(try reader.arrayHeader() / 5) {
      let log = try reader.uniqueID()
      let sequence = try reader.unsigned()
      stripped[log, default: [:]][sequence] = try reader.landmark()
    }
    hidden = try Erasures(decoding: &reader)
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let sequence = try reader.unsigned()
      heldBack.insert(Landmark.Mark(sequence: sequence, hash: try reader.uniqueID()))
    }
  }
}

extension LogTree {
  /// The entity that an `erase` is about; nil where its add is not held, and that of another branch in its place is.
  ///
  /// What is not held yet is told by its name, and has to prove itself when it comes.
  func resolve(_ erase: ErasureLedger.Erase) throws(DaybookError) -> ErasureLedger.Erase? {
    guard let add = erase.add else { return erase }
    let (log, sequence) = (erase.entity.log, erase.entity.sequence)
    let landmark = Landmark(log: replica(of: log), sequence: sequence, hash: add)
    guard let holder = try holder(of: landmark) else {
      return try holdsAny(log, sequence) ? nil : erase
    }
    return ErasureLedger.Erase(
      place: erase.place, entity: EventName(log: holder, sequence: sequence), add: nil)
  }
}
