import Bytes
import Crypto
import Daybook
import Platform
import Syncing

// What is asked before a book joins another one.

extension Context {
  /// Joins the book of a peer; a machine that is not known yet is asked for, by its key.
  func join(
    _ peer: PeerAddress, called source: String, _ wanted: String?, pin: Pin?, _ isSure: Bool
  ) throws -> (book: Book, receipt: Receipt) {
    let question = "There is a book here already. Shall it become part of the other one?"
    // Who has said yes once is not asked again when the machine's key is known.
    var isWilling = isSure
    func attempt(_ pin: Pin?) throws(DaybookError) -> (book: Book, receipt: Receipt) {
      try Book.join(
        at: folder, from: peer, on: machine, deviceName: surroundings.hostName, wanted: wanted,
        pin: pin, view: surroundings.view, witness: surroundings.witness
      ) { _ in
        isWilling = isWilling || confirms(question)
        return isWilling
      }
    }
    do throws(DaybookError) {
      return try attempt(pin)
    } catch {
      switch error {
      case .declined where !surroundings.isInputTerminal: throw ConsoleError.needsYes(question)
      case .sync(.tls(.unknownKey(let key))):
        guard pin == nil else { throw ConsoleError.otherMachine(source, words: key.words) }
        try check(key, of: source, isSure)
        return try attempt(.key(key))
      default: throw error
      }
    }
  }

  /// Asks whether a key is that of the machine which is meant, where nothing but the address speaks for it.
  private func check(_ key: PublicKey, of source: String, _ isSure: Bool) throws(ConsoleError) {
    let shown = "The machine at \(source.visible) shows a key whose words are \(key.words)."
    if isSure { return note(shown) }
    guard confirms("\(shown) Does 'daybook devices' show the same words there?") else {
      throw .unknownMachine(source, words: key.words)
    }
  }

  /// Reads which key a machine is to have.
  func pin(_ words: String) throws(ConsoleError) -> Pin {
    if let bytes = Hex.decode(words.lowercased()), let key = try? PublicKey(bytes) {
      // The only error is a wrong length, and then it may still be words.
      return .key(key)
    }
    let spelt = words.lowercased().split(whereSeparator: { $0 == "-" || $0 == " " })
    guard spelt.count == 6 else {
      throw .badValue(
        "--key", words, "Say the six words that 'daybook devices' shows there, joined by hyphens.")
    }
    return .words(spelt.map(String.init))
  }
}
