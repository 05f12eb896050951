/// The steps that turn one result of a query into a later one, for a view that shows the result.
///
/// An *old* index refers to the result before all steps; a *new* index refers to the result after all steps. No index
/// refers to a state in between. Each row has at most one step. A row has no step if it is unchanged and keeps its
/// place among the rows that stay. The steps are in this order:
///
/// 1. ``Step/begin(sections:rows:)``.
/// 2. ``Step/delete(_:_:)``, from the last old place to the first.
/// 3. ``Step/deleteSection(_:_:)``, from the last old index to the first. All rows of such a section are deleted or
///    move away.
/// 4. ``Step/insertSection(_:_:)``, from the first new index to the last. All rows of such a section are inserted or
/// move into it.
/// 5. ``Step/insert(_:_:)`` and ``Step/move(from:to:_:isChanged:)``, from the first new place to the last.
/// 6. ``Step/update(from:to:_:)``, from the first new place to the last.
/// 7. ``Step/end(sections:rows:)``.
///
/// To change a result in place, first remove the rows that are deleted or move, by their old places from the last to
/// the first. Then apply the steps in order, starting with 3, and treat each move as an insertion. As few rows as
/// possible move, because the rows that stay form a longest sequence of rows that keep their section and order.
package struct ChangeSet<Row: KeyedRow>: Equatable, Sendable {
  /// One change to a result.
  package enum Step: Equatable, Sendable {
    /// The number of sections and rows before the changes.
    case begin(sections: Int, rows: Int)
    /// Removes the row at an old place.
    case delete(RowPlace, Row.RowID)
    /// Removes the section at an old index.
    case deleteSection(Int, SectionKey)
    /// Inserts a section at a new index.
    case insertSection(Int, SectionKey)
    /// Inserts a row at a new place.
    case insert(RowPlace, Row)
    /// Moves a row from an old place to a new one; `isChanged` states whether its content also changed.
    case move(from: RowPlace, to: RowPlace, Row, isChanged: Bool)
    /// Replaces the content of a row, whose place changes only because of other rows.
    case update(from: RowPlace, to: RowPlace, Row)
    /// The number of sections and rows after the changes.
    case end(sections: Int, rows: Int)
  }

  /// The steps, from ``Step/begin(sections:rows:)`` to ``Step/end(sections:rows:)``.
  package let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// Whether there are no steps between the first and the last.
  package var isEmpty: Bool { steps.count == 2 }

  /// Turns the old result into the new one; this method defines what the steps mean.
  package func apply(to sections: inout [RowSection<Row>]) {
    for place in departures.sorted(by: >) { sections[place.section].rows.remove(at: place.row) }
    for step in steps {
      switch step {
      case .begin, .delete, .end: continue
      case .deleteSection(let old, _): sections.remove(at: old)
      case .insertSection(let new, let key): sections.insert(RowSection(key), at: new)
      case .insert(let new, let row), .move(_, let new, let row, _):
        sections[new.section].rows.insert(row, at: new.row)
      case .update(_, let new, let row): sections[new.section].rows[new.row] = row
      }
    }
  }

  /// The old places of the rows that are deleted or move, in the order of the steps.
  private var departures: [RowPlace] {
    steps.compactMap { step in
      switch step {
      case .delete(let place, _), .move(let place, _, _, _): place
      default: nil
      }
    }
  }
}
