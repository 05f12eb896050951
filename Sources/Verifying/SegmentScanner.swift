import Bytes
import Platform

/// Finds the frames of a log in a segment file, and reports the bytes that do not belong to them.
struct SegmentScanner {
  private let bytes: [UInt8]
  /// The first 8 bytes of the log's id.
  private let replica: UInt64
  /// The range of events that the file's name allows.
  private let named: ClosedRange<UInt64>
  private let isTail: Bool
  private var ahead: StoredFramesAhead
  private var place = 0
  private var hasMisnamed = false

  init(
    _ bytes: [UInt8], of listed: ListedFile, replica: UniqueID, beside: Machine.Beside?
  ) {
    self.bytes = bytes
    self.replica = replica.high
    named = listed.first...(listed.last ?? .max)
    isTail = listed.last == nil
    ahead = StoredFramesAhead(bytes, beside: beside)
  }

  /// Whether the file consists only of zeros.
  var isBlank: Bool { bytes.span.isZero }

  /// Returns the next frame of the log; nil at the end of the file.
  mutating func next(_ faults: inout FaultCollector) -> StoredFrame? {
    while place < bytes.count {
      let found = ahead.next(in: bytes, from: place)
      let gap = place..<(found?.offset ?? bytes.count)
      if !gap.isEmpty { judge(gap, isEnd: found == nil, &faults) }
      guard let frame = found else {
        place = bytes.count
        break
      }
      place = frame.offset + frame.length
      guard frame.replica == replica else {
        faults.report(.foreign(count: frame.length), offset: frame.offset)
        continue
      }
      // Readers skip frames outside the range in the file's name, so such frames are not part of the log here either.
      guard named.contains(frame.first), named.contains(frame.last) else {
        if !hasMisnamed { faults.report(.misnamed, offset: frame.offset) }
        hasMisnamed = true
        continue
      }
      return frame
    }
    return nil
  }

  /// Reports the bytes of a gap between frames.
  private func judge(_ gap: Range<Int>, isEnd: Bool, _ faults: inout FaultCollector) {
    let span = bytes.span
    if span.extracting(gap).isZero {
      // A sealed file's name contains its last event, so zeros after its last frame are harmless.
      if !isEnd {
        faults.report(.hole(count: gap.count), offset: gap.lowerBound)
      } else if isTail, gap.lowerBound > 0 {
        faults.report(.tornTail(count: gap.count), offset: gap.lowerBound)
      }
    } else if let newer = StoredFrame.nextNewer(in: span, from: gap) {
      let before = gap.lowerBound..<newer.offset
      if !before.isEmpty { judge(before, isEnd: false, &faults) }
      let count = gap.upperBound - newer.offset
      faults.report(.newer(version: newer.version, count: count), offset: newer.offset)
    } else if isEnd && isTail {
      faults.report(.tornTail(count: gap.count), offset: gap.lowerBound)
    } else {
      faults.report(.damage(count: gap.count), offset: gap.lowerBound)
    }
  }
}

extension Span<UInt8> {
  /// Whether all bytes are zero.
  fileprivate var isZero: Bool {
    for place in indices where self[place] != 0 { return false }
    return true
  }
}
