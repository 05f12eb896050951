extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which `isAfter` holds, or the end index if there is none.
  ///
  /// If `isAfter` holds for an element, it must hold for all that follow.
  ///
  /// - Complexity: O(log n).
  package func firstPlace(isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
