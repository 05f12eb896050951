import Bytes

/// Everything joined with an entity, whatever the kinds, and the documents that it is.
final class Component: Sendable {
  /// One of its documents: the entities of a kind whose adds are folded.
  struct Membership: Sendable {
    /// By the stamps of their adds; never empty.
    let members: [EventKey]
    let isAlive: Bool

    var shown: EventKey { members[0] }
  }

  let keys: [EventKey]
  let documents: [Kind: Membership]
  /// The latest of its live aliases, which settle disputes.
  let settlers: [Mark]

  init(keys: [EventKey], documents: [Kind: Membership], settlers: [Mark]) {
    (self.keys, self.documents, self.settlers) = (keys, documents, settlers)
  }
}

/// The components that were worked out since what they are made of has changed last.
///
/// A question about each of many joined entities would otherwise go through all of them every time.
typealias ComponentCache = SharedMemo<EventKey, Component>

extension ComponentCache {
  /// The component of an entity, worked out unless it is kept.
  func component(of key: EventKey, _ work: () -> Component) -> Component {
    if let known = value(for: key) { return known }
    let component = work()
    keep(component, for: component.keys)
    return component
  }

  /// Forgets the component that an entity is in.
  func forgetComponent(of key: EventKey) {
    if let component = value(for: key) { forget(component.keys) }
  }
}
