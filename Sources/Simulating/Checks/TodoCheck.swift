import Domain
import ReadModel

/// Checks that a read model shows the tags, the closing and the tree of to-dos that follow from the stored writes.
///
/// The rules are applied in the simplest way, without the code that computes what documents show.
struct TodoCheck {
  private let model: ReadModel
  private let rules: TodoRules
  private let rows: [TodoRow]

  /// - Parameters:
  ///   - model: The read model.
  ///   - entities: All entities of the read model.
  /// - Throws: ``ReadModelError`` if the tables cannot be read.
  init(_ model: ReadModel, holding entities: Set<EventKey>) throws(ReadModelError) {
    self.model = model
    rules = TodoRules(
      try model.records.hydrate(entities, causality: try model.logs.causality()))
    rows = try model.todos.todos()
  }

  /// The first to-do that is not shown as the rules require, with the difference; nil if there is none.
  func fault() throws(ReadModelError) -> String? {
    for row in rows {
      if let fault = fault(of: row) { return "\(row.title ?? "") \(fault)" }
    }
    let parents = rules.parents()
    if let fault = try faultOfParents(parents) { return fault }
    if let fault = try faultOfTree(parents) { return fault }
    return SeriesCheck(rules, rows, parents: parents).fault()
  }

  private func fault(of row: TodoRow) -> String? {
    // An occurrence has the tags of its series.
    guard row.series == nil else { return nil }
    let key = row.head.key
    let tags = Set(row.head.tags.map { Field(tag: $0) })
    guard tags == rules.tags(of: key) else { return "has the tags \(row.head.tags)" }
    // Occurrences determine how a series and its sub-tasks are shown; see SeriesCheck.
    guard row.rule == nil, row.slot == nil else { return nil }
    let closing = rules.closing(of: key)
    guard row.isDone == closing.isDone, row.isCancelled == closing.isCancelled,
      row.isClosed == closing.isDone || closing.isCancelled
    else { return "is shown as \(row.state)" }
    guard row.closedOn == closing.day else {
      return "was closed on \(row.closedOn?.iso ?? "no day")"
    }
    return nil
  }

  private func faultOfParents(
    _ parents: [EventKey: EventKey]
  ) throws(ReadModelError) -> String? {
    let keys = rows.filter { $0.series == nil }.map(\.head.key)
    let shown = try model.subtasks.parents(of: keys)
    let wrong = keys.first { shown[$0] != parents[$0] }
    return wrong.map { "the parent of \($0) is shown as \(shown[$0].map { "\($0)" } ?? "none")" }
  }

  /// Checks that the tree contains each row once, and each open sub-task below its open parent.
  private func faultOfTree(
    _ parents: [EventKey: EventKey]
  ) throws(ReadModelError) -> String? {
    let nodes = try TodoTree(rows, model.subtasks).nodes
    guard nodes.map(\.place).sorted() == Array(rows.indices) else {
      return "the tree has \(nodes.count) of \(rows.count) to-dos"
    }
    let open = Set(rows.filter { !$0.isClosed }.map(\.head.key))
    var path: [EventKey] = []
    for node in nodes {
      let row = rows[node.place]
      guard node.depth <= path.count else { return "\(row.title ?? "") is too deep" }
      path.removeLast(path.count - node.depth)
      let parent =
        row.isClosed ? nil : parents[row.head.key].flatMap { open.contains($0) ? $0 : nil }
      guard path.last == parent else { return "\(row.title ?? "") is in the wrong place" }
      path.append(row.head.key)
    }
    return nil
  }
}
