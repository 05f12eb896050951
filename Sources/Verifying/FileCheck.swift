import Bytes

/// A segment file and the events that its name gives, as verification reads it.
struct ListedFile: Equatable {
  var name: String
  var first: UInt64
  /// Nil for a tail.
  var last: UInt64?

  /// Parses `<first>-<last>.gz` or `<first>.gz`; nil for any other name.
  ///
  /// The numbers are from 1 to below 2^62, in order, and have at least twelve digits, with leading zeros only up to
  /// twelve.
  init?(_ name: String) {
    guard name.hasSuffix(".gz") else { return nil }
    let parts = name.dropLast(3).split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard numbers.count == parts.count, numbers.count <= 2, let first = numbers.first, first > 0
    else { return nil }
    self.name = name
    self.first = first
    if numbers.count == 2 {
      guard numbers[1] >= first else { return nil }
      last = numbers[1]
    }
  }

  private static func number(_ digits: Substring) -> UInt64? {
    // Twelve digits, or more without a leading zero.
    guard digits.utf8.count >= 12, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      digits.utf8.count == 12 || digits.utf8.first != 0x30
    else { return nil }
    return UInt64(digits).flatMap { $0 < 1 << 62 ? $0 : nil }
  }
}

extension LogCheck {
  /// Checks every byte of one file.
  mutating func check(_ file: [UInt8], of listed: ListedFile) {
    let bytes = file.span
    var ahead = StoredFramesAhead(file, beside: beside)
    log.files += 1
    log.bytes += bytes.count
    let isTail = listed.last == nil
    var place = 0
    var (hasFrame, isNamed) = (false, true)
    let named = listed.first...(listed.last ?? .max)
    while place < bytes.count {
      let found = ahead.next(in: file, from: place)
      let gap = place..<(found?.offset ?? bytes.count)
      if !gap.isEmpty { judge(gap, in: bytes, isEnd: found == nil, isTail: isTail) }
      guard let frame = found else { break }
      place = frame.offset + frame.length
      guard frame.replica == id.high else {
        report(.foreign(count: frame.length), offset: frame.offset)
        continue
      }
      // Readers skip frames outside the range of the file's name, so they are not part of the log here either.
      guard named.contains(frame.first), named.contains(frame.last) else {
        if isNamed { report(.misnamed, offset: frame.offset) }
        isNamed = false
        continue
      }
      check(frame, mustHaveTable: !hasFrame || !isTail, mustHaveHead: !isTail)
      hasFrame = true
    }
    offset = 0
    // New files always contain a frame: a file that is empty or all zeros has lost its content.
    if !hasFrame, bytes.isZero { report(.damage(count: bytes.count)) }
  }

  /// Reports the bytes of a gap between frames.
  private mutating func judge(
    _ gap: Range<Int>, in bytes: Span<UInt8>, isEnd: Bool, isTail: Bool
  ) {
    if bytes.extracting(gap).isZero {
      // A sealed file's name gives its last event, so zeros after its last frame are harmless.
      if !isEnd {
        report(.hole(count: gap.count), offset: gap.lowerBound)
      } else if isTail, gap.lowerBound > 0 {
        report(.tornTail(count: gap.count), offset: gap.lowerBound)
      }
    } else if let newer = StoredFrame.nextNewer(in: bytes, from: gap) {
      let before = gap.lowerBound..<newer.offset
      if !before.isEmpty { judge(before, in: bytes, isEnd: false, isTail: isTail) }
      let count = gap.upperBound - newer.offset
      report(.newer(version: newer.version, count: count), offset: newer.offset)
    } else if isEnd && isTail {
      report(.tornTail(count: gap.count), offset: gap.lowerBound)
    } else {
      report(.damage(count: gap.count), offset: gap.lowerBound)
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
