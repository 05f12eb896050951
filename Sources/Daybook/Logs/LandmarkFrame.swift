import Bytes
import Journaling

/// The chain hashes of a frame, and where its commands end.
struct LandmarkFrame {
  private let log: UniqueID
  private let first: UInt64
  private var marks: [(hash: UniqueID, commandEnd: UInt64)] = []

  init(_ frame: borrowing Frame, of log: UniqueID) {
    (self.log, first) = (log, frame.firstSequence)
    var command: (first: UInt64, last: UInt64)?
    for event in frame.events {
      if event.isCommandStart { command = (event.sequence, event.sequence + event.more) }
      let isInside = command.map { $0.last > event.sequence } ?? false
      let before = (command?.first ?? 1) - 1
      marks.append((event.hash.prefix16, isInside ? before : event.sequence))
    }
  }

  /// The chain hash at an event, and the last event up to it that ends a command; nil if the frame lacks the event.
  func landmark(
    of log: UniqueID, at sequence: UInt64
  ) -> (hash: UniqueID?, commandEnd: UInt64)? {
    guard log == self.log, sequence >= first, sequence - first < UInt64(marks.count) else {
      return nil
    }
    let mark = marks[Int(sequence - first)]
    return (mark.hash, mark.commandEnd)
  }
}
