import Journaling

/// Something a log did that can be undone as a whole: a command, or a run of them.
struct Step {
  /// The event that names it: the first of the command, or the mark where the run begins.
  var first: UInt64
  /// The events that belong to it, markers left out.
  var events: [ClosedRange<UInt64>]
  /// The step it undoes, by its first event.
  var undoes: UInt64?
  /// The event of another log with which what it undoes began, if that is a log of others.
  var undoesElsewhere: EventName?
  /// When it began.
  var time: Int64
  /// The source that was read, if it is a run.
  var run: RunProgress?

  /// How far a run got.
  struct RunProgress {
    var source: RunMarker
    /// Records done in all; nothing while the run was never ended.
    var done: UInt64?
  }
}

/// The steps of a log in order, found as its events go by.
struct StepFinder {
  private(set) var steps: [Step] = []
  private var openRun: Step?
  private var command: ClosedRange<UInt64>?

  /// What an event undoes.
  enum Link {
    case here(UInt64)
    case elsewhere(EventName)

    var sequence: UInt64? { if case .here(let sequence) = self { sequence } else { nil } }
    var name: EventName? { if case .elsewhere(let name) = self { name } else { nil } }
  }

  /// Takes in the next event, with what it undoes and what it marks, if anything.
  mutating func take(
    _ event: EventRecord, link: Link?, marker: RunMarker?, isFact: Bool
  ) {
    if let marker { return take(marker, at: event, link: link) }
    guard isFact else { return }
    if let command, command.contains(event.sequence) { return }
    let whole = event.sequence...(event.sequence + event.more)
    command = whole
    if openRun != nil {
      openRun?.events.append(whole)
    } else {
      steps.append(
        Step(
          first: event.sequence, events: [whole], undoes: link?.sequence,
          undoesElsewhere: link?.name, time: event.time))
    }
  }

  mutating func take(_ marker: RunMarker, at event: EventRecord, link: Link?) {
    switch marker.edge {
    case .begin:
      closeRun()
      // A source read in several batches, or taken up again, is one step.
      if let last = steps.last, last.run?.source.source == marker.source,
        last.run?.done == marker.count, marker.count > 0
      {
        openRun = steps.removeLast()
      } else {
        openRun = Step(
          first: event.sequence, events: [], undoes: link?.sequence,
          undoesElsewhere: link?.name, time: event.time, run: .init(source: marker, done: nil))
      }
    case .end:
      openRun?.run?.done = marker.count
      closeRun()
    }
  }

  /// Ends the run under way, if any.
  mutating func closeRun() {
    guard let run = openRun else { return }
    steps.append(run)
    openRun = nil
  }
}

extension Step {
  /// Whether it is an undo that was cut short, which has not undone its step; doing it again writes what is left.
  var isCutShort: Bool { undoes != nil && run.map { $0.done == nil } ?? false }
}

extension [Step] {
  /// What a step did at first, if it is the redo of something, or the undo of that.
  func origin(of step: Step) -> Step {
    var origin = step
    while let other = origin.undoes, other < origin.first,
      let earlier = first(where: { $0.first == other })
    {
      origin = earlier
    }
    return origin
  }

  /// The events of this log that do not count when what a step did is taken away.
  ///
  /// Beside its own these are the commands that are undone then, and what undoing and redoing wrote; else
  /// the second of two edits of a field, undone, would keep the first from being undone.
  func sequencesLeftOut(undoing targets: Set<UInt64>) -> Set<UInt64> {
    let undone = undone(without: targets)
    var leftOut: Set<UInt64> = []
    for step in self {
      let isGone =
        targets.contains(step.first) || step.isCutShort || undone.contains(step.first)
      // An undo or redo only says what is in force; what it wrote for that is not looked at.
      if isGone || step.undoes != nil { leftOut.formUnion(step.sequences) }
    }
    return leftOut
  }

  /// The steps that are undone, by their first events, when some others are taken away.
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

/// Which steps can be undone and redone now, the next one last.
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
      // What was undone before the latest commands is done again out of turn, like a command of its own.
      done.append(step)
      undone = []
    }
  }
}
