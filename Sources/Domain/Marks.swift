/// Marks in the order of their events.
///
/// Most entities have one or none. That takes no array, which would be a further place in memory to go to for each
/// event of a fold.
package struct Marks: Hashable, Sendable {
  private var single: Mark?
  /// Empty but where there are several.
  private var several: [Mark] = []

  /// Takes marks that are in their order.
  package init(_ marks: [Mark] = []) {
    if marks.count > 1 { several = marks } else { single = marks.first }
  }

  /// Keeps a mark, either as the last of its log or beside the others.
  ///
  /// - Returns: Whether another one was dropped for it, or it for another one.
  mutating func keep(_ mark: Mark, besideOthers keepsAll: Bool) -> Bool {
    guard several.isEmpty else { return several.keep(mark, besideOthers: keepsAll) }
    guard let known = single else {
      single = mark
      return false
    }
    if known.key == mark.key { return false }
    let isLater = known.key < mark.key
    if !keepsAll, known.key.log == mark.key.log {
      if isLater { single = mark }
      return true
    }
    (single, several) = (nil, isLater ? [known, mark] : [mark, known])
    return false
  }
}

extension Marks: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { several.isEmpty ? single == nil ? 0 : 1 : several.count }

  package subscript(place: Int) -> Mark {
    guard several.isEmpty, place == 0, let single else { return several[place] }
    return single
  }
}
