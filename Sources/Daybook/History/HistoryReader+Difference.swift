package import Domain
package import ReadModel

extension HistoryReader {
  /// Returns the records that were added, removed or changed between two times.
  ///
  /// The second time may be earlier than the first.
  ///
  /// One fold of the logs serves both times.
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

  /// The number of folded events about records that are dated later than a time.
  package func countOfEvents(after moment: Int64) throws(DaybookError) -> Int {
    let told = try toldFacts(by: try projector.remembered(by: try projector.view()))
    return told.facts.prefix(told.readable).count { $0.effectiveTime > moment }
  }
}

/// The difference between the states of a book at two times.
package struct MomentDifference {
  package var difference: Difference
  /// The records to which the difference refers, as they were at the first and at the second time.
  package var earlier: [EventKey: Document]
  package var later: [EventKey: Document]
  /// The book as it was at the second time.
  package var model: ReadModel
}

extension Difference {
  /// The keys of the difference's records, and of the records to which they refer.
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
