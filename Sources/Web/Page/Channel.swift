import Bytes
import ReadModel

/// A view that pages have open, with its current content and its recent events.
struct Channel {
  /// The number of revisions that a page can miss and still receive the events rather than having to reload.
  private static let memory = 256

  private(set) var view: PageView
  /// The recent events with their revisions, earliest first.
  private var told: [(revision: Int, events: [StreamEvent])] = []
  /// The earliest revision from which a page can continue.
  private var start: Int
  /// The connections of the pages that follow the view.
  var followers: Set<UInt64> = []
  /// The value of the use counter of ``OpenViews`` when the view was last requested.
  var lastUse: Int

  init(_ view: PageView, at revision: Int, use: Int) {
    (self.view, start, lastUse) = (view, revision, use)
  }

  /// Replaces the view.
  ///
  /// - Returns: The events that describe the change.
  mutating func update(to new: PageView, at revision: Int, id: String) -> [StreamEvent] {
    defer { view = new }
    var events: [StreamEvent] = []
    let changes = ChangeSet(from: view.sections, to: new.sections)
    if !changes.isEmpty {
      events.append(StreamEvent("steps", .object(("ops", changes.json)), id: id))
    }
    if JSON.object(view.rest) != JSON.object(new.rest) {
      events.append(StreamEvent("rest", .object(new.rest), id: id))
    }
    if !events.isEmpty { told.append((revision, events)) }
    if let first = told.first, first.revision <= revision - Self.memory {
      start = first.revision
      told.removeFirst()
    }
    return events
  }

  /// Returns the events after a revision; nil if they are no longer stored.
  func events(since revision: Int) -> [StreamEvent]? {
    guard revision >= start else { return nil }
    return told.filter { $0.revision > revision }.flatMap(\.events)
  }
}
