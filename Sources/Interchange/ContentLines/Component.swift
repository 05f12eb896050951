internal import Domain

/// What stands between a BEGIN and its END.
struct Component: Sendable {
  /// In capitals.
  let name: String
  let place: ForeignPlace
  var lines: [ContentLine] = []
  var children: [Component] = []
  /// Whether it has more properties than are taken; the lines are the first of them.
  var isTooLong = false

  /// The first property of a name that can be read.
  func first(_ name: String) -> ContentLine? {
    lines.first { $0.name == name && $0.unreadableSet == nil }
  }

  /// The properties of a name that can be read.
  func all(_ name: String) -> [ContentLine] {
    lines.filter { $0.name == name && $0.unreadableSet == nil }
  }

  /// The fault of a property that is not there, or cannot be read.
  func fault(of name: String) -> ForeignFault {
    let set = lines.lazy.filter { $0.name == name }.compactMap(\.unreadableSet).first
    return set.map { .characterSet(field: name, $0) } ?? .missing(name)
  }

  /// The component as lines, its own BEGIN and END included.
  var text: [String] {
    ["BEGIN:" + name] + lines.map(\.unfolded) + children.flatMap(\.text) + ["END:" + name]
  }
}

/// The components of a file, and what is wrong with it.
struct ComponentReader {
  private(set) var components: [Component] = []
  /// The file, of which only the faults are known.
  private(set) var file: ForeignFile
  private var stack: [Component] = []
  private var counts: [String: Int] = [:]
  private let limits: ForeignSettings.Limits
  /// Whether it was said that a line is read in a set that nobody names.
  private var hasGuessed = false
  /// How many components deeper than is taken.
  private var excess = 0

  /// Whether a component of a name begins somewhere.
  func hasBegun(_ name: String) -> Bool { counts[name] != nil }

  /// Whether there is nothing in the file.
  var isEmpty: Bool { components.isEmpty && file.skipped.isEmpty }

  init(
    _ bytes: [UInt8], of format: FileFormat, _ limits: ForeignSettings.Limits
  ) throws(ForeignFault) {
    self.limits = limits
    file = ForeignFile(format)
    var budget = UnpackingBudget(fileBytes: bytes.count)
    var lines = ContentLines(bytes, limit: limits.fieldBytes)
    while let (line, number) = lines.next() {
      // Lines of a byte or two take far more in memory than in the file.
      guard budget.spend(line?.memoryBytes ?? 0) else {
        throw .unpacksTooMuch("what is written up to line \(number)", limit: budget.limit)
      }
      if let line, line.isGuessed, !hasGuessed {
        hasGuessed = true
        file.remark(
          .line(number), .readAs(encoding: ForeignText.Encoding.windows1252.rawValue))
      }
      if let line { take(line) } else { file.skip(.line(number), .broken("no property")) }
      guard components.count <= limits.records else { throw .tooMany(limit: limits.records) }
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
        return file.skip(.line(line.number), .broken("\(line.name) outside of everything"))
      }
      let last = stack.count - 1
      if stack[last].lines.count < limits.properties {
        stack[last].lines.append(line)
      } else {
        stack[last].isTooLong = true
      }
    }
  }

  private mutating func begin(_ line: ContentLine) {
    let name = line.value.trimmed.uppercased()
    if excess > 0 || stack.count >= limits.depth {
      if excess == 0 { file.skip(.line(line.number), .tooDeep(limit: limits.depth)) }
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
      return file.skip(.line(line.number), .broken("END:\(name) without its BEGIN"))
    }
    while stack.count > place + 1 { drop(stack.removeLast()) }
    keep(stack.removeLast())
  }

  /// Keeps a component that has ended, unless it has too many properties: to keep some would lose the others unseen.
  private mutating func keep(_ component: Component) {
    if component.isTooLong {
      file.skip(component.place, .tooManyParts("properties", limit: limits.properties))
      // What is in a calendar is as it is, whatever the calendar says of itself.
      guard component.name == "VCALENDAR" else { return }
    }
    if stack.isEmpty {
      components.append(component)
    } else {
      stack[stack.count - 1].children.append(component)
    }
  }

  /// Leaves out a component that never ends; what is whole in a calendar is kept.
  private mutating func drop(_ component: Component) {
    file.skip(component.place, .broken("END:\(component.name) is missing"))
    if component.name == "VCALENDAR" { components.append(component) }
  }
}

extension ContentLine {
  /// What the line takes in memory, roughly.
  fileprivate var memoryBytes: Int {
    let parameterBytes = parameters.reduce(0) { $0 + 64 + 16 * $1.values.count }
    return 72 + parameterBytes + (head?.utf8.count ?? 0) + value.utf8.count
  }
}
