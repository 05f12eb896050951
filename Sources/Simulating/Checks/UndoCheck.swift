import Bytes
import Daybook
import Domain

/// Checks that an undo names every record that it changes and that another device has written to, and does not reopen
/// any occurrence that another device has closed.
struct UndoCheck {
  private let before: Records
  /// The logs that this device writes or has left, and other logs that were written under its key.
  private let own: Set<UniqueID>
  private let devices: [Device]
  private let gaps: [Gap]

  init(_ book: Book) throws(DaybookError) {
    // The book is read first, so that this process sees the events that another process has written.
    _ = try book.view()
    before = try book.core.projector.records()
    devices = try book.deviceList.devices()
    gaps = try book.losses.gaps()
    let key = devices.first(where: \.isThis)?.key
    // The key of a log is unknown if the log's first event is lost.
    let written = Array(book.file.writers.values) + book.file.left.values.map(\.log)
    own = Set(devices.filter { $0.key == key }.map(\.replica)).union(written)
  }

  /// The changes that an undo must not make, or must report but does not; nil if there are none.
  ///
  /// This method is called after the undo. The result is also nil if events were lost in the meantime.
  func fault(in undone: [Undone], on book: Book) throws(DaybookError) -> String? {
    // Records also change if a failing disk has shown events and then lost them. The undo has not made these changes.
    guard try !hasLost(on: book) else { return nil }
    let after = try book.core.projector.records()
    return unnamed(by: undone, after) ?? overruled(after)
  }

  /// The first record that an undo has changed without naming it.
  private func unnamed(by undone: [Undone], _ after: Records) -> String? {
    let named = Self.named(by: undone)
    for kind in Schema.kinds.map(\.kind) {
      for document in before.documents(kind) where before.isShown(document) && isShared(document) {
        let now = after.entity(withID: document.id).flatMap(after.document(of:))
        guard Look(of: document, in: before) != now.map({ Look(of: $0, in: after) }) else {
          continue
        }
        // If a list, question or to-do is named, the records that belong to it need not be named.
        let parents = [Field.owner, Field.Todo.list, Field.Todo.parent].compactMap {
          document.value($0).reference
        }
        .compactMap(before.document(of:)).flatMap(\.members)
        let ids = (document.members + parents).compactMap { before.entity(of: $0)?.id }
        if named.isDisjoint(with: ids) {
          return "without naming \(kind) \(document.id.hex.prefix(8))"
        }
      }
    }
    return nil
  }

  /// The first occurrence that the undo has reopened although another device's completion survives.
  private func overruled(_ after: Records) -> String? {
    let rules = TodoRules(before)
    for document in before.documents(.todo) where document.isAlive && document.isOccurrence {
      let closers = [Field.Todo.done, Field.Todo.cancelled].flatMap { field in
        rules.survivors(field, of: document.key).filter { $0.value == .boolean(true) }
      }
      guard closers.contains(where: { isOther($0.key.log) && stands($0, of: document) }) else {
        continue
      }
      let now = after.entity(withID: document.id).flatMap(after.document(of:))
      guard let now, now.isAlive, TodoRules(after).closing(ofOccurrence: now).isClosed else {
        return "the completion of \(document.id.hex.prefix(8)) by another device"
      }
    }
    return nil
  }

  /// Whether an occurrence is alive with a completion by another device independently of this device.
  ///
  /// An undo of a completion deletes the occurrence. If only this device has restored it since then, this device may
  /// also undo that restore.
  private func stands(_ closer: Stored, of document: Document) -> Bool {
    let entities = document.members.compactMap(before.entity(of:))
    let deletes = entities.flatMap(\.deletes).filter {
      before.causality.past(of: $0.key, includes: closer.key)
    }
    return deletes.allSatisfy { delete in
      entities.flatMap(\.givers).contains {
        isOther($0.key.log) && before.causality.past(of: $0.key, includes: delete.key)
      }
    }
  }

  /// Whether a log is shorter than before or has new gaps.
  private func hasLost(on book: Book) throws(DaybookError) -> Bool {
    // Damage to a file is found when the file is read again. A write reads the file, but a query might not read it.
    for gap in try book.losses.gaps() where !gaps.contains(where: { $0.covers(gap) }) {
      return true
    }
    let now = Dictionary(
      try book.deviceList.devices().map { ($0.replica, $0.events) }, uniquingKeysWith: max)
    return devices.contains { now[$0.replica] ?? 0 < $0.events }
  }

  /// Whether another device has added or edited a record.
  private func isShared(_ document: Document) -> Bool {
    let writers = document.members.compactMap { before.entity(of: $0) }.flatMap { entity in
      [entity.key.log] + entity.writes.map(\.key.log)
    }
    return writers.contains(where: isOther)
  }

  private func isOther(_ log: UInt32) -> Bool {
    before.causality.identity(of: log).map { !own.contains($0.id) && !own.contains($0.replica) }
      ?? true
  }

  private static func named(by undone: [Undone]) -> Set<UniqueID> {
    var named: Set<UniqueID> = []
    for step in undone {
      for change in step.changes { named.formUnion(([change.document] + change.joined).map(\.id)) }
      named.formUnion(step.left.map(\.id))
      named.formUnion((step.spared + step.swept).map(\.id))
      named.formUnion(step.reopened.map(\.id))
    }
    return named
  }
}

/// The properties of a record that a user sees, independent of the numbers of logs.
private struct Look: Equatable {
  let isShown: Bool
  let isDisputed: Bool
  let values: [Field: [String]]

  init(of document: Document, in records: Records) {
    isShown = records.isShown(document)
    isDisputed = document.deleteAgainstEdit != nil
    values = Dictionary(
      uniqueKeysWithValues: document.fields.map { shown in
        let survivors = shown.isConflict ? shown.survivors : Array(shown.survivors.prefix(1))
        let words = survivors.map { write in
          // Which of two joined records represents both does not matter here.
          write.value.reference.map { records.document(of: $0)?.isAlive == true ? "one" : "none" }
            ?? "\(write.value)"
        }
        return (shown.field, words.sorted())
      })
  }
}

extension Gap {
  fileprivate func covers(_ other: Gap) -> Bool {
    log == other.log && range.lowerBound <= other.range.lowerBound
      && range.upperBound >= other.range.upperBound
  }
}
