internal import Bytes
internal import Crypto

extension KeyOrigin {
  /// The encoded fields of an origin, whose values have not been checked.
  struct Fields {
    let book: UniqueID
    let key: UniqueID
    let time: Int64
    let maker: [UInt8]
    let revoked: [[UInt8]]
    let signature: [UInt8]

    init(_ reader: inout CBORReader) throws(CBORError) {
      try reader.arrayHeader(of: 6)
      book = try reader.uniqueID()
      key = try reader.uniqueID()
      let start = reader.offset
      guard let time = Int64(exactly: try reader.unsigned()) else {
        throw .outOfRange(at: start)
      }
      self.time = time
      maker = try reader.byteString(count: PublicKey.byteCount)
      var revoked: [[UInt8]] = []
      for _ in 0..<(try reader.arrayHeader(upTo: KeyOrigin.revokedLimit)) {
        revoked.append(try reader.byteString(count: PublicKey.byteCount))
      }
      self.revoked = revoked
      signature = try reader.byteString(count: PublicKey.signatureByteCount)
    }
  }

  init(_ fields: Fields) throws(StoreKeyError) {
    var revoked: [PublicKey] = []
    for bytes in fields.revoked { revoked.append(try PublicKey(stored: bytes)) }
    guard revoked.isStrictlyAscending else { throw .order }
    self.init(
      book: fields.book, key: fields.key, time: fields.time,
      maker: try PublicKey(stored: fields.maker), revoked: revoked, signature: fields.signature)
  }
}

extension PublicKey {
  init(stored bytes: [UInt8]) throws(StoreKeyError) {
    do throws(CryptoError) { try self.init(bytes) } catch { throw .signingKey(error) }
  }
}

extension Array where Element: Comparable {
  /// Whether each element is less than the next one, so that no element occurs twice.
  var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}

extension CBORReader {
  /// Reads the head of an array with exactly `count` elements.
  @_lifetime(self: copy self)
  mutating func arrayHeader(of count: Int) throws(CBORError) {
    let start = offset
    guard try arrayHeader() == count else { throw .wrongLength(expected: count, at: start) }
  }

  /// Reads the head of an array with at most `limit` elements, and returns their number.
  @_lifetime(self: copy self)
  mutating func arrayHeader(upTo limit: Int) throws(CBORError) -> Int {
    let start = offset
    let count = try arrayHeader()
    guard count <= limit else { throw .tooMany(at: start) }
    return count
  }

  /// Reads the version of an array, which is its first element, without moving the caller's reader.
  static func version(of bytes: Span<UInt8>) throws(CBORError) -> UInt64 {
    var reader = CBORReader(bytes)
    guard try reader.arrayHeader() > 0 else { throw .truncated(at: reader.offset) }
    return try reader.unsigned()
  }
}
