package import Domain
package import ReadModel

extension HistoryReader {
  /// What records came, went and changed between two moments; the second may be the earlier one.
  ///
  /// The logs are read once for both.
  package func difference(
    from start: Int64, to end: Int64
  ) throws(DaybookError) -> MomentDifference {
    var earlier: Records?
    let fold = try projector.replayer.foldAll { fact, causality in
      if earlier == nil { earlier = Records(causality: causality) }
      if fact.effectiveTime <= start { earlier?.absorb(fact) }
      return fact.effectiveTime <= end
    }
    let before = earlier ?? fold.records
    let difference = Difference(from: before, to: fold.records)
    let named = difference.namedKeys
    let model = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try ReadModel.inMemory(from: fold.records, change: projector.change(for: fold.posting))
    }
    return MomentDifference(
      difference: difference, earlier: before.documents(named),
      later: fold.records.documents(named), model: model)
  }
}

/// What differs between two moments of a book.
package struct MomentDifference {
  package var difference: Difference
  /// The records that those of the difference name, as they were at the earlier and the later moment.
  package var earlier: [EventKey: Document]
  package var later: [EventKey: Document]
  /// The book as it was at the later moment.
  package var model: ReadModel
}

extension Difference {
  /// What its records are and refer to.
  fileprivate var namedKeys: Set<EventKey> {
    let documents = came + went.map(\.document) + changed.flatMap { [$0.earlier, $0.later] }
    var keys = Set(documents.map(\.key))
    for shown in documents.flatMap(\.fields) {
      keys.formUnion(shown.survivors.compactMap(\.value.reference))
    }
    return keys
  }
}

extension Records {
  fileprivate func documents(_ keys: Set<EventKey>) -> [EventKey: Document] {
    var documents: [EventKey: Document] = [:]
    for key in keys { documents[key] = document(of: key) }
    return documents
  }
}
