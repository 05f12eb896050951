import Bytes
import Crypto

/// The form of texts that people copy or type: a prefix, and Base32 of the content and a checksum.
struct CheckedText {
  /// The beginning of the text, in lower case, which ends with a colon.
  let prefix: String
  /// What is hashed before the content.
  let label: String
  /// The number of letters in the shortest and the longest text.
  let letters: ClosedRange<Int>

  private static let checksumBytes = 4

  /// The number of letters that encode content of the given length.
  static func letterCount(ofContent bytes: Int) -> Int { (8 * (bytes + checksumBytes) + 4) / 5 }

  func text(of content: [UInt8]) -> String {
    prefix + Base32.encode(content + checksum(of: content))
  }

  /// Whether a text starts like a text of this form, of any version.
  func isMeant(by text: String) -> Bool {
    let stem = prefix.prefix { $0 != ":" && !$0.isNumber }
    let name = text.lowercased().prefix { $0 != ":" }
    return name.hasPrefix(stem) && text.contains(":")
      && name.dropFirst(stem.count).allSatisfy(\.isNumber)
  }

  /// Parses the content of a text.
  ///
  /// Letters may be in either case, and spaces and hyphens may separate them.
  func content(of text: String) throws(InvitationFault) -> ArraySlice<UInt8> {
    let values = try values(of: text)
    guard values.count >= letters.lowerBound else { throw .cut(letters: values.count) }
    guard let content = content(of: values) else {
      throw .mistyped(at: mistypedLetter(in: values))
    }
    return content
  }

  private func checksum(of content: some Collection<UInt8>) -> [UInt8] {
    Array(SHA256.digest(of: Array(label.utf8) + content).bytes.prefix(Self.checksumBytes))
  }

  private func values(of text: String) throws(InvitationFault) -> [UInt8] {
    let meant = text.drop { $0.isWhitespace }
    guard isMeant(by: String(meant)), let colon = meant.firstIndex(of: ":") else {
      throw .noInvitation
    }
    let start = meant[...colon]
    guard start.lowercased() == prefix else { throw .otherVersion(String(start.dropLast())) }
    var values: [UInt8] = []
    for letter in meant[colon...].dropFirst() where !letter.isWhitespace && letter != "-" {
      guard let ascii = letter.asciiValue, let value = Base32.value(of: ascii) else {
        throw .letter(letter, at: values.count + 1)
      }
      values.append(value)
    }
    return values
  }

  /// The content, if the checksum after it is right.
  private func content(of values: [UInt8]) -> ArraySlice<UInt8>? {
    guard let bytes = Base32.decode(values) else { return nil }
    let content = bytes.dropLast(Self.checksumBytes)
    return checksum(of: content) == bytes.suffix(Self.checksumBytes) ? content : nil
  }

  /// The position of the only character whose replacement makes the checksum right.
  private func mistypedLetter(in values: [UInt8]) -> Int? {
    // A longer text is not an invitation.
    guard values.count <= letters.upperBound else { return nil }
    var tried = values
    for place in values.indices {
      for value in 0..<UInt8(32) where value != values[place] {
        tried[place] = value
        if content(of: tried) != nil { return place + 1 }
      }
      tried[place] = values[place]
    }
    return nil
  }
}
