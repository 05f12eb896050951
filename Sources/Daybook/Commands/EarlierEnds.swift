import Domain

/// Finds the ends that series had before the series were cancelled or ended in another way.
///
/// The read model contains only the present end. The events in the logs contain the earlier ends.
struct EarlierEnds {
  private let facts: [EventKey: Fact]
  private let pasts: FieldPasts

  init(in told: ToldFacts, _ causality: Causality) {
    let readable = Array(told.facts.prefix(told.readable))
    let asked = readable.filter { fact in
      fact.body.writes.contains { $0.field == Series.endField }
    }
    facts = Dictionary(uniqueKeysWithValues: asked.map { ($0.key, $0) })
    pasts = FieldPasts(of: asked, among: readable, causality: causality)
  }

  /// The values that the end of a series had before its present value, latest first, down to a null value.
  ///
  /// - Returns: The values; nil if the series was added with its present end.
  func ends(before series: Document) -> [Value]? {
    var ends: [Value] = []
    var known: Set<EventKey> = []
    var level = series.endings.map(\.key)
    while !level.isEmpty {
      let writers = level.filter { known.insert($0).inserted }.compactMap { facts[$0] }
      level = []
      for writer in writers where writer.body.verb == .edit {
        let replaced = pasts.replaced(by: writer, Series.endField)
        ends += replaced.isEmpty ? [.null] : replaced.map(\.value)
        level += replaced.map(\.key)
      }
    }
    return ends.isEmpty ? nil : ends
  }
}
