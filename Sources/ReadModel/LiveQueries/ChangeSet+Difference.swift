extension ChangeSet {
  /// Finds the steps from one result to another, in O(n log n) for n rows.
  ///
  /// - Parameters:
  ///   - old: The earlier result; its sections are sorted by key, and no two keys are equal.
  ///   - new: The later result, in the same form.
  package init(from old: [RowSection<Row>], to new: [RowSection<Row>]) {
    self = Difference(from: old, to: new).changes
  }
}

/// A result as one sequence of rows, over all sections.
private struct Flat<Row: KeyedRow> {
  let sections: [RowSection<Row>]
  /// The section of each row and its place in the section.
  let places: [RowPlace]

  init(_ sections: [RowSection<Row>]) {
    precondition(
      zip(sections, sections.dropFirst()).allSatisfy { $0.key < $1.key },
      "sections are in the order of their keys")
    self.sections = sections
    places = sections.enumerated().flatMap { section, content in
      content.rows.indices.map { RowPlace(section, $0) }
    }
  }

  var count: Int { places.count }

  subscript(index: Int) -> Row {
    let place = places[index]
    return sections[place.section].rows[place.row]
  }

  func key(at index: Int) -> SectionKey { sections[places[index].section].key }
}

/// Two results, with a mapping between their rows.
private struct Difference<Row: KeyedRow> {
  private let old: Flat<Row>
  private let new: Flat<Row>
  /// For each section of the old result, its index in the new result; nil if it was removed.
  private let kept: [Int?]
  /// For each row of the new result, its index in the old result; nil if it was inserted.
  private var sources: [Int?]
  /// For each row of the old result, whether it is in the new result.
  private var remains: [Bool]
  /// For each row of the new result, whether it stays while other rows move around it.
  private var stays: [Bool]

  init(from old: [RowSection<Row>], to new: [RowSection<Row>]) {
    self.old = Flat(old)
    self.new = Flat(new)
    kept = Self.matches(old.map(\.key), new.map(\.key))
    sources = Array(repeating: nil, count: self.new.count)
    remains = Array(repeating: false, count: self.old.count)
    stays = Array(repeating: false, count: self.new.count)
    let middle = keepEnds()
    findSources(in: middle)
    findStaying(in: middle.new)
  }

  /// The index of each key among other keys, or nil; both arrays are sorted.
  private static func matches(_ keys: [SectionKey], _ others: [SectionKey]) -> [Int?] {
    var next = 0
    return keys.map { key in
      while next < others.count, others[next] < key { next += 1 }
      return next < others.count && others[next] == key ? next : nil
    }
  }

  /// Keeps the rows that are the same at the start and at the end of both results.
  ///
  /// These rows are always part of a longest common sequence.
  ///
  /// - Returns: The ranges between the rows that are kept.
  private mutating func keepEnds() -> (old: Range<Int>, new: Range<Int>) {
    var first = 0
    let shorter = min(old.count, new.count)
    while first < shorter, isSame(first, first) {
      keep(first, as: first)
      first += 1
    }
    var count = 0
    while count < shorter - first, isSame(old.count - 1 - count, new.count - 1 - count) {
      keep(old.count - 1 - count, as: new.count - 1 - count)
      count += 1
    }
    return (first..<old.count - count, first..<new.count - count)
  }

  private func isSame(_ source: Int, _ index: Int) -> Bool {
    isInSameSection(source, index) && old[source].rowID == new[index].rowID
  }

  private func isInSameSection(_ source: Int, _ index: Int) -> Bool {
    kept[old.places[source].section] == new.places[index].section
  }

  private mutating func keep(_ source: Int, as index: Int) {
    sources[index] = source
    remains[source] = true
    stays[index] = true
  }

  private mutating func findSources(in middle: (old: Range<Int>, new: Range<Int>)) {
    var indices: [Row.RowID: Int] = Dictionary(minimumCapacity: middle.old.count)
    for index in middle.old {
      let isNew = indices.updateValue(index, forKey: old[index].rowID) == nil
      precondition(isNew, "no two rows of a result share their id")
    }
    for index in middle.new {
      guard let source = indices.removeValue(forKey: new[index].rowID) else { continue }
      sources[index] = source
      remains[source] = true
    }
  }

  /// Marks a longest sequence of rows that keep their section and their order.
  private mutating func findStaying(in range: Range<Int>) {
    let candidates = range.filter { index in
      sources[index].map { isInSameSection($0, index) } ?? false
    }
    // Sections keep their order, so the sequence is also a longest such sequence within each section.
    for place in longestIncreasing(candidates.map { sources[$0] ?? 0 }) {
      stays[candidates[place]] = true
    }
  }

  var changes: ChangeSet<Row> {
    var steps: [ChangeSet<Row>.Step] = [.begin(sections: old.sections.count, rows: old.count)]
    for index in remains.indices.reversed() where !remains[index] {
      steps.append(.delete(old.places[index], old[index].rowID))
    }
    for section in kept.indices.reversed() where kept[section] == nil {
      steps.append(.deleteSection(section, old.sections[section].key))
    }
    let known = Set(kept.compactMap(\.self))
    for section in new.sections.indices where !known.contains(section) {
      steps.append(.insertSection(section, new.sections[section].key))
    }
    for index in stays.indices where !stays[index] { steps.append(arrival(at: index)) }
    for index in stays.indices where stays[index] {
      guard let source = sources[index], old[source] != new[index] else { continue }
      steps.append(.update(from: old.places[source], to: new.places[index], new[index]))
    }
    return ChangeSet(steps + [.end(sections: new.sections.count, rows: new.count)])
  }

  private func arrival(at index: Int) -> ChangeSet<Row>.Step {
    let (place, row) = (new.places[index], new[index])
    guard let source = sources[index] else { return .insert(place, row) }
    return .move(from: old.places[source], to: place, row, isChanged: old[source] != row)
  }
}

/// The indices of a longest increasing subsequence; the numbers are distinct.
private func longestIncreasing(_ numbers: [Int]) -> [Int] {
  // `ends` contains, for each length, the index of the smallest number that ends a subsequence of that length. `before`
  // contains, for each index, the index before it in such a subsequence.
  var ends: [Int] = []
  var before: [Int?] = []
  before.reserveCapacity(numbers.count)
  for (place, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    // Most numbers extend the longest subsequence.
    if let last = ends.last, numbers[last] < number { low = high }
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    before.append(low > 0 ? ends[low - 1] : nil)
    if low == ends.count { ends.append(place) } else { ends[low] = place }
  }
  var sequence: [Int] = []
  var next = ends.last
  while let place = next {
    sequence.append(place)
    next = before[place]
  }
  return sequence.reversed()
}
