package import Daybook
import Domain

extension Dependence {
  private static let shownDependents = 3

  /// The record and its dependents, in words.
  package var words: String {
    let shown = dependents.prefix(Self.shownDependents).map { dependent in
      dependent.id == id
        ? "edits by \(dependent.device.visible)"
        : "\(dependent.kind.name) '\(dependent.title.visible)' of \(dependent.device.visible)"
    }
    let rest = dependents.count - shown.count
    let all = shown + (rest > 0 ? ["\(rest) more"] : [])
    return "\(kind.name) '\(title.visible)' has been used since: \(all.joined(separator: ", "))"
  }
}
