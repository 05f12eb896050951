internal import Domain

/// A component of a card or calendar file: the lines between a BEGIN and its END.
struct Component: Sendable {
  /// The name of the component in capitals.
  let name: String
  let place: ForeignPlace
  var lines: [ContentLine] = []
  var children: [Component] = []
  /// Whether the component has more properties than the limit; `lines` then holds only the first ones.
  var isTooLong = false

  /// Returns the first readable property with the given name.
  func first(_ name: String) -> ContentLine? {
    lines.first { $0.name == name && $0.unreadableSet == nil }
  }

  /// Returns all readable properties with the given name.
  func all(_ name: String) -> [ContentLine] {
    lines.filter { $0.name == name && $0.unreadableSet == nil }
  }

  /// Returns the fault to report for a missing or unreadable property.
  func fault(of name: String) -> ForeignFault {
    let set = lines.lazy.filter { $0.name == name }.compactMap(\.unreadableSet).first
    return set.map { .characterSet(field: name, $0) } ?? .missing(name)
  }

  /// The lines of the component, with its BEGIN and END.
  var text: [String] {
    ["BEGIN:" + name] + lines.map(\.unfolded) + children.flatMap(\.text) + ["END:" + name]
  }
}

/// Reads the components of a file, and notes its faults.
struct ComponentReader {
  private(set) var components: [Component] = []
  /// The file with its faults; this type adds no records to it.
  private(set) var file: ForeignFile
  private var stack: [Component] = []
  private var counts: [String: Int] = [:]
  private let limits: ForeignSettings.Limits
  /// Whether the use of a guessed character set has been reported.
  private var hasGuessed = false
  /// The number of open components beyond the depth limit.
  private var excess = 0

  /// Returns whether a component with the given name has begun anywhere in the file.
  func hasBegun(_ name: String) -> Bool { counts[name] != nil }

  /// Whether the reader found neither a component nor a fault.
  var isEmpty: Bool { components.isEmpty && file.skipped.isEmpty }

  init(
    _ bytes: [UInt8], of format: FileFormat, _ limits: ForeignSettings.Limits
  ) throws(ForeignFault) {
    self.limits = limits
    file = ForeignFile(format)
    var budget = UnpackingBudget(fileBytes: bytes.count)
    var lines = ContentLines(bytes, limit: limits.fieldBytes)
    while let (line, number) = lines.next() {
      // A line of one or two bytes takes far more space in memory than in the file.
      guard budget.spend(line?.memoryBytes ?? 0) else {
        throw .unpacksTooMuch("the text up to line \(number)", limit: budget.limit)
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
        return file.skip(.line(line.number), .broken("\(line.name) is outside all components"))
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
    // If an END is missing, the next BEGIN still starts a new card. A card may contain another card only inside an
    // AGENT.
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
      return file.skip(.line(line.number), .broken("END:\(name) has no matching BEGIN"))
    }
    while stack.count > place + 1 { drop(stack.removeLast()) }
    keep(stack.removeLast())
  }

  /// Keeps a component that has ended.
  ///
  /// A component with too many properties is skipped, because keeping only some of them would silently lose the others.
  private mutating func keep(_ component: Component) {
    if component.isTooLong {
      file.skip(component.place, .tooManyParts("properties", limit: limits.properties))
      // The contents of a calendar are valid even if the properties of the calendar itself are skipped.
      guard component.name == "VCALENDAR" else { return }
    }
    if stack.isEmpty {
      components.append(component)
    } else {
      stack[stack.count - 1].children.append(component)
    }
  }

  /// Drops a component that has no END; the complete components inside a calendar are kept.
  private mutating func drop(_ component: Component) {
    guard component.name == "VCALENDAR" else {
      return file.skip(component.place, .broken("END:\(component.name) is missing"))
    }
    components.append(component)
    file.remark(component.place, .cutOff(missing: "END:VCALENDAR"))
  }
}

extension ContentLine {
  /// The approximate size of the line in memory.
  fileprivate var memoryBytes: Int {
    let parameterBytes = parameters.reduce(0) { $0 + 64 + 16 * $1.values.count }
    return 72 + parameterBytes + (head?.utf8.count ?? 0) + value.utf8.count
  }
}
