import Bytes
package import Crypto
import Platform
import S3
package import Sealing

/// The data with which a device joins a book through a sealed store: the store, the key of the inviter, and a secret
/// for one use.
///
/// The invitation contains no credentials of a bucket, because those belong to the user's account with the provider.
package struct StoreInvitation: Hashable, Sendable {
  /// The store, as the inviting device reaches it.
  package var address: StoreAddress
  /// The inviting device's complete key.
  package var key: PublicKey
  package var secret: [UInt8]

  package init(to address: StoreAddress, by key: PublicKey, secret: [UInt8]) {
    precondition(secret.count == KnockSecret.byteCount, "a secret has 16 bytes")
    (self.address, self.key, self.secret) = (address, key, secret)
  }

  /// The secret, with everything to which it applies.
  package var knockSecret: KnockSecret {
    KnockSecret(
      secret, in: StoreIdentity(book: address.book, store: address.store), by: key)
  }
}

extension StoreInvitation: CustomStringConvertible {
  // Without this property, a message that prints the invitation would reveal its secret.
  package var description: String { "StoreInvitation(\(address.place.location.string))" }
}

// MARK: - Text

extension StoreInvitation {
  package static let prefix = "daybookstore1:"
  /// The time for which an invitation is valid.
  package static let validMilliseconds: Int64 = 86_400_000
  private static let form = CheckedText(
    prefix: prefix, label: "daybook store invitation v1",
    letters: CheckedText.letterCount(
      ofContent: leastBytes)...CheckedText.letterCount(
        ofContent: mostBytes))
  /// The length of the content if the path is empty.
  private static let leastBytes = 88
  /// The longest path of a folder that an invitation contains, in bytes; a longer one is left out.
  private static let pathBytes = 512
  /// The length of the longest content, in bytes.
  package static let mostBytes = 1_024

  /// Whether a text starts like an invitation to a store, of any version.
  package static func isMeant(by text: String) -> Bool { form.isMeant(by: text) }

  /// The invitation as text.
  package var text: String {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.byteString(key.bytes)
    writer.byteString(secret)
    writer.uniqueID(address.book)
    writer.uniqueID(address.store)
    switch address.place {
    case .folder(let folder):
      writer.arrayHeader(1)
      writer.text(folder.string.utf8.count > Self.pathBytes ? "" : folder.string)
    case .bucket(let bucket):
      writer.arrayHeader(4)
      writer.text(bucket.text)
      writer.text(bucket.service.url)
      writer.text(bucket.service.region)
      writer.boolean(bucket.service.usesPath)
    }
    return Self.form.text(of: writer.bytes)
  }

  /// Parses an invitation's text.
  ///
  /// Letters may be in either case, and spaces and hyphens may separate characters.
  package init(parsing text: String) throws(InvitationFault) {
    let content = Array(try Self.form.content(of: text))
    guard content.count <= Self.mostBytes else { throw .address }
    do throws(CBORError) { self = try Self(decoding: content) } catch { throw .address }
  }

  private init(decoding content: [UInt8]) throws(CBORError) {
    let bytes = content.span
    var reader = CBORReader(bytes)
    guard try reader.arrayHeader() == 5 else { throw .wrongLength(expected: 5, at: 0) }
    let start = reader.offset
    // A key that accepts anyone's signatures does not identify a device.
    guard let key = try? PublicKey(try reader.byteString(count: PublicKey.byteCount)) else {
      throw .outOfRange(at: start)
    }
    let secret = try reader.byteString(count: KnockSecret.byteCount)
    let (book, store) = (try reader.uniqueID(), try reader.uniqueID())
    let place = try StorePlace(decoding: &reader)
    try reader.finish()
    self.init(to: StoreAddress(in: place, store: store, book: book), by: key, secret: secret)
  }
}

extension StorePlace {
  fileprivate init(decoding reader: inout CBORReader) throws(CBORError) {
    let start = reader.offset
    switch try reader.arrayHeader() {
    case 1: self = .folder(Path(try reader.text()))
    case 4:
      let (text, url, region) = (try reader.text(), try reader.text(), try reader.text())
      let usesPath = try reader.boolean()
      guard S3Service.isRegion(region), var service = S3Service(url: url, region: region),
        service.isAcceptable
      else { throw .outOfRange(at: start) }
      service.usesPath = usesPath
      guard let address = BucketAddress(text, at: service) else { throw .outOfRange(at: start) }
      self = .bucket(address)
    case let count: throw .wrongLength(expected: count == 0 ? 1 : 4, at: start)
    }
  }
}
