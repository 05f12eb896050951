/// What turns one result of a query into a later one, as steps for whoever shows it.
///
/// An *old* number counts in the result as it was before all steps, a *new* one in the result as it is after
/// all of them; no number counts in anything between. Of each row one step tells at most, and of a row that
/// stays as it is and keeps its place among those that stay, none. The steps stand in this order:
///
/// 1. ``Step/begin(sections:rows:)``.
/// 2. ``Step/delete(_:_:)``, from the last old place to the first.
/// 3. ``Step/deleteSection(_:_:)``, from the last old number to the first. All rows of such a section are
///    deleted or move away.
/// 4. ``Step/insertSection(_:_:)``, from the first new number to the last. All rows of such a section are
///    inserted or move there.
/// 5. ``Step/insert(_:_:)`` and ``Step/move(from:to:_:isChanged:)``, from the first new place to the last.
/// 6. ``Step/update(from:to:_:)``, from the first new place to the last.
/// 7. ``Step/end(sections:rows:)``.
///
/// Whoever changes a result in place takes away the rows that are deleted or move, by their old places from the
/// last to the first; then does the steps from 3 on as they come, a move as an insertion. As few rows move as
/// can be: those that stay are a longest sequence of rows that keep section and order.
package struct ChangeSet<Row: KeyedRow>: Equatable, Sendable {
  /// One thing that happens to a result.
  package enum Step: Equatable, Sendable {
    /// The result has so many sections and rows before.
    case begin(sections: Int, rows: Int)
    /// The row at an old place is in the result no more.
    case delete(RowPlace, Row.RowID)
    /// The section of an old number is no more.
    case deleteSection(Int, SectionKey)
    /// There is a section of a new number that was not there.
    case insertSection(Int, SectionKey)
    /// A row that was not in the result stands at a new place.
    case insert(RowPlace, Row)
    /// A row has gone from an old place to a new one, and perhaps shows something else there.
    case move(from: RowPlace, to: RowPlace, Row, isChanged: Bool)
    /// A row shows something else; its places differ only by what happened to others.
    case update(from: RowPlace, to: RowPlace, Row)
    /// The result has so many sections and rows after.
    case end(sections: Int, rows: Int)
  }

  /// From the beginning to the end.
  package let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// Whether nothing is different: there is no step between the beginning and the end.
  package var isEmpty: Bool { steps.count == 2 }

  /// Makes the old result the new one; the steps mean what this does.
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

  /// The old places of the rows that are not where they were, in the order of the steps.
  private var departures: [RowPlace] {
    steps.compactMap { step in
      switch step {
      case .delete(let place, _), .move(let place, _, _, _): place
      default: nil
      }
    }
  }
}
