internal import Bytes
internal import CZlib

/// Owns a zlib stream that inflates one content, up to a ceiling.
///
/// zlib keeps the address of its stream, so the stream lives on the heap and never moves.
@safe struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  private var content: [UInt8] = []
  private var filled = 0

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // Negative window bits leave zlib's own header out: the gzip header is ours.
    let code = unsafe inflateInit2_(
      stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib inflates, given memory")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// What came out, and how many bytes of the input it was made of.
  ///
  /// The content is at most one byte longer than the ceiling; that byte says that there is more.
  struct Outcome {
    var content: [UInt8]
    var consumedCount: Int
    var hasEnded: Bool
  }

  /// What data is that begins with one stored block and ends with it, told without a stream; nil for any other.
  ///
  /// Small frames are such data, and to make a stream takes longer than to copy what they hold.
  static func stored(_ compressed: Span<UInt8>, ceiling: Int) -> Outcome? {
    let headCount = 5
    // One bit for the last block and two for a stored one; what pads them to a byte is zero when we write it.
    guard compressed.count >= headCount, compressed[0] == 1 else { return nil }
    let count = compressed.littleEndian(at: 1, bytesWide: 2)
    let end = headCount + Int(count)
    guard compressed.littleEndian(at: 3, bytesWide: 2) == ~count & 0xffff,
      Int(count) <= ceiling, end <= compressed.count
    else { return nil }
    return Outcome(content: compressed.copy(headCount..<end), consumedCount: end, hasEnded: true)
  }

  /// Inflates from the start of `compressed` until the data ends or passes the ceiling.
  mutating func inflate(
    _ compressed: Span<UInt8>, ceiling: Int, at offset: Int
  ) throws(GzipError) -> Outcome {
    let available = UInt32(clamping: compressed.count)
    let hasEnded = try unsafe compressed.withUnsafeBufferPointer {
      (input) throws(GzipError) -> Bool in
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.pointee.avail_in = available
      while filled <= ceiling {
        makeRoom(for: Int(available), ceiling: ceiling)
        switch try progress(step(), at: offset) {
        case .going: continue
        case .ended: return true
        case .starved: throw .truncated(at: offset)
        }
      }
      return false
    }
    content.removeLast(content.count - filled)
    let consumedCount = unsafe Int(available - stream.pointee.avail_in)
    return Outcome(content: content, consumedCount: consumedCount, hasEnded: hasEnded)
  }

  /// Doubles the room when it is used up, so that memory follows what really came out.
  private mutating func makeRoom(for inputCount: Int, ceiling: Int) {
    guard filled == content.count else { return }
    let first = min(max(256, inputCount.multipliedReportingOverflow(by: 4).partialValue), 1 << 16)
    let target = min(ceiling + 1, max(first, content.count * 2))
    content += [UInt8](repeating: 0, count: target - content.count)
  }

  private mutating func step() -> Int32 {
    let stream = unsafe stream
    let start = filled
    let (code, end) = unsafe content.withUnsafeMutableBufferPointer { output in
      unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + start }
      unsafe stream.pointee.avail_out = UInt32(output.count - start)
      let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      return unsafe (code, output.count - Int(stream.pointee.avail_out))
    }
    filled = end
    return code
  }
}
