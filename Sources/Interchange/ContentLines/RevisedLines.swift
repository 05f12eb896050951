/// The properties of a component that goes back: each as it came and in its place, but for those that have changed.
struct RevisedLines {
  /// What stands now in the place of each that came.
  private var slots: [[ContentLine]]
  /// What came with none of them.
  private var added: [ContentLine] = []

  init(_ lines: [ContentLine]) { slots = lines.map { [$0] } }

  var lines: [ContentLine] { slots.flatMap(\.self) + added }

  /// The first property of a name that can be read.
  func first(_ name: String) -> ContentLine? {
    places(name).first.flatMap { slots[$0].first }
  }

  func lines(at place: Int) -> [ContentLine] { slots[place] }

  func has(_ name: String) -> Bool { lines.contains { $0.name == name } }

  /// Where the properties of a name stand that can be read.
  func places(_ names: String...) -> [Int] {
    slots.indices.filter { place in
      slots[place].contains { names.contains($0.name) && $0.unreadableSet == nil }
    }
  }

  /// Puts properties where others stand, or behind all if none of these is there.
  mutating func replace(_ places: [Int], with lines: [ContentLine]) {
    for place in places { slots[place] = [] }
    if let first = places.first { slots[first] = lines } else { added += lines }
  }

  /// Puts a property where the first of a name stands, or behind all; where it is none, that one goes.
  mutating func replace(_ name: String, with line: ContentLine?) {
    replace(Array(places(name).prefix(1)), with: [line].compactMap(\.self))
  }

  /// Gives the first property of a name another value and leaves what else it says, as long as that fits.
  mutating func revise(_ name: String, with line: ContentLine?) {
    guard let line, let place = places(name).first else { return replace(name, with: line) }
    for index in slots[place].indices {
      slots[place][index].value = line.value
      // RFC 5545 3.2.1: where the same text stands in another form, which is now another text.
      if slots[place][index].values("ALTREP") != [] {
        slots[place][index].parameters.removeAll { $0.name == "ALTREP" }
      }
    }
  }

  /// Changes the first property of a name, if it is there.
  mutating func edit(_ name: String, _ change: (inout ContentLine) -> Void) {
    guard let place = places(name).first else { return }
    for index in slots[place].indices { change(&slots[place][index]) }
  }
}
