/// The properties of a component that is written back.
///
/// Unchanged properties keep their original text and order.
struct RevisedLines {
  /// The lines that replace each original line.
  private var slots: [[ContentLine]]
  /// Lines that do not replace an original line.
  private var added: [ContentLine] = []

  init(_ lines: [ContentLine]) { slots = lines.map { [$0] } }

  var lines: [ContentLine] { slots.flatMap(\.self) + added }

  /// Returns the first readable property with a name.
  func first(_ name: String) -> ContentLine? {
    places(name).first.flatMap { slots[$0].first }
  }

  func lines(at place: Int) -> [ContentLine] { slots[place] }

  func has(_ name: String) -> Bool { lines.contains { $0.name == name } }

  /// Returns the places of the readable properties with the given names.
  func places(_ names: String...) -> [Int] {
    slots.indices.filter { place in
      slots[place].contains { names.contains($0.name) && $0.unreadableSet == nil }
    }
  }

  /// Replaces the first of the given properties with lines and removes the others.
  ///
  /// If there are no properties, the lines are added at the end.
  mutating func replace(_ places: [Int], with lines: [ContentLine]) {
    for place in places { slots[place] = [] }
    if let first = places.first { slots[first] = lines } else { added += lines }
  }

  /// Replaces the first property with the given name, or adds the line at the end; if the line is nil, removes the
  /// property.
  mutating func replace(_ name: String, with line: ContentLine?) {
    replace(Array(places(name).prefix(1)), with: [line].compactMap(\.self))
  }

  /// Changes the value of the first property with the given name and keeps its parameters, except those that no longer
  /// fit.
  mutating func revise(_ name: String, with line: ContentLine?) {
    guard let line, let place = places(name).first else { return replace(name, with: line) }
    for index in slots[place].indices {
      slots[place][index].value = line.value
      // RFC 5545 3.2.1: ALTREP points to another form of the same text, which no longer matches.
      if slots[place][index].values("ALTREP") != [] {
        slots[place][index].parameters.removeAll { $0.name == "ALTREP" }
      }
    }
  }

  /// Changes the first property with the given name, if there is one.
  mutating func edit(_ name: String, _ change: (inout ContentLine) -> Void) {
    guard let place = places(name).first else { return }
    for index in slots[place].indices { change(&slots[place][index]) }
  }
}
