package import Bytes

/// The name of an object in a store, after the store's prefix.
///
/// Each object name has exactly one text, so equal objects are never stored under two names.
package enum ObjectName: Hashable, Sendable {
  /// Events, under a sealed name.
  case events(SealedName)
  /// The statement that events are lost, which is contained entirely in its sealed name.
  case loss(SealedName)
  /// A key package, under the first half of the SHA-256 of its bytes.
  case package(UniqueID)
  /// A device's request to join, or the inviter's answer (``KnockSecret``).
  case knock(UniqueID)
  /// Random bytes that are replaced after each session that has written objects.
  case bell

  /// Parses a name in the format of ``text``.
  ///
  /// - Parameter text: The name.
  /// - Throws: ``ObjectNameError`` if the text is not the name of any object.
  package init(parsing text: String) throws(ObjectNameError) {
    if text.utf8.elementsEqual(Self.bell.text.utf8) {
      self = .bell
      return
    }
    // A name consists of bytes, so a mark that combines with the hyphen belongs to the part after the hyphen.
    guard text.utf8.dropFirst().first == UInt8(ascii: "-") else { throw .kind }
    let rest = String(Substring(text.utf8.dropFirst(2)))
    switch text.utf8.first {
    case UInt8(ascii: "e"): self = .events(try SealedName(.events, letters: rest))
    case UInt8(ascii: "l"): self = .loss(try SealedName(.loss, letters: rest))
    case UInt8(ascii: "k"): self = .package(try Self.id(rest))
    case UInt8(ascii: "p"): self = .knock(try Self.id(rest))
    default: throw .kind
    }
  }

  package var text: String {
    switch self {
    case .events(let name): "e-" + name.letters
    case .loss(let name): "l-" + name.letters
    case .package(let id): "k-" + id.hex
    case .knock(let id): "p-" + id.hex
    case .bell: "bell"
    }
  }

  private static func id(_ digits: String) throws(ObjectNameError) -> UniqueID {
    guard digits.utf8.count == 32 else { throw .length(digits.utf8.count) }
    guard let id = UniqueID(hex: digits) else { throw .letter }
    return id
  }
}
