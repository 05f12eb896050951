/// A name in a line of code.
struct Word: Equatable {
  let text: String
  /// The name before the dot in front of this name: `nil` without a dot, empty without such a name.
  let receiver: String?
  /// The byte after the name, or a space at the end of the line.
  let next: UInt8

  static func isCapital(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  static func contains(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")) || isCapital(byte)
      || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  static func words(of code: [UInt8]) -> [Word] {
    var words: [Word] = []
    var place = 0
    // The end of the last word.
    var last = -1
    while place < code.count {
      guard contains(code[place]) else {
        place += 1
        continue
      }
      let begin = place
      while place < code.count, contains(code[place]) { place += 1 }
      var receiver: String?
      if begin > 0, code[begin - 1] == UInt8(ascii: ".") {
        receiver = last == begin - 1 ? words.last?.text : ""
      }
      words.append(
        Word(
          text: String(decoding: code[begin..<place], as: UTF8.self), receiver: receiver,
          next: place < code.count ? code[place] : UInt8(ascii: " ")))
      last = place
    }
    return words
  }
}
