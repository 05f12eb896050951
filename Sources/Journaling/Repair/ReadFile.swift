/// The readable frames of a file.
struct ReadFile {
  let name: SegmentName
  var frames: [Filler] = []
  /// Frames of the log that are out of place.
  var displaced: [Filler] = []
  var isDamaged = false
  /// The version of a frame too new for this program to read, if there is one.
  var newerVersion: UInt8?

  init(name: SegmentName, frames: [Filler] = []) { (self.name, self.frames) = (name, frames) }

  /// Inserts a frame in order, unless a neighbour contains the same events or contradicts it.
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
