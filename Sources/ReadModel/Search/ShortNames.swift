package import Bytes
internal import Domain

/// The ids of the given documents, each shortened to the length that distinguishes it from the ids of all other living
/// documents.
///
/// The id of a deleted document also differs from the ids of all other deleted documents, because commands that restore
/// or erase choose among deleted documents.
package struct ShortNames: Sendable {
  private enum Telling {
    /// The number of letters of each id.
    case lengths([UniqueID: Int])
    /// The ids of all members of living and of deleted documents, each sorted.
    case all(living: [UniqueID], dead: [UniqueID])
  }

  private let telling: Telling

  init(lengths: [UniqueID: Int]) { telling = .lengths(lengths) }

  init(living: [UniqueID], dead: [UniqueID]) { telling = .all(living: living, dead: dead) }

  /// A short form of an id that users can type, with at least `ShortID.fewestLetters` letters.
  package func name(of id: UniqueID) -> String {
    let length =
      switch telling {
      case .lengths(let lengths): lengths[id] ?? ShortID.length
      case .all(let living, let dead):
        Self.contains(id, in: living)
          ? Self.length(of: id, among: living)
          : max(Self.length(of: id, among: living), Self.length(of: id, among: dead))
      }
    return ShortID.text(of: id, length: max(length, ShortID.fewestLetters))
  }

  private static func length(of id: UniqueID, among living: [UniqueID]) -> Int {
    let place = place(of: id, in: living)
    var length = place > 0 ? ShortID.lengthTelling(id, from: living[place - 1]) : 1
    let next = place < living.count && living[place] == id ? place + 1 : place
    if next < living.count { length = max(length, ShortID.lengthTelling(id, from: living[next])) }
    return length
  }

  /// Whether an id is among sorted ids.
  static func contains(_ id: UniqueID, in ids: [UniqueID]) -> Bool {
    let place = place(of: id, in: ids)
    return place < ids.count && ids[place] == id
  }

  /// The number of sorted ids before a given id.
  ///
  /// This binary search is separate because `firstPlace(isAfter:)` is in another module and is not specialized here.
  /// For a long list, that method took three times as many instructions.
  private static func place(of id: UniqueID, in ids: [UniqueID]) -> Int {
    var (first, end) = (0, ids.count)
    while first < end {
      let middle = (first + end) / 2
      if ids[middle] < id { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
