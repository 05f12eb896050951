internal import Bytes
internal import Crypto

extension KeyRing {
  private static let version: UInt64 = 1

  /// The bytes of the key file.
  package var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(3)
    writer.unsigned(Self.version)
    writer.uniqueID(book)
    writer.arrayHeader(keys.count)
    for held in keys { held.encode(to: &writer) }
    return writer.bytes
  }

  /// Decodes the key file.
  ///
  /// Signatures are not checked again, because only the device itself writes the file.
  ///
  /// - Parameter bytes: The bytes of the file.
  /// - Throws: ``StoreKeyError`` if the bytes are not exactly what ``bytes`` returns for a ring.
  package init(decoding bytes: [UInt8]) throws(StoreKeyError) {
    let fields = try Fields(checking: bytes)
    var keys: [HeldKey] = []
    for held in fields.keys { keys.append(try HeldKey(held)) }
    guard keys.map(\.origin).isStrictlyAscending,
      Set(keys.map(\.key)).count == keys.count
    else { throw .order }
    for held in keys where held.origin.book != fields.book {
      throw .otherBook(held.origin.book)
    }
    self.init(book: fields.book, keys: keys)
  }

  /// The encoded fields of a key file.
  private struct Fields {
    let book: UniqueID
    let keys: [HeldKey.Fields]

    init(checking bytes: [UInt8]) throws(StoreKeyError) {
      guard bytes.count <= KeyRing.byteLimit else { throw .tooLong(bytes.count) }
      let version = try StoreKeyError.decode { () throws(CBORError) in
        try CBORReader.version(of: bytes.span)
      }
      guard version == KeyRing.version else { throw .version(version) }
      self = try StoreKeyError.decode { () throws(CBORError) in try Fields(bytes.span) }
    }

    private init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 3)
      _ = try reader.unsigned()
      book = try reader.uniqueID()
      var keys: [HeldKey.Fields] = []
      for _ in 0..<(try reader.arrayHeader(upTo: KeyRing.keyLimit)) {
        keys.append(try HeldKey.Fields(&reader))
      }
      self.keys = keys
      try reader.finish()
    }
  }
}

extension HeldKey {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(2)
    writer.byteString(key.bytes)
    origin.encode(to: &writer)
  }

  /// The encoded fields of a key.
  fileprivate struct Fields {
    let key: [UInt8]
    let origin: KeyOrigin.Fields

    init(_ reader: inout CBORReader) throws(CBORError) {
      try reader.arrayHeader(of: 2)
      key = try reader.byteString(count: StoreKey.byteCount)
      origin = try KeyOrigin.Fields(&reader)
    }
  }

  fileprivate init(_ fields: Fields) throws(StoreKeyError) {
    let (key, origin) = (StoreKey(fields.key), try KeyOrigin(fields.origin))
    guard key.id == origin.key else { throw .otherKey }
    self.init(key: key, origin: origin)
  }
}
