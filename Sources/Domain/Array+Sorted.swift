extension RandomAccessCollection where Index == Int {
  /// The place of the first element for which `isAfter` holds, where it holds for all that follow.
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

extension Array where Element: Comparable {
  /// Keeps the array sorted and without repetition.
  mutating func insertSorted(_ element: Element) {
    let place = firstPlace { $0 >= element }
    if place == count || self[place] != element { insert(element, at: place) }
  }
}

extension Array {
  /// Takes in elements in their order, which this array is in as well.
  ///
  /// - Parameters:
  ///   - others: What to take in.
  ///   - precedes: Whether one comes before another.
  ///   - choose: Which of two is kept that stand in one place, the one that was there first being the first.
  mutating func join(
    _ others: [Element], by precedes: (Element, Element) -> Bool,
    keeping choose: (Element, Element) -> Element
  ) {
    // Each of many would move all that follow it.
    if others.count > count / 8 { return merge(others, by: precedes, keeping: choose) }
    for other in others {
      let place = firstPlace { !precedes($0, other) }
      if place < count, !precedes(other, self[place]) {
        self[place] = choose(self[place], other)
      } else {
        insert(other, at: place)
      }
    }
  }

  private mutating func merge(
    _ others: [Element], by precedes: (Element, Element) -> Bool,
    keeping choose: (Element, Element) -> Element
  ) {
    var merged: [Element] = []
    merged.reserveCapacity(count + others.count)
    var next = 0
    for other in others {
      while next < count, !precedes(other, self[next]) {
        merged.append(self[next])
        next += 1
      }
      if let last = merged.last, !precedes(last, other) {
        merged[merged.count - 1] = choose(last, other)
      } else {
        merged.append(other)
      }
    }
    self = merged + self[next...]
  }
}
