import Bytes
import Journaling

/// A file of a directory peer that matches its name, and its position in the hash chain of its log.
struct SoundFile: Hashable {
  let name: DirectoryName
  /// The chain hash before the first event.
  let before: Digest
  /// The chain hash at the last event.
  let end: Digest
  /// Whether bodies were removed from the file, rightly or not.
  let isStripped: Bool

  var events: ClosedRange<UInt64> { name.events }

  /// Creates a file from the remembered facts about it.
  init(_ name: DirectoryName, before: Digest, end: Digest, isStripped: Bool) {
    (self.name, self.before, self.end, self.isStripped) = (name, before, end, isStripped)
  }

  /// Reads the first and last frames, if the frame labels lead from one to the other.
  ///
  /// The head at the end proves all events of the file and must be checked. If it were missing or signed by another
  /// device, the events could still be right, but no reader would store them, and a device that considered the file
  /// valid would not write them again.
  init?(_ name: DirectoryName, _ bytes: [UInt8], of replica: UniqueID, as holder: any Holder) {
    var frames = FrameCursor(bytes, of: replica)
    guard let first = frames.next() else { return nil }
    var last = first
    var isStripped = Frame.isStripped(bytes.span, at: first.range.lowerBound)
    while let frame = frames.next() {
      guard frame.label.events.lowerBound == last.label.events.upperBound + 1 else { return nil }
      isStripped = isStripped || Frame.isStripped(bytes.span, at: frame.range.lowerBound)
      last = frame
    }
    guard frames.isAtEnd,
      first.label.events.lowerBound == name.events.lowerBound,
      last.label.events.upperBound == name.events.upperBound,
      let start = holder.span(of: Array(bytes[first.range])),
      let end = holder.span(of: Array(bytes[last.range])),
      holder.acceptsHead(of: Array(bytes[last.range]), of: replica)
    else { return nil }
    (self.name, before, self.end) = (name, start.before, end.end)
    self.isStripped = isStripped
  }

  /// The place before the first event of the file.
  func start(of replica: UniqueID) -> Place {
    Place(log: replica, sequence: events.lowerBound - 1, hash: before)
  }

  /// The place of the last event of the file.
  func end(of replica: UniqueID) -> Place {
    Place(log: replica, sequence: events.upperBound, hash: end)
  }
}

/// Finds a log's frames in a file by their labels.
struct FrameCursor {
  private let bytes: [UInt8]
  private let replica: ReplicaPrefix
  /// The offset of the next frame, or of the first bytes that are not a frame of the log.
  private(set) var offset = 0

  init(_ bytes: [UInt8], of replica: UniqueID) {
    (self.bytes, self.replica) = (bytes, ReplicaPrefix(of: replica))
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func next() -> (label: FrameLabel, range: Range<Int>)? {
    guard let label = FrameLabel(bytes.span, at: offset), label.length <= bytes.count - offset,
      label.replica == replica
    else { return nil }
    defer { offset += label.length }
    return (label, offset..<offset + label.length)
  }
}
