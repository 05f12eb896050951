import Bytes
import ReadModel

/// A view that pages have open: what it showed last, and what was told of it lately.
struct Channel {
  /// How many commits a page may have missed and still be told what happened.
  private static let memory = 256

  private(set) var view: PageView
  /// What was told at which revision, the earliest first.
  private var told: [(revision: Int, events: [StreamEvent])] = []
  /// The earliest revision from which it can go on.
  private var start: Int
  /// The pages that follow it, by their connections.
  var followers: Set<UInt64> = []
  /// When it was asked for last, in revisions of nobody's clock but its own.
  var lastUse: Int

  init(_ view: PageView, at revision: Int, use: Int) {
    (self.view, start, lastUse) = (view, revision, use)
  }

  /// Makes the view what it is now.
  ///
  /// - Returns: What is to be told of it.
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

  /// What was told after a revision; nil where that is not known any more.
  func events(since revision: Int) -> [StreamEvent]? {
    guard revision >= start else { return nil }
    return told.filter { $0.revision > revision }.flatMap(\.events)
  }
}
