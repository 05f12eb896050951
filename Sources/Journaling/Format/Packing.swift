import Bytes

/// Joins sealed frames on their way from some files into one.
struct Packing {
  /// What the new file holds so far.
  var bytes: [UInt8] = []
  /// The log behind what was taken.
  private(set) var end: LogEnd?
  private var draft: FrameDraft?

  /// Takes the frame that waits, where the next one does not fit into it.
  mutating func finish(before frame: Frame) -> FrameDraft? {
    guard let draft,
      !draft.hasRoom(forEvents: frame.events.count, bytes: frame.eventRange.count)
    else { return nil }
    return finish()
  }

  /// Takes the frame that waits.
  mutating func finish() -> FrameDraft? { draft.take() }

  /// Adds a frame behind what was taken; one that stays alone keeps its bytes.
  ///
  /// - Returns: Whether it is a sealed frame that follows.
  mutating func take(_ frame: Frame, _ original: ArraySlice<UInt8>, _ chain: inout Chain) -> Bool {
    guard frame.head != nil, let start = frame.start, end == nil || end == start else {
      return false
    }
    let isAlone = draft == nil
    guard draft?.append(frame, &chain) ?? begin(frame, after: start, &chain) else { return false }
    if isAlone { draft?.original = .init(frame, Array(original)) }
    end = draft?.end
    return true
  }

  private mutating func begin(_ frame: Frame, after start: LogEnd, _ chain: inout Chain) -> Bool {
    var begun = FrameDraft(after: start)
    guard begun.append(frame, &chain) else { return false }
    draft = begun
    return true
  }
}
