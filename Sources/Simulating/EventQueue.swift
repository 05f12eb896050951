/// A world's future events, ordered by the world's clock.
struct EventQueue<Element> {
  private struct Entry {
    let time: Int64
    let number: Int
    let happening: Element
  }

  /// The entries, with the latest event first, so that the next event is at the end.
  private var entries: [Entry] = []
  private var count = 0

  var isEmpty: Bool { entries.isEmpty }

  /// Adds an event after all events that were added before for the same time.
  mutating func add(_ happening: Element, at time: Int64) {
    count += 1
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].time > time { low = middle + 1 } else { high = middle }
    }
    entries.insert(Entry(time: time, number: count, happening: happening), at: low)
  }

  /// Removes the next event, and returns it with its time.
  mutating func next() -> (time: Int64, happening: Element)? {
    entries.popLast().map { ($0.time, $0.happening) }
  }
}
