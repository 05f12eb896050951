internal import Bytes
internal import Crypto

extension KeyPackage {
  private static let version: UInt64 = 1
  private static let wrappedBytes = StoreKey.byteCount + HPKE.Sealed.tagBytes

  /// The bytes of the object.
  package var bytes: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    encodeFields(to: &writer)
    writer.byteString(signature)
    return writer.bytes
  }

  /// What the packager signs.
  var message: [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(4)
    encodeFields(to: &writer)
    return Array("daybook key package v1".utf8) + writer.bytes
  }

  private func encodeFields(to writer: inout CBORWriter) {
    writer.unsigned(Self.version)
    origin.encode(to: &writer)
    writer.byteString(packager.bytes)
    writer.arrayHeader(wraps.count)
    for wrap in wraps {
      writer.arrayHeader(3)
      writer.uniqueID(wrap.recipient)
      writer.byteString(wrap.sealed.encapsulated)
      writer.byteString(wrap.sealed.ciphertext)
    }
  }

  /// Decodes a package, whose signatures are not checked.
  ///
  /// - Parameter bytes: The bytes of the object.
  /// - Throws: ``StoreKeyError`` if they are not exactly what ``bytes`` gives for a package.
  package init(decoding bytes: [UInt8]) throws(StoreKeyError) {
    guard bytes.count <= Self.byteLimit else { throw .tooLong(bytes.count) }
    let version = try Self.decode { () throws(CBORError) in
      try CBORReader.version(of: bytes.span)
    }
    guard version == Self.version else { throw .version(version) }
    let fields = try Self.decode { () throws(CBORError) in try Fields(bytes.span) }
    let origin = try KeyOrigin(fields.origin)
    let packager = try PublicKey(stored: fields.packager)
    guard fields.wraps.map(\.recipient).isStrictlyAscending else { throw .order }
    self.init(
      origin: origin, packager: packager, wraps: fields.wraps, signature: fields.signature)
  }

  /// Reports an error of the encoding as one of the package.
  private static func decode<Value>(
    _ read: () throws(CBORError) -> Value
  ) throws(StoreKeyError) -> Value {
    do throws(CBORError) { return try read() } catch { throw .content(error) }
  }

  /// The fields of a package as they are encoded, whose values are not checked.
  private struct Fields {
    let origin: KeyOrigin.Fields
    let packager: [UInt8]
    let wraps: [WrappedKey]
    let signature: [UInt8]

    init(_ bytes: Span<UInt8>) throws(CBORError) {
      var reader = CBORReader(bytes)
      try reader.arrayHeader(of: 5)
      _ = try reader.unsigned()
      origin = try KeyOrigin.Fields(&reader)
      packager = try reader.byteString(count: PublicKey.byteCount)
      let start = reader.offset
      let count = try reader.arrayHeader(upTo: KeyPackage.wrapLimit)
      guard count > 0 else { throw .wrongLength(expected: 1, at: start) }
      var wraps: [WrappedKey] = []
      for _ in 0..<count { wraps.append(try Self.wrap(&reader)) }
      self.wraps = wraps
      signature = try reader.byteString(count: PublicKey.signatureByteCount)
      try reader.finish()
    }

    private static func wrap(_ reader: inout CBORReader) throws(CBORError) -> WrappedKey {
      try reader.arrayHeader(of: 3)
      let recipient = try reader.uniqueID()
      let encapsulated = try reader.byteString(count: HPKE.Sealed.keyBytes)
      let ciphertext = try reader.byteString(count: KeyPackage.wrappedBytes)
      return WrappedKey(
        recipient: recipient,
        sealed: HPKE.Sealed(encapsulated: encapsulated, ciphertext: ciphertext))
    }
  }
}
