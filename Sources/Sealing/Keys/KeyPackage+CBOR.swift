package import Bytes
internal import Crypto

extension KeyPackage {
  private static let version: UInt64 = 1

  /// The bytes of the package's object.
  package var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.unsigned(Self.version)
    writer.uniqueID(key)
    wraps.encode(to: &writer)
    writer.byteString(statement.salt)
    writer.byteString(statement.ciphertext)
    return writer.bytes
  }

  /// Decodes a package without decrypting any part of it.
  ///
  /// A store may return a different package than the one that was requested, so the name is compared first. Otherwise,
  /// a device might record that it has read a package that it has never received.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the object.
  ///   - id: The id in the object's name.
  /// - Throws: ``StoreKeyError`` if the bytes are not exactly what ``bytes`` returns for a package with this ``id``.
  package init(decoding bytes: [UInt8], as id: UniqueID) throws(StoreKeyError) {
    guard bytes.count <= Self.byteLimit else { throw .tooLong(bytes.count) }
    guard Self.id(of: bytes) == id else { throw .digest }
    let version = try StoreKeyError.decode { () throws(CBORError) in
      try CBORReader.version(of: bytes.span)
    }
    guard version == Self.version else { throw .version(version) }
    let fields = try StoreKeyError.decode { () throws(CBORError) in try Fields(bytes.span) }
    guard fields.wraps.map(\.recipient).isStrictlyAscending else { throw .order }
    self.init(
      key: fields.key, wraps: fields.wraps,
      statement: SealedStatement(salt: fields.salt, ciphertext: fields.ciphertext))
  }

  /// The encoded fields of a package, whose values have not been checked.
  private struct Fields {
    let key: UniqueID
    let wraps: [WrappedKey]
    let salt: [UInt8]
    let ciphertext: [UInt8]

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 5)
      _ = try reader.unsigned()
      key = try reader.uniqueID()
      let start = reader.offset
      let count = try reader.arrayHeader(upTo: KeyPackage.wrapLimit)
      guard count > 0 else { throw .wrongLength(expected: 1, at: start) }
      var wraps: [WrappedKey] = []
      for _ in 0..<count { wraps.append(try Self.wrap(&reader)) }
      self.wraps = wraps
      salt = try reader.byteString(count: SealedStatement.saltBytes)
      ciphertext = try reader.byteString()
      try reader.finish()
    }

    private static func wrap(_ reader: inout CBORReader) throws(CBORError) -> WrappedKey {
      try reader.arrayHeader(of: 3)
      let recipient = try reader.uniqueID()
      let encapsulated = try reader.byteString(count: HPKE.Sealed.keyBytes)
      let ciphertext = try reader.byteString(count: WrappedKey.byteCount)
      return WrappedKey(
        recipient: recipient,
        sealed: HPKE.Sealed(encapsulated: encapsulated, ciphertext: ciphertext))
    }
  }
}
