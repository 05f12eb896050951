extension Array {
  /// The place of the first element for which `isAfter` holds, in an array where it holds for all that follow.
  ///
  /// - Complexity: O(log n).
  func firstPlace(isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [EventKey] {
  /// Keeps the array sorted and without repetition.
  mutating func insertSorted(_ key: EventKey) {
    let place = firstPlace { $0 >= key }
    if place == count || self[place] != key { insert(key, at: place) }
  }
}
