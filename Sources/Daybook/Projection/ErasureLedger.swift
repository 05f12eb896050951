import Bytes
import Journaling

/// The erasures in the logs of a book, stored with its ledger.
struct ErasureLedger: Sendable {
  /// An `erase` event and the entity that it refers to.
  struct Erase: Hashable, Sendable {
    var place: Landmark
    var entity: EventName
    /// The first 16 bytes of the chain hash at the add of the entity; nil once the add has been found here.
    var add: UniqueID?
  }

  /// Every `erase` event in the logs of the book.
  private(set) var erases: [Erase] = []
  /// The events without a body, each with the `erase` event that it names as the reason.
  private(set) var stripped: [UniqueID: [UInt64: Landmark]] = [:]
  /// For each lost log whose `erase` events are remembered, the last event that counts.
  ///
  /// Such a log has nothing to fold, so it is not among the folded logs.
  var lostAuthors: [UniqueID: UInt64] = [:]
  /// The entities whose facts have no effect, as of the last complete fold.
  var hidden = Erasures()
  /// The `erase` events that count, but remove nothing here until the user accepts them.
  var heldBack: Set<Landmark.Mark> = []

  mutating func note(_ erase: Erase) { erases.append(erase) }

  /// Removes a remembered `erase` event that has been read from its log again.
  mutating func forget(_ place: Landmark) { erases.removeAll { $0.place == place } }

  mutating func note(_ body: StrippedBody, at sequence: UInt64, of log: UniqueID) {
    stripped[log, default: [:]][sequence] = body.erase
  }

  /// The entities that `erase` events of the given logs refer to, up to the last event that counts in each log.
  ///
  /// Erasures that are held back are omitted.
  ///
  /// A stripped event does not reveal its verb. The entity of such an event is marked as erased, in case the event was
  /// an add.
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

  /// Whether no `erase` event of the given logs removes anything, and no body is missing.
  func isNothing(by folded: [UniqueID: UInt64]) -> Bool {
    erases(by: folded).isEmpty && stripped.isEmpty
  }

  /// The events of a log whose bodies are missing although no `erase` event that counts removed them, as ascending,
  /// separate ranges.
  func bodiless(in log: UniqueID, by folded: [UniqueID: UInt64]) -> [ClosedRange<UInt64>] {
    guard let bodies = stripped[log] else { return [] }
    return [ClosedRange<UInt64>](joining: unexplained(bodies, by: folded).map { $0...$0 })
  }

  /// The events of a log whose bodies are lost, as ascending, separate ranges.
  ///
  /// The body of an event that counts can only be removed by an `erase` that counts, because the other devices have the
  /// body. An event that does not count may also be erased by an `erase` that only this device shows, such as one of
  /// its own from before it was admitted.
  func lostBodies(
    in log: UniqueID, by admitted: [UniqueID: UInt64], showing shown: [UniqueID: UInt64]
  ) -> [ClosedRange<UInt64>] {
    guard let bodies = stripped[log] else { return [] }
    let (common, alone) = (standing(by: admitted), standing(by: shown))
    let lost = bodies.filter { sequence, erase in
      let isShownAlone = sequence > admitted[log] ?? 0 && alone.contains(erase.mark)
      return !isShownAlone && !common.contains(erase.mark)
    }
    return [ClosedRange<UInt64>](joining: lost.keys.map { $0...$0 })
  }

  /// The given events without a body, except the events whose body was removed by an `erase` event that counts.
  func unexplained(
    _ bodies: [UInt64: Landmark], by folded: [UniqueID: UInt64]
  ) -> Set<UInt64> {
    let standing = standing(by: folded)
    return Set(bodies.filter { !standing.contains($0.value.mark) }.keys)
  }

  /// The given logs' `erase` events that are not held back, up to the last event that counts in each log.
  func erases(by folded: [UniqueID: UInt64]) -> [Erase] {
    guard !heldBack.isEmpty else { return counting(by: folded) }
    return counting(by: folded).filter { !heldBack.contains($0.place.mark) }
  }

  /// The given logs' `erase` events that are held back, up to the last event that counts in each log.
  func heldErases(by folded: [UniqueID: UInt64]) -> [Erase] {
    guard !heldBack.isEmpty else { return [] }
    return counting(by: folded).filter { heldBack.contains($0.place.mark) }
  }

  /// The `erase` events of the given logs and of the lost authors, up to the last event that counts in each log.
  func counting(by folded: [UniqueID: UInt64]) -> [Erase] {
    erases.filter { erase in
      let log = erase.place.log
      return erase.place.sequence <= folded[log] ?? lostAuthors[log] ?? 0
    }
  }

  /// The given logs' `erase` events that count, including those held back, without the names of their logs.
  ///
  /// An erasure that is held back also explains a missing body, so no copy of the body is requested until the erasure's
  /// author is revoked.
  func standing(by folded: [UniqueID: UInt64]) -> Set<Landmark.Mark> {
    Set(counting(by: folded).map(\.place.mark))
  }
}

extension ErasureLedger {
  func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(erases.count * 7)
    for erase in erases {
      writer.landmark(erase.place)
      writer.uniqueID(erase.entity.log)
      writer.unsigned(erase.entity.sequence)
      writer.boolean(erase.add != nil)
      writer.uniqueID(erase.add ?? UniqueID.none)
    }
    let bodies = stripped.flatMap { log, bodies in bodies.map { (log, $0.key, $0.value) } }
    writer.arrayHeader(bodies.count * 5)
    for (log, sequence, place) in bodies.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      writer.uniqueID(log)
      writer.unsigned(sequence)
      writer.landmark(place)
    }
    writer.arrayHeader(lostAuthors.count * 2)
    for (log, last) in lostAuthors.sorted(by: { $0.key < $1.key }) {
      writer.uniqueID(log)
      writer.unsigned(last)
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
    for _ in 0..<(try reader.arrayHeader() / 7) {
      let place = try reader.landmark()
      let log = try reader.uniqueID()
      let entity = EventName(log: log, sequence: try reader.unsigned())
      let hasAdd = try reader.boolean()
      let add = try reader.uniqueID()
      erases.append(Erase(place: place, entity: entity, add: hasAdd ? add : nil))
    }
    for _ in 0..<(try reader.arrayHeader() / 5) {
      let log = try reader.uniqueID()
      let sequence = try reader.unsigned()
      stripped[log, default: [:]][sequence] = try reader.landmark()
    }
    for _ in 0..<(try reader.arrayHeader() / 2) {
      lostAuthors[try reader.uniqueID()] = try reader.unsigned()
    }
    hidden = try Erasures(decoding: &reader)
    for _ in 0..<(try reader.arrayHeader() / 2) {
      let sequence = try reader.unsigned()
      heldBack.insert(Landmark.Mark(sequence: sequence, hash: try reader.uniqueID()))
    }
  }
}

extension LogTree {
  /// The entity of an `erase`; nil if a different event is held in place of the entity's add.
  ///
  /// If no event is held at that place yet, the entity is returned by name, and checked when the event arrives.
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
