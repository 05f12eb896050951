/// A sorted collection, in arrays of bounded length.
///
/// In a single array, each insertion moves all elements that follow it, so elements that arrive in reverse order
/// would take quadratic time.
struct SortedChunks<Element: Sendable>: Sendable {
  /// The position of an element or of an insertion; invalid once the elements change.
  struct Place {
    fileprivate var chunk: Int
    fileprivate var offset: Int
  }

  private static var mostInChunk: Int { 256 }

  /// The chunks, none of which is empty.
  private var chunks: [[Element]] = []
  private(set) var count = 0

  init() {}

  /// Creates a collection of elements that are already sorted.
  init(_ sorted: [Element]) {
    count = sorted.count
    chunks = stride(from: 0, to: sorted.count, by: Self.mostInChunk).map { start in
      Array(sorted[start..<Swift.min(start + Self.mostInChunk, sorted.count)])
    }
  }

  var isEmpty: Bool { count == 0 }

  var elements: [Element] {
    if chunks.count < 2 { return chunks.first ?? [] }
    var elements: [Element] = []
    elements.reserveCapacity(count)
    for chunk in chunks { elements += chunk }
    return elements
  }

  /// The place of the first element for which `isAfter` holds, or the end if there is none.
  ///
  /// If `isAfter` holds for an element, it must hold for all that follow.
  ///
  /// - Complexity: O(log n).
  func firstPlace(isAfter: (Element) -> Bool) -> Place {
    let chunk = chunks.firstPlace { isAfter($0[$0.count - 1]) }
    guard chunk < chunks.count else { return Place(chunk: chunk, offset: 0) }
    return Place(chunk: chunk, offset: chunks[chunk].firstPlace(isAfter: isAfter))
  }

  /// The element at a place; nil at the end.
  subscript(place: Place) -> Element? {
    place.chunk < chunks.count ? chunks[place.chunk][place.offset] : nil
  }

  /// The place before another place; nil at the beginning.
  func place(before place: Place) -> Place? {
    if place.offset > 0 { return Place(chunk: place.chunk, offset: place.offset - 1) }
    guard place.chunk > 0 else { return nil }
    return Place(chunk: place.chunk - 1, offset: chunks[place.chunk - 1].count - 1)
  }

  mutating func replace(at place: Place, by element: Element) {
    chunks[place.chunk][place.offset] = element
  }

  mutating func remove(at place: Place) {
    chunks[place.chunk].remove(at: place.offset)
    if chunks[place.chunk].isEmpty { chunks.remove(at: place.chunk) }
    count -= 1
  }

  /// Inserts an element before the element at a place.
  mutating func insert(_ element: Element, at place: Place) {
    count += 1
    guard place.chunk < chunks.count else { return append(element) }
    chunks[place.chunk].insert(element, at: place.offset)
    if chunks[place.chunk].count > Self.mostInChunk { split(place.chunk) }
  }

  /// Appends an element; elements that arrive in order leave full chunks behind.
  private mutating func append(_ element: Element) {
    if let last = chunks.indices.last, chunks[last].count < Self.mostInChunk {
      chunks[last].append(element)
    } else {
      chunks.append([element])
    }
  }

  private mutating func split(_ chunk: Int) {
    let start = chunks[chunk].count / 2
    let rest = Array(chunks[chunk][start...])
    chunks[chunk].removeSubrange(start...)
    chunks.insert(rest, at: chunk + 1)
  }
}

extension SortedChunks where Element: Comparable {
  /// Inserts an element unless the collection contains an equal element.
  mutating func insert(_ element: Element) {
    let place = firstPlace { $0 >= element }
    if self[place] != element { insert(element, at: place) }
  }
}
