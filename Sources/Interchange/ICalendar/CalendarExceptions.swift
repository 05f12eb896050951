/// The exceptions of recurring components: components with the same uid as the component with the rule, which alone has
/// no RECURRENCE-ID (RFC 5545 3.8.4.4).
struct CalendarExceptions {
  private var exceptions: [String: [Component]] = [:]
  private let rules: Set<String>

  /// Finds the exceptions in a calendar.
  init(_ calendar: Component) {
    let parts = calendar.children.filter { ["VEVENT", "VTODO"].contains($0.name) }
    rules = Set(parts.filter { $0.first("RECURRENCE-ID") == nil }.compactMap(Self.key))
    for part in parts where part.first("RECURRENCE-ID") != nil {
      guard let key = Self.key(part), rules.contains(key) else { continue }
      exceptions[key, default: []].append(part)
    }
  }

  /// Returns whether a component is an exception that is kept with its rule.
  func holds(_ component: Component) -> Bool {
    component.first("RECURRENCE-ID") != nil && Self.key(component).map(rules.contains) ?? false
  }

  /// Removes and returns the exceptions of a component, so that they are assigned only once.
  mutating func take(of component: Component) -> [Component] {
    Self.key(component).flatMap { exceptions.removeValue(forKey: $0) } ?? []
  }

  private static func key(_ component: Component) -> String? {
    component.first("UID").map { component.name + ":" + $0.value }
  }
}
