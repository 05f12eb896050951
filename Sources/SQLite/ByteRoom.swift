/// A growing buffer for millions of short pieces, which is reused for each row.
///
/// A number is written with one store, and bytes are copied with one memory copy. For each piece, an array would check
/// whether it is shared and has capacity, which would double the number of instructions per row.
@safe struct ByteRoom: ~Copyable {
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
  private(set) var count = 0

  deinit { unsafe bytes.deallocate() }

  mutating func removeAll() { count = 0 }

  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe bytes[count] = byte
    count += 1
  }

  /// Appends the low-order bytes of a number in big-endian order.
  mutating func append(_ number: UInt64, count length: Int) {
    precondition(length <= 8, "a number has eight bytes")
    guard length > 0 else { return }
    reserve(8)
    let shifted = number << UInt64(8 * (8 - length))
    unsafe bytes.storeBytes(of: shifted.bigEndian, toByteOffset: count, as: UInt64.self)
    count += length
  }

  mutating func append(_ piece: Span<UInt8>) {
    reserve(piece.count)
    unsafe piece.withUnsafeBytes { unsafe copy($0) }
    count += piece.count
  }

  private func copy(_ piece: UnsafeRawBufferPointer) {
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
    unsafe target.copyMemory(from: piece)
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if unsafe bytes.count - count < more { grow(by: more) }
  }

  private mutating func grow(by more: Int) {
    let larger = unsafe UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * bytes.count + more, alignment: 8)
    unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    unsafe bytes.deallocate()
    unsafe bytes = larger
  }

  /// Appends the selected bytes to an output span, which must have space for them.
  func copy(_ range: Range<Int>, to output: inout OutputSpan<UInt8>) {
    precondition(range.upperBound <= count, "only appended bytes are copied")
    unsafe output.withUnsafeMutableBufferPointer { target, length in
      let free = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(target)[length...])
      unsafe free.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
      length += range.count
    }
  }
}
