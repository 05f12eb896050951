import Bytes
import Crypto
import Daybook
import Phrasing
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
  func check(_ key: PublicKey, of source: String, _ isSure: Bool) throws(ConsoleError) {
    let shown = "The machine at \(source.visible) shows a key whose words are \(key.words)."
    if isSure { return note(shown) }
    guard confirms("\(shown) Does 'daybook devices' show the same words there?") else {
      throw .unknownMachine(source, words: key.words)
    }
  }

  /// Reads which key a machine is to have.
  func pin(_ words: String) throws(ConsoleError) -> Pin {
    if let bytes = Hex.decode(words.lowercased()), let key = try? PublicKey(bytes) {
      // Where it is none, it may still be words.
      return .key(key)
    }
    return .words(try keyWords(words, of: "--key"))
  }

  /// Reads the words that stand for a key.
  func keyWords(_ words: String, of subject: String) throws(ConsoleError) -> [String] {
    let spelt = words.lowercased().split(whereSeparator: { $0 == "-" || $0 == " " })
    guard spelt.count == 6 else {
      throw .badValue(
        subject, words, "Say the six words that 'daybook devices' shows there, joined by hyphens.")
    }
    return spelt.map(String.init)
  }

  /// Tells what joining came to.
  func tell(_ joined: (book: Book, receipt: Receipt)) throws {
    use(joined.book)
    say("Joined the book \(joined.book.id.hex) in \(folder.string.visible).")
    try tell(joined.receipt, joining: joined.book.id)
    tell(try joined.book.lookAlikes(between: Set(joined.receipt.received.map(\.replica))))
  }
}

// MARK: Invitations

extension Context {
  /// Asks for the invitation; without a terminal, returns `-`, which stands for standard input.
  ///
  /// Every user of the machine can read the arguments of a program.
  func askedInvitation() -> String {
    guard isAnswering else { return "-" }
    surroundings.writeError("The invitation that 'daybook invite' shows on the other machine: ")
    return surroundings.readAnswer() ?? ""
  }

  /// The most bytes that an invitation has with what is printed around it.
  private static let invitationLimit = 1 << 12

  /// The invitation that the words are, or that standard input has for `-`.
  func invitation(_ words: String) throws(ConsoleError) -> Invitation? {
    var text = words
    if words == "-" {
      let input = surroundings.readInput(Self.invitationLimit + 1)
      guard input.count <= Self.invitationLimit else {
        throw .noInvitationInInput(limit: Self.invitationLimit)
      }
      text = String(decoding: input, as: UTF8.self)
    }
    // Whoever copies it may take along what is printed around it.
    if let meant = text.split(whereSeparator: \.isWhitespace).map(String.init)
      .first(where: Invitation.isMeant)
    {
      text = meant
    } else if words != "-" {
      return nil
    }
    do throws(InvitationFault) { return try Invitation(parsing: text) } catch {
      throw .badInvitation(error)
    }
  }

  /// Joins the book of the machine that has sent an invitation.
  func join(
    by invitation: Invitation, _ wanted: String?, _ key: String?, _ isSure: Bool
  ) throws {
    if let wanted { throw ConsoleError.badValue("--book", wanted, Self.oneBook) }
    if let key { throw ConsoleError.badValue("--key", key, "The invitation has the key in it.") }
    let question = "There is a book here already. Shall it become part of the other one?"
    let joined: (book: Book, receipt: Receipt)
    do throws(DaybookError) {
      joined = try Book.join(
        at: folder, by: invitation, on: machine, deviceName: surroundings.hostName,
        view: surroundings.view, witness: surroundings.witness,
        asked: { key in
          note(
            "the other machine asks its user whether to let this device in. Ask the inviter to "
              + "compare: \(key.words)")
        }
      ) { _ in isSure || confirms(question) }
    } catch {
      switch error {
      case .declined where !surroundings.isInputTerminal: throw ConsoleError.needsYes(question)
      case .sync(.tls(.unknownKey)): throw ConsoleError.otherInviter(invitation.endpoint.text)
      // Where no invitation is open, nobody who is not known is talked to at all.
      case .sync(.tls(.refused)): throw ConsoleError.closedInvitation
      default: throw error
      }
    }
    try tell(joined)
    // Whoever asks for what is remembered is told where that cannot be read.
    guard let contact = try? joined.book.contacts().first(where: { $0.key == invitation.key })
    else { return }
    say("\(contact.name.visible) is remembered: 'daybook sync' syncs with it from now on.")
  }
}
