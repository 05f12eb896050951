import Bytes
import Domain
import ReadModel

/// The repeat fields of a to-do.
struct RepeatDetails: Equatable, Sendable {
  /// The text of the rule.
  let rule: String?
  let until: CivilDate?
  let slot: CivilDate?
  let firstDue: CivilDate?
  let series: UniqueID?

  init(_ row: TodoRow) {
    rule = row.rule
    until = row.until
    slot = row.slot
    firstDue = row.firstDue
    series = row.seriesID
  }
}
