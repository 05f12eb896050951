internal import Bytes
internal import Crypto
internal import Journaling

/// The name of an object with events, from which only the holder of the key learns which events they are.
///
/// The name is encrypted with a code of its content as initialization vector (SIV, as in RFC 5297), so that it is
/// deterministic and cannot be changed.
package struct SealedName: Hashable, Sendable {
  /// The beginning of the key's id, the code, and the encrypted content.
  package let bytes: [UInt8]

  static let keyPrefixBytes = 8
  private static let codeBytes = 16
  private static let contentBytes = ObjectRange.byteCount + 16
  package static let byteCount = keyPrefixBytes + codeBytes + contentBytes
  /// The length of ``letters``: five bits in each.
  package static let letterCount = (byteCount * 8 + 4) / 5

  /// Seals a name.
  ///
  /// - Parameters:
  ///   - object: What the name tells.
  ///   - key: The key with which the object is sealed.
  package init(sealing object: NamedObject, with key: StoreKey) {
    let secrets = Secrets(of: key)
    let content = object.range.bytes + object.digest.bytes
    let code = secrets.code(of: content)
    bytes = Self.prefix(of: key) + code + secrets.hide(content, code)
  }

  /// Parses the part of a name after its kind: lower-case Base32 (RFC 4648) without padding.
  init(letters: String) throws(ObjectNameError) {
    let count = letters.utf8.count
    guard count == Self.letterCount else { throw .length(count) }
    let values = letters.utf8.compactMap { letter in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? nil : Base32.value(of: letter)
    }
    guard values.count == count else { throw .letter }
    guard let bytes = Base32.decode(values) else { throw .unusedBits }
    self.bytes = bytes
  }

  var letters: String { Base32.encode(bytes).lowercased() }

  /// Whether the name may be sealed with the key.
  ///
  /// Other keys may have ids with the same beginning, so only ``open(with:)`` is certain.
  package func mayBelong(to key: StoreKey) -> Bool { bytes.starts(with: Self.prefix(of: key)) }

  /// Opens the name.
  ///
  /// Nothing in it is proved: a revoked device may still have the key.
  ///
  /// - Parameter key: The key.
  /// - Returns: What the name tells.
  /// - Throws: In this order: ``ObjectNameError/key``, ``ObjectNameError/code``, ``ObjectNameError/range``.
  package func open(with key: StoreKey) throws(ObjectNameError) -> NamedObject {
    guard mayBelong(to: key) else { throw .key }
    let secrets = Secrets(of: key)
    let code = Array(bytes[Self.keyPrefixBytes...].prefix(Self.codeBytes))
    let content = secrets.hide(Array(bytes.suffix(Self.contentBytes)), code)
    guard secrets.isCode(code, of: content) else { throw .code }
    let ids = stride(from: 0, to: Self.contentBytes, by: 16).map { start in
      UniqueID(Array(content[start..<start + 16]))
    }
    let (first, last) = (ids[1].high, ids[1].low)
    guard first > 0, first <= last, last < Limit.lastSequence else { throw .range }
    let range = ObjectRange(replica: ids[0], events: first...last, hash: ids[2])
    return NamedObject(range: range, digest: ids[3])
  }

  private static func prefix(of key: StoreKey) -> [UInt8] {
    Array(key.id.bytes.prefix(keyPrefixBytes))
  }

  /// The two keys of names that are derived from a store key.
  private struct Secrets {
    let coding: [UInt8]
    let hiding: [UInt8]

    init(of key: StoreKey) {
      let secrets = key.derive(.name, count: 64)
      (coding, hiding) = (Array(secrets.prefix(32)), Array(secrets.suffix(32)))
    }

    func code(of content: [UInt8]) -> [UInt8] {
      Array(HMAC.code(of: Self.message(content), with: coding).bytes.prefix(codeBytes))
    }

    func isCode(_ shown: [UInt8], of content: [UInt8]) -> Bool {
      HMAC.isTruncatedCode(shown, of: Self.message(content), with: coding)
    }

    /// Encrypts or decrypts the content, which fills exactly one block of the cipher.
    func hide(_ content: [UInt8], _ code: [UInt8]) -> [UInt8] {
      ChaCha20.process(content, key: hiding, vector: code)
    }

    /// The kind of the object comes first.
    private static func message(_ content: [UInt8]) -> [UInt8] { Array("e".utf8) + content }
  }
}
