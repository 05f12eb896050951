import Bytes

/// Joins the frames of several sealed files into one file.
struct Packing {
  /// The content of the new file so far.
  var bytes: [UInt8] = []
  /// The end of the log after the added frames.
  private(set) var end: LogEnd?
  private var draft: FrameDraft?

  /// Removes and returns the pending frame if the next frame does not fit into it.
  mutating func finish(before frame: Frame) -> FrameDraft? {
    guard let draft,
      !draft.hasRoom(forEvents: frame.events.count, bytes: frame.eventRange.count)
    else { return nil }
    return finish()
  }

  /// Removes and returns the pending frame.
  mutating func finish() -> FrameDraft? { draft.take() }

  /// Adds a frame; a frame that is not joined with others keeps its bytes.
  ///
  /// - Returns: false if the frame has no head, does not contain its table, or does not continue the frames before
  ///   it.
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
