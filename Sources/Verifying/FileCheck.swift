import Bytes

/// A segment file by its name, as verification reads it.
struct ListedFile: Equatable {
  var name: String
  var first: UInt64
  /// Nil for a tail.
  var last: UInt64?

  /// Takes `<first>-<last>.gz` or `<first>.gz`, twelve digits each, of events that a log can have, and nothing else.
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
    // Twelve digits, or more where the number has more.
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
      // Readers pass over what the file is not named after, so it is no part of the log here either.
      guard named.contains(frame.first), named.contains(frame.last) else {
        if isNamed { report(.misnamed, offset: frame.offset) }
        isNamed = false
        continue
      }
      check(frame, mustHaveTable: !hasFrame || !isTail, mustHaveHead: !isTail)
      hasFrame = true
    }
    offset = 0
    // A file appears with a frame in it: one of zeros alone, or of nothing, has lost what it had.
    if !hasFrame, bytes.isZero { report(.damage(count: bytes.count)) }
  }

  /// Says what bytes are that are no frame.
  private mutating func judge(
    _ gap: Range<Int>, in bytes: Span<UInt8>, isEnd: Bool, isTail: Bool
  ) {
    if bytes.extracting(gap).isZero {
      // What a sealed file holds its name tells, so behind its last frame nothing is missing.
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
  /// Whether there is nothing but zeros in it.
  fileprivate var isZero: Bool {
    for place in indices where self[place] != 0 { return false }
    return true
  }
}
