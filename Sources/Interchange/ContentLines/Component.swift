internal import Domain

/// What stands between a BEGIN and its END.
struct Component: Sendable {
  /// In capitals.
  let name: String
  let place: ForeignPlace
  var lines: [ContentLine] = []
  var children: [Component] = []

  func first(_ name: String) -> ContentLine? { lines.first { $0.name == name } }

  func all(_ name: String) -> [ContentLine] { lines.filter { $0.name == name } }

  /// The component as lines, its own BEGIN and END included.
  var text: [String] {
    ["BEGIN:" + name] + lines.map(\.unfolded) + children.flatMap(\.text) + ["END:" + name]
  }
}

/// The components of a file, and what is wrong with it.
struct ComponentReader {
  private(set) var components: [Component] = []
  private(set) var faults: [(place: ForeignPlace, fault: ForeignFault)] = []
  private var stack: [Component] = []
  private var counts: [String: Int] = [:]
  private let depth: Int
  /// How many components deeper than is taken.
  private var excess = 0

  /// Whether a component of a name begins somewhere.
  func hasBegun(_ name: String) -> Bool { counts[name] != nil }

  /// Whether there is nothing in the file.
  var isEmpty: Bool { components.isEmpty && faults.isEmpty }

  init(_ bytes: [UInt8], _ limits: ForeignSettings.Limits) {
    depth = limits.depth
    var lines = ContentLines(bytes, limit: limits.fieldBytes)
    while let (line, number) = lines.next() {
      if let line { take(line) } else { faults.append((.line(number), .broken("no property"))) }
      if components.count > limits.records {
        faults.append((components[limits.records].place, .tooMany(limit: limits.records)))
        components.removeLast()
        break
      }
    }
    while let open = stack.popLast() { drop(open) }
  }

  private mutating func take(_ line: ContentLine) {
    switch line.name {
    case "BEGIN": begin(line)
    case "END": end(line)
    default:
      if excess > 0 { return }
      guard !stack.isEmpty else {
        faults.append((.line(line.number), .broken("\(line.name) outside of everything")))
        return
      }
      stack[stack.count - 1].lines.append(line)
    }
  }

  private mutating func begin(_ line: ContentLine) {
    let name = line.value.trimmed.uppercased()
    if excess > 0 || stack.count >= depth {
      if excess == 0 { faults.append((.line(line.number), .tooDeep(limit: depth))) }
      excess += 1
      return
    }
    // Where no END came, a new card begins all the same; only in an AGENT another card may stand.
    let isInAgent = stack.last?.lines.last.map { $0.name == "AGENT" && $0.value.isEmpty } ?? false
    if name == "VCARD" || name == "VCALENDAR" || name == "VEVENT" || name == "VTODO", !isInAgent {
      while let place = stack.lastIndex(where: { $0.name == name }) {
        while stack.count > place { drop(stack.removeLast()) }
      }
    }
    counts[name, default: 0] += 1
    stack.append(
      Component(name: name, place: .part(name, counts[name] ?? 0, line: line.number)))
  }

  private mutating func end(_ line: ContentLine) {
    if excess > 0 {
      excess -= 1
      return
    }
    let name = line.value.trimmed.uppercased()
    guard let place = stack.lastIndex(where: { $0.name == name }) else {
      faults.append((.line(line.number), .broken("END:\(name) without its BEGIN")))
      return
    }
    while stack.count > place + 1 { drop(stack.removeLast()) }
    let component = stack.removeLast()
    if stack.isEmpty {
      components.append(component)
    } else {
      stack[stack.count - 1].children.append(component)
    }
  }

  /// Leaves out a component that never ends; what is whole in a calendar is kept.
  private mutating func drop(_ component: Component) {
    faults.append((component.place, .broken("END:\(component.name) is missing")))
    if component.name == "VCALENDAR" { components.append(component) }
  }
}
