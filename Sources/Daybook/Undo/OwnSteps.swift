import Journaling

/// A command, or a run of commands, that is undone as a whole.
struct Step: Equatable {
  /// The first event of the command, or the begin marker of the run.
  ///
  /// Its sequence identifies the step.
  var first: UInt64
  /// The events of the step, without markers.
  var events: [ClosedRange<UInt64>]
  /// The first event of the step that this step undoes, if both are in the same log.
  var undoes: UInt64?
  /// The first event of the commands that this step undoes, if they are in another log.
  var undoesElsewhere: EventName?
  /// Whether the step undoes everything that a device did starting with `undoesElsewhere`, rather than one step.
  var undoesAllSince = false
  /// The time at which the step began, as users see it.
  var time: Int64
  /// The source and the progress of a run; nil for a single command.
  var run: RunProgress?

  /// The progress of a run.
  struct RunProgress: Equatable {
    var source: RunMarker
    /// The total number of records done, from the last end marker; nil if the run has none.
    var done: UInt64?
  }
}

/// Finds the steps of a log, given its events in order.
struct StepFinder {
  private(set) var steps: [Step] = []
  private var openRun: OpenRun?
  private var command: ClosedRange<UInt64>?

  /// The event that a command or a marker undoes, in the same log or in another log.
  enum Link {
    case here(UInt64)
    case elsewhere(EventName)

    var sequence: UInt64? { if case .here(let sequence) = self { sequence } else { nil } }
    var name: EventName? { if case .elsewhere(let name) = self { name } else { nil } }
  }

  /// Takes the next event, with the event that it undoes and its marker, if any.
  mutating func take(
    _ event: EventRecord, link: Link?, marker: RunMarker?, isFact: Bool
  ) {
    if let marker { return take(marker, at: event, link: link) }
    guard isFact else { return }
    if let command, command.contains(event.sequence) { return }
    let whole = event.sequence...(event.sequence + event.more)
    command = whole
    // A command that does not belong to the run was written after an interruption of the run.
    if let openRun, !openRun.holds(event, link) { closeRun() }
    if openRun != nil {
      openRun?.step.events.append(whole)
      // In a run that undoes one step of another log, each command contains the link.
      if openRun?.step.undoesElsewhere == nil { openRun?.step.undoesElsewhere = link?.name }
    } else {
      append(
        Step(
          first: event.sequence, events: [whole], undoes: link?.sequence,
          undoesElsewhere: link?.name, time: event.shownTime))
    }
  }

  mutating func take(_ marker: RunMarker, at event: EventRecord, link: Link?) {
    switch marker.edge {
    case .begin:
      closeRun()
      // A source that was read in several batches or in resumed runs is one step.
      if let last = steps.last, last.run?.source.source == marker.source,
        last.run?.done == marker.count, marker.count > 0
      {
        openRun = OpenRun(step: steps.removeLast(), begin: event)
      } else {
        let step = Step(
          first: event.sequence, events: [], undoes: link?.sequence,
          undoesElsewhere: link?.name, undoesAllSince: link?.name != nil, time: event.shownTime,
          run: .init(source: marker, done: nil))
        openRun = OpenRun(step: step, begin: event)
      }
    // An end with the digest of another source does not end this run.
    case .end where openRun?.step.run?.source.source != marker.source: break
    case .end:
      openRun?.step.run?.done = marker.count
      closeRun()
    }
  }

  /// Ends the open run, if there is one.
  mutating func closeRun() {
    guard let run = openRun else { return }
    append(run.step)
    openRun = nil
  }

  /// Appends a step, or merges it with the last step.
  ///
  /// An interrupted undo of another log and the next undo of the same target, which completed it, are one step.
  private mutating func append(_ step: Step) {
    var step = step
    if let last = steps.last, last.isCutShortElsewhere,
      last.undoesElsewhere == step.undoesElsewhere, last.undoesAllSince == step.undoesAllSince
    {
      steps.removeLast()
      (step.first, step.time, step.events) = (last.first, last.time, last.events + step.events)
    }
    steps.append(step)
  }
}

/// A run whose end has not been read yet.
private struct OpenRun {
  var step: Step
  /// The most recently read begin marker.
  let begin: EventRecord

  /// Whether a command belongs to the run.
  ///
  /// All commands of a run have the time of its begin marker. In a run that undoes one step of another log, each
  /// command contains the link to that step. In any other run, commands contain no link.
  func holds(_ command: EventRecord, _ link: StepFinder.Link?) -> Bool {
    guard command.time == begin.time else { return false }
    let isOneElsewhere = step.undoesElsewhere != nil && !step.undoesAllSince
    switch link {
    case nil:
      if isOneElsewhere { return false }
    case .here: return false
    case .elsewhere(let name):
      let isFirst = step.events.isEmpty && step.undoes == nil && step.undoesElsewhere == nil
      guard isFirst || isOneElsewhere && step.undoesElsewhere == name else { return false }
    }
    // The stated times must be equal only in an undo, because the events of an import have the times of their source.
    let isUndo = step.undoes != nil || step.undoesElsewhere != nil || link != nil
    return !isUndo || command.when == begin.when
  }
}

extension Step {
  /// Whether the step undoes a step of the same log in a run that has no end marker.
  ///
  /// Such a step does not count as an undo. The next undo of the same step completes it.
  var isCutShort: Bool { undoes != nil && run.map { $0.done == nil } ?? false }

  /// Whether the step undoes something in another log in a run that has no end marker.
  ///
  /// Such a step can be undone like any other, until the next undo of the same target completes it.
  var isCutShortElsewhere: Bool {
    undoesElsewhere != nil && run.map { $0.done == nil } ?? false
  }
}

extension [Step] {
  /// The step at the start of the chain of undos and redos that ends in `step`.
  func origin(of step: Step) -> Step {
    var origin = step
    while let other = origin.undoes, other < origin.first,
      let earlier = first(where: { $0.first == other })
    {
      origin = earlier
    }
    return origin
  }

  /// The events of this log to ignore when the targets are undone.
  ///
  /// Besides the events of the targets, these are the events of steps that are undone when the targets are ignored,
  /// and of all steps that undo a step of this log. If undos counted, undoing the second of two edits of a field
  /// would keep the first from being undone.
  func sequencesLeftOut(undoing targets: Set<UInt64>) -> Set<UInt64> {
    let undone = undone(without: targets)
    var leftOut: Set<UInt64> = []
    for step in self {
      let isGone =
        targets.contains(step.first) || step.isCutShort || undone.contains(step.first)
      // An undo or redo only determines which steps are in effect. The events that it wrote are ignored.
      if isGone || step.undoes != nil { leftOut.formUnion(step.sequences) }
    }
    return leftOut
  }

  /// The first events of the steps that are undone when `targets` are ignored.
  func undone(without targets: Set<UInt64> = []) -> Set<UInt64> {
    var undone: Set<UInt64> = []
    for step in reversed() where !targets.contains(step.first) && !step.isCutShort {
      if !undone.contains(step.first), let other = step.undoes { undone.insert(other) }
    }
    return undone
  }

  /// The step that an event belongs to.
  func step(holding sequence: UInt64) -> Step? {
    first { $0.first == sequence || $0.events.contains { $0.contains(sequence) } }
  }
}

/// The steps that can be undone and the steps that can be redone; the next step is the last in each list.
struct UndoStack {
  private(set) var done: [Step] = []
  private(set) var undone: [Step] = []

  init(_ steps: [Step]) {
    for step in steps { take(step) }
  }

  mutating func take(_ step: Step) {
    if step.isCutShort { return }
    guard let target = step.undoes else {
      if step.events.isEmpty { return }
      done.append(step)
      undone = []
      return
    }
    if let place = done.lastIndex(where: { $0.first == target }) {
      done.remove(at: place)
      undone.append(step)
    } else if let place = undone.lastIndex(where: { $0.first == target }) {
      undone.remove(at: place)
      done.append(step)
    } else {
      // The target is in neither list, for example because it is an undo that later commands removed from `undone`.
      // Undoing it is treated as a new command.
      done.append(step)
      undone = []
    }
  }
}

extension EventRecord {
  /// The time that users see.
  fileprivate var shownTime: Int64 { when ?? time }
}
