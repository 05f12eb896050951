import Domain

extension Fact {
  /// The two entities that an alias joins; none for any other event.
  var joined: [EventKey] {
    guard body.verb == .alias, case .entity(let first) = body.target else { return [] }
    return [first] + body.writes.compactMap { $0.field == .with ? $0.value.reference : nil }
  }
}
