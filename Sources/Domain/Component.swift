internal import Synchronization

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
final class ComponentCache: Sendable {
  private let components = Mutex<[EventKey: Component]>([:])
  private let isFilled = Atomic(false)

  init() {}

  /// Whether nothing is kept.
  var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

  /// The component of an entity, worked out unless it is kept.
  func component(of key: EventKey, _ work: () -> Component) -> Component {
    components.withLock { components in
      if let known = components[key] { return known }
      let component = work()
      for key in component.keys { components[key] = component }
      isFilled.store(true, ordering: .releasing)
      return component
    }
  }

  /// Forgets the component that an entity is in.
  func forget(_ key: EventKey) {
    components.withLock { components in
      guard let component = components[key] else { return }
      for key in component.keys { components[key] = nil }
    }
  }
}
