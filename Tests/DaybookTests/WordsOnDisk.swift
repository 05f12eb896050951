import Bytes
import Journaling
import Platform
import SimulatedPlatform

// Finds words that remain readable on a disk, compressed or not.

extension SimulatedDisk {
  /// The words that occur in any file.
  func holding(_ words: [String]) -> [String] {
    let contents = files.values.flatMap { [$0] + $0.frames.map(\.content) }
    return words.filter { word in contents.contains { $0.holds(Array(word.utf8)) } }
  }

  /// The blocks, in files below a folder, whose seed a frame reveals although one of their bodies was stripped.
  func betrayedBlocks(below name: String) -> Set<UInt64> {
    let frames = files.filter { $0.key.string.contains("/\(name)/") }.values.flatMap(\.frames)
    let salted = frames.reduce(into: Set<UInt64>()) { $0.formUnion($1.saltedBlocks) }
    return frames.reduce(into: []) { $0.formUnion($1.seededBlocks.intersection(salted)) }
  }
}

extension [UInt8] {
  /// The whole frames of a file.
  var frames: [Frame] {
    var chain = Chain()
    var (offset, frames) = (0, [Frame]())
    while let frame = try? Frame.decode(span, at: offset, &chain) {
      frames.append(frame)
      offset += frame.length
    }
    return frames
  }

  /// Whether the bytes occur contiguously.
  func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    let (bytes, last) = (span, count - part.count)
    var start = 0
    while start <= last {
      if bytes[start] == first, self[start..<start + part.count].elementsEqual(part) { return true }
      start += 1
    }
    return false
  }
}
