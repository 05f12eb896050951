/// A file with what can be read of it.
struct ReadFile {
  let name: SegmentName
  var frames: [Filler] = []
  /// Frames of the log that lie out of place.
  var displaced: [Filler] = []
  var isDamaged = false
  /// The version that ended reading, if it is newer than this program's.
  var newerVersion: UInt8?

  init(name: SegmentName, frames: [Filler] = []) { (self.name, self.frames) = (name, frames) }

  /// Puts a frame between those that count, where none of them holds its events or contradicts it.
  mutating func put(_ filler: Filler) {
    let place =
      frames.firstIndex { $0.frame.firstSequence > filler.frame.firstSequence } ?? frames.count
    let (before, next) = (frames[..<place].last?.frame, frames[place...].first?.frame)
    guard before.map({ !FrameOrder.contradicts(filler.frame, $0) }) ?? true,
      next.map({ !FrameOrder.contradicts($0, filler.frame) }) ?? true
    else { return }
    frames.insert(filler, at: place)
  }
}
