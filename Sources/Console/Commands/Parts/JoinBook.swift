import Bytes
import Crypto
import Daybook
import Phrasing
import Platform
import Syncing

/// Joins the book of another machine.
struct JoinBook {
  let context: CommandContext
  private var output: Output { context.output }

  /// Joins a book by an invitation, or from the named peer.
  func run(
    _ words: String?, folder: String?, _ wanted: String?, key: String?, _ isSure: Bool
  ) throws {
    let source = words ?? askedInvitation()
    if let found = try invitation(source) {
      try refuse(wanted, key)
      switch found {
      case .machine(let invitation):
        try refuse(folder: folder)
        return try join(by: invitation, isSure)
      case .store(let invitation):
        return try JoinThroughStore(context: context).begin(invitation, folder: folder, isSure)
      }
    }
    try refuse(folder: folder)
    let reader = PeerReader(context: context)
    let peer = try reader.peer(source)
    try reader.checkChoice(wanted, at: peer)
    let joined = try join(
      peer, called: source, wanted, pin: try key.map(PeerReader.pin), isSure)
    try tell(joined)
    try remember(peer, of: joined.book)
  }

  /// Joins the book of a peer, and asks the user to confirm the key of an unknown machine.
  private func join(
    _ peer: PeerAddress, called source: String, _ wanted: String?, pin: Pin?, _ isSure: Bool
  ) throws -> (book: Book, receipt: Receipt) {
    let question = "This device already has a book. Merge it into the other book?"
    // The user is not asked again when the join is repeated with the confirmed key.
    var isWilling = isSure
    func attempt(_ pin: Pin?) throws(DaybookError) -> (book: Book, receipt: Receipt) {
      try BookFactory.join(
        at: context.opener.folder, from: peer, on: context.machine,
        deviceName: context.environment.hostName, wanted: wanted,
        pin: pin, view: context.environment.view, witness: context.environment.witness
      ) { _ in
        isWilling = isWilling || output.confirms(question)
        return isWilling
      }
    }
    func explained(_ error: DaybookError) -> any Error {
      switch (error, peer) {
      case (.declined, _) where !context.environment.streams.isInputTerminal:
        ConsoleError.needsYes(question)
      case (.sync(.tls(.refused)), .ssh(let address)): ConsoleError.uninvited(address)
      default: error
      }
    }
    do throws(DaybookError) {
      return try attempt(pin)
    } catch {
      guard case .sync(.tls(.unknownKey(let key))) = error else { throw explained(error) }
      guard pin == nil else { throw ConsoleError.otherMachine(source, words: key.words) }
      try PeerReader(context: context).check(key, of: source, isSure)
      do throws(DaybookError) {
        return try attempt(.key(key))
      } catch {
        throw explained(error)
      }
    }
  }

  /// Reports the result of joining.
  func tell(_ joined: (book: Book, receipt: Receipt)) throws {
    context.opener.use(joined.book)
    output.say("Joined the book \(joined.book.id.hex) in \(context.opener.folder.string.visible).")
    try ReceiptPresenter(context: context).tell(joined.receipt, joining: joined.book.id)
    DuplicatePresenter(context: context).tell(
      try joined.book.finder.lookAlikes(between: Set(joined.receipt.received.map(\.replica))))
  }

  /// Remembers a folder or machine whose book was joined, so that `daybook sync` finds it.
  private func remember(_ peer: PeerAddress, of book: Book) throws {
    let name: String
    switch peer {
    case .file, .store: return
    case .directory(let path): name = path.name
    case .tcp(let host, _): name = host
    case .ssh(let address): name = address.host
    }
    guard let name = try book.contactBook.meet(peer, called: name) else { return }
    output.say("Remembered \(name.visible). 'daybook sync' now syncs with it.")
  }

  /// Asks for the invitation; returns `-` for standard input if the user cannot be asked.
  ///
  /// An invitation is not required as an argument, because every user of the machine can read the arguments of a
  /// program.
  private func askedInvitation() -> String {
    guard output.isAnswering else { return "-" }
    context.environment.streams.writeError(
      "Invitation, as 'daybook invite' shows it on the other machine: ")
    return context.environment.streams.readAnswer() ?? ""
  }

  /// The maximum size in bytes of an invitation and the text around it.
  private static let invitationLimit = 1 << 12

  /// Parses an invitation from the argument, or from standard input if it is `-`; returns nil if it is not an
  /// invitation.
  private func invitation(_ words: String) throws(ConsoleError) -> FoundInvitation? {
    var text = words
    if words == "-" {
      let input = context.environment.streams.readInput(Self.invitationLimit + 1)
      guard input.count <= Self.invitationLimit else {
        throw .noInvitationInInput(limit: Self.invitationLimit)
      }
      text = String(decoding: input, as: UTF8.self)
    }
    // The user may also have copied text around the invitation.
    if let meant = text.split(whereSeparator: \.isWhitespace).map(String.init)
      .first(where: { Invitation.isMeant(by: $0) || StoreInvitation.isMeant(by: $0) })
    {
      text = meant
    } else if words != "-" {
      return nil
    }
    do throws(InvitationFault) {
      return StoreInvitation.isMeant(by: text)
        ? .store(try StoreInvitation(parsing: text)) : .machine(try Invitation(parsing: text))
    } catch {
      throw .book(.badInvitation(error))
    }
  }

  private enum FoundInvitation {
    case machine(Invitation)
    case store(StoreInvitation)
  }

  /// Refuses the options that an invitation makes useless.
  private func refuse(_ wanted: String?, _ key: String?) throws(ConsoleError) {
    if let wanted { throw ConsoleError.badValue("--book", wanted, PeerReader.oneBook) }
    if let key {
      throw ConsoleError.badValue("--key", key, "The invitation already contains the key.")
    }
  }

  private func refuse(folder: String?) throws(ConsoleError) {
    guard let folder else { return }
    throw .badValue("--folder", folder, "Only an invitation to a sealed folder needs it.")
  }

  /// Joins the book of the machine that issued an invitation.
  private func join(by invitation: Invitation, _ isSure: Bool) throws {
    let question = "This device already has a book. Merge it into the other book?"
    let joined: (book: Book, receipt: Receipt)
    do throws(DaybookError) {
      joined = try BookFactory.join(
        at: context.opener.folder, by: invitation, on: context.machine,
        deviceName: context.environment.hostName,
        view: context.environment.view, witness: context.environment.witness,
        asked: { key in
          output.note(
            "the other machine is asking its user whether to admit this device. "
              + "Ask the person who invited you to check that the other machine shows these words: "
              + key.words)
        }
      ) { _ in isSure || output.confirms(question) }
    } catch {
      switch error {
      case .declined where !context.environment.streams.isInputTerminal:
        throw ConsoleError.needsYes(question)
      default: throw error.duringJoin(by: invitation)
      }
    }
    try tell(joined)
    // If the contacts cannot be read, the commands that show them report the error.
    guard
      let contact = try? joined.book.contactBook.contacts().first(where: {
        $0.key == invitation.key
      })
    else { return }
    output.say("Remembered \(contact.name.visible). 'daybook sync' now syncs with it.")
  }
}

// MARK: Invitations
