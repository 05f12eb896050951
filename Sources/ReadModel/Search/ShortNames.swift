package import Bytes
internal import Domain

/// The ids of some documents, each as short as tells it from all living ones.
package struct ShortNames: Sendable {
  private enum Telling {
    /// How many letters each of them takes.
    case lengths([UniqueID: Int])
    /// All that live, in the order of their ids.
    case living([UniqueID])
  }

  private let telling: Telling

  init(lengths: [UniqueID: Int]) { telling = .lengths(lengths) }

  init(living: [UniqueID]) { telling = .living(living) }

  /// One of the ids as people type it, not shorter than is taken for one.
  package func name(of id: UniqueID) -> String {
    let length =
      switch telling {
      case .lengths(let lengths): lengths[id] ?? ShortID.length
      case .living(let living): Self.length(of: id, among: living)
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

  /// How many of some sorted ids come before one.
  ///
  /// Written out: `firstPlace(isAfter:)` is of another module, where it is compiled for no type in particular, and took
  /// three times the instructions for a long list.
  private static func place(of id: UniqueID, in ids: [UniqueID]) -> Int {
    var (first, end) = (0, ids.count)
    while first < end {
      let middle = (first + end) / 2
      if ids[middle] < id { first = middle + 1 } else { end = middle }
    }
    return first
  }
}
