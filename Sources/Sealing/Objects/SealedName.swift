package import Bytes
internal import Crypto
internal import Journaling

/// The name of an object with events, or of a statement that events are lost, which reveals only to holders of the key
/// which events these are.
///
/// The initialization vector is a code over the content (SIV, as in RFC 5297), so that the encrypted name is
/// deterministic and cannot be changed.
package struct SealedName: Hashable, Sendable {
  /// The kind of the object, which is the first letter of its name.
  enum Kind: UInt8 {
    case events = 0x65
    case loss = 0x6c
  }

  let kind: Kind
  /// The beginning of the key's id, the code, and the encrypted content.
  package let bytes: [UInt8]

  static let keyPrefixBytes = 8
  private static let codeBytes = 16
  private static let contentBytes = ObjectRange.byteCount + 16
  package static let byteCount = keyPrefixBytes + codeBytes + contentBytes
  /// The length of ``letters``, each of which encodes five bits.
  package static let letterCount = (byteCount * 8 + 4) / 5

  /// Seals the name of an object with events.
  ///
  /// - Parameters:
  ///   - object: The information that the name contains.
  ///   - key: The key with which the object is sealed.
  package init(sealing object: NamedObject, with key: StoreKey) {
    self.init(.events, sealing: object.range.bytes + object.digest.bytes, with: key)
  }

  /// Seals a name that states a loss.
  ///
  /// - Parameters:
  ///   - loss: The loss.
  ///   - key: The key.
  package init(sealing loss: NamedLoss, with key: StoreKey) {
    self.init(.loss, sealing: loss.bytes, with: key)
  }

  private init(_ kind: Kind, sealing content: [UInt8], with key: StoreKey) {
    let secrets = Secrets(of: key, for: kind)
    let code = secrets.code(of: content)
    self.kind = kind
    bytes = Self.prefix(of: key) + code + secrets.hide(content, code)
  }

  /// Parses the part of a name after its kind: lower-case Base32 (RFC 4648) without padding.
  init(_ kind: Kind, letters: String) throws(ObjectNameError) {
    let count = letters.utf8.count
    guard count == Self.letterCount else { throw .length(count) }
    let values = letters.utf8.compactMap { letter in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? nil : Base32.value(of: letter)
    }
    guard values.count == count else { throw .letter }
    guard let bytes = Base32.decode(values) else { throw .unusedBits }
    (self.kind, self.bytes) = (kind, bytes)
  }

  var letters: String { Base32.encode(bytes).lowercased() }

  /// Whether the name may be sealed with the given key.
  ///
  /// The ids of other keys may have the same beginning, so only ``open(with:)`` shows whether the key is the right one.
  package func mayBelong(to key: StoreKey) -> Bool { bytes.starts(with: Self.prefix(of: key)) }

  /// Whether the name may be sealed with the key that has the given id.
  package func mayBelong(toKey id: UniqueID) -> Bool {
    bytes.starts(with: id.bytes.prefix(Self.keyPrefixBytes))
  }

  /// Opens the name of an object with events.
  ///
  /// Nothing in the name is proved, because a revoked device may still have the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The information in the name.
  /// - Throws: In this order: ``ObjectNameError/key``, ``ObjectNameError/code``, ``ObjectNameError/range``.
  package func open(with key: StoreKey) throws(ObjectNameError) -> NamedObject {
    precondition(kind == .events, "the name is that of an object with events")
    let ids = try content(with: key)
    let range = ObjectRange(replica: ids[0], events: try Self.events(ids[1]), hash: ids[2])
    return NamedObject(range: range, digest: ids[3])
  }

  /// Opens a name that states a loss.
  ///
  /// - Parameter key: The key.
  /// - Returns: The loss.
  /// - Throws: The same errors as ``open(with:)``.
  package func openLoss(with key: StoreKey) throws(ObjectNameError) -> NamedLoss {
    precondition(kind == .loss, "the name states a loss")
    let ids = try content(with: key)
    return NamedLoss(
      replica: ids[0], events: try Self.events(ids[1]),
      end: Digest(ids[2].bytes + ids[3].bytes))
  }

  /// The content, in four parts of 16 bytes.
  private func content(with key: StoreKey) throws(ObjectNameError) -> [UniqueID] {
    guard mayBelong(to: key) else { throw .key }
    let secrets = Secrets(of: key, for: kind)
    let code = Array(bytes[Self.keyPrefixBytes...].prefix(Self.codeBytes))
    let content = secrets.hide(Array(bytes.suffix(Self.contentBytes)), code)
    guard secrets.isCode(code, of: content) else { throw .code }
    return stride(from: 0, to: Self.contentBytes, by: 16).map { start in
      UniqueID(Array(content[start..<start + 16]))
    }
  }

  private static func events(_ range: UniqueID) throws(ObjectNameError) -> ClosedRange<UInt64> {
    let (first, last) = (range.high, range.low)
    guard first > 0, first <= last, last < Limit.lastSequence else { throw .range }
    return first...last
  }

  private static func prefix(of key: StoreKey) -> [UInt8] {
    Array(key.id.bytes.prefix(keyPrefixBytes))
  }

  /// The two keys for names that are derived from a store key.
  private struct Secrets {
    let coding: [UInt8]
    let hiding: [UInt8]
    let kind: Kind

    init(of key: StoreKey, for kind: Kind) {
      self.kind = kind
      let secrets = key.derive(.name, count: 64)
      (coding, hiding) = (Array(secrets.prefix(32)), Array(secrets.suffix(32)))
    }

    func code(of content: [UInt8]) -> [UInt8] {
      Array(HMAC.code(of: message(content), with: coding).bytes.prefix(codeBytes))
    }

    func isCode(_ shown: [UInt8], of content: [UInt8]) -> Bool {
      HMAC.isTruncatedCode(shown, of: message(content), with: coding)
    }

    /// Encrypts or decrypts the content, which fills exactly one block of the cipher.
    func hide(_ content: [UInt8], _ code: [UInt8]) -> [UInt8] {
      ChaCha20.process(content, key: hiding, vector: code)
    }

    /// The message over which the code is computed, which begins with the kind of the object.
    private func message(_ content: [UInt8]) -> [UInt8] { [kind.rawValue] + content }
  }
}
