import Bytes

/// Entities of any kind that are joined with one another, and the documents that they form.
final class Component: Sendable {
  /// A document of the component: its entities of one kind whose adds are folded.
  struct Membership: Sendable {
    /// The entities, sorted by the stamps of their adds; never empty.
    let members: [EventKey]
    let isAlive: Bool

    var shown: EventKey { members[0] }
  }

  let keys: [EventKey]
  let documents: [Kind: Membership]
  /// The component's latest live aliases, which settle disputes.
  let settlers: [Mark]

  init(keys: [EventKey], documents: [Kind: Membership], settlers: [Mark]) {
    (self.keys, self.documents, self.settlers) = (keys, documents, settlers)
  }
}

/// A cache of components, valid until the entities or aliases that they consist of change.
///
/// Without this cache, a query about each of many joined entities would traverse all of them every time.
typealias ComponentCache = SharedMemo<EventKey, Component>

extension ComponentCache {
  /// The component of an entity, from the cache or computed by `work`.
  func component(of key: EventKey, _ work: () -> Component) -> Component {
    if let known = value(for: key) { return known }
    let component = work()
    keep(component, for: component.keys)
    return component
  }

  /// Removes the component that contains an entity from the cache.
  func forgetComponent(of key: EventKey) {
    if let component = value(for: key) { forget(component.keys) }
  }
}
