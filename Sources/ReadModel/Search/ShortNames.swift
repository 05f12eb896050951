package import Bytes
internal import Domain

/// The ids of the given documents, each shortened to the length that distinguishes it from all other living ones.
package struct ShortNames: Sendable {
  private enum Telling {
    /// The number of letters of each id.
    case lengths([UniqueID: Int])
    /// The ids of all members of living documents and, if ids of deleted documents are wanted, of all documents, each
    /// sorted.
    case sorted(living: [UniqueID], all: [UniqueID])
  }

  private let telling: Telling

  init(lengths: [UniqueID: Int]) { telling = .lengths(lengths) }

  init(living: [UniqueID], all: [UniqueID] = []) { telling = .sorted(living: living, all: all) }

  /// Whether all the given ids are those of living documents.
  func areLiving(_ ids: [UniqueID]) -> Bool {
    guard case .sorted(let living, _) = telling else { return false }
    return ids.allSatisfy { Self.holds($0, living) }
  }

  /// A short form of an id that users can type, with at least `ShortID.fewestLetters` letters.
  package func name(of id: UniqueID) -> String {
    let length =
      switch telling {
      case .lengths(let lengths): lengths[id] ?? ShortID.length
      case .sorted(let living, let all):
        Self.length(of: id, among: all.isEmpty || Self.holds(id, living) ? living : all)
      }
    return ShortID.text(of: id, length: max(length, ShortID.fewestLetters))
  }

  private static func holds(_ id: UniqueID, _ ids: [UniqueID]) -> Bool {
    let place = place(of: id, in: ids)
    return place < ids.count && ids[place] == id
  }

  private static func length(of id: UniqueID, among living: [UniqueID]) -> Int {
    let place = place(of: id, in: living)
    var length = place > 0 ? ShortID.lengthTelling(id, from: living[place - 1]) : 1
    let next = place < living.count && living[place] == id ? place + 1 : place
    if next < living.count { length = max(length, ShortID.lengthTelling(id, from: living[next])) }
    return length
  }

  /// The number of sorted ids before a given one.
  ///
  /// This binary search is separate because `firstPlace(isAfter:)` is in another module and is not specialized here. It
  /// took three times as many instructions for a long list.
  private static func place(of id: UniqueID, in ids: [UniqueID]) -> Int {
    var (first, end) = (0, ids.count)
    while first < end {
      let middle = (first + end) / 2
      if ids[middle] < id { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
