import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Phrasing
import Platform
import Syncing

enum SyncCommands {
  static let all = [join, sync, serve] + BundleCommands.all

  private static let join = CommandSpec(
    "join",
    "Join the book of another machine, and merge this machine's book, if any, into it.",
    traits: .passesOn,
    optionalText("INVITATION|FILE|DIR|ADDRESS"),
    option(
      "folder", "DIR",
      "Where this device finds the sealed folder of an invitation, if not at the path of the inviting device."
    ),
    option(
      "book", "ID", "The book to join, if a folder contains several; a prefix of its id is enough."),
    option(
      "key", "WORDS|HEX",
      "The machine's key: the words that 'daybook devices' shows on that machine, or the key in hexadecimal."
    ),
    flag("yes", "Do not ask, even if this device has a book or the machine is unknown."),
    examples: [
      "daybook join  # asks for the invitation, so that no other user of the machine can read it",
      "daybook join /media/stick/book.bundle",
      "daybook join tcp://192.168.1.7:7771", "daybook join ssh://ada@desk",
      "daybook join /media/stick --book 3f2a",
      "daybook join -  # reads the invitation from standard input",
      "daybook join --folder ~/Shared/daybook",
    ]
  ) { context, words, folder, wanted, key, isSure in
    try JoinBook(context: context).run(words, folder: folder, wanted, key: key, isSure)
  }

  private static let sync = CommandSpec(
    "sync", "Exchange events with a peer, file, folder or machine, or with all peers at once.",
    traits: .passesOn,
    optionalText("NAME|FILE|DIR|ADDRESS"),
    flag(
      "admit", "Admit waiting devices without asking, except those linked to a revoked device."
    ),
    option(
      "key", "WORDS|HEX",
      "An unknown machine's key: the words that 'daybook devices' shows on that machine, or the key in hexadecimal."
    ),
    flag("dry-run", "Show what a file or folder would change, and write nothing."),
    flag(
      "explain",
      "Show which events of each log each side has, and which are sent in each direction."),
    flag(
      "follow", "Stay connected to the machine, or to all remembered machines, until stopped.",
      staysInTouch: true),
    examples: [
      "daybook sync", "daybook sync laptop", "daybook sync ~/Shared/daybook --admit",
      "daybook sync tcp://192.168.1.7:7771", "daybook sync ssh://ada@desk",
      "daybook sync /media/stick --dry-run --explain",
      "daybook sync --follow",
    ]
  ) { context, source, admits, key, isTrial, explains, stays in
    let alone = isTrial ? "--dry-run" : explains ? "--explain" : nil
    if stays {
      if key != nil { throw ConsoleError.contradiction("--follow", "--key") }
      if let alone { throw ConsoleError.contradiction("--follow", alone) }
      return try FollowPeers(context: context).run(source, admitting: admits)
    }
    if isTrial { context.opener.beginTrial() }
    if source == nil, key == nil, alone == nil, try JoinThroughStore(context: context).resume() {
      return
    }
    let sync = SyncPeer(context: context)
    guard let source = try source ?? sync.onlyPeer(for: key == nil ? alone : "--key") else {
      return try SyncRound(context: context).run(admitting: admits)
    }
    try sync.run(
      source, admits, key: key, isTrial: isTrial, comparing: explains)
  }

  private static let serve = CommandSpec(
    "serve",
    "Let other machines sync with this one; on a terminal, ask before admitting invited devices.",
    traits: [.servesPeers, .hidesProgress, .passesOn],
    option("listen", "HOST:PORT", "The address to listen on; port 0 means any free port."),
    flag(
      "stdio", "Answer one session on standard input and output, for 'daybook sync ssh://HOST'."),
    flag(
      "admit",
      "Permanently admit every device that connects, except those linked to a revoked device."),
    flag(
      "no-confirm",
      "Admit invited devices without asking; a server without a terminal never asks."
    ),
    examples: ["daybook serve", "daybook serve --listen 0.0.0.0:7771"]
  ) { context, address, isPiped, admits, asksNobody in
    if isPiped {
      if address != nil { throw ConsoleError.contradiction("--stdio", "--listen") }
      return try ServeStream(context: context).run(admits)
    }
    try ServeBook(context: context).run(
      address ?? "127.0.0.1:7771", admits, confirming: !asksNobody)
  }
}

private struct SyncPeer {
  let context: CommandContext
  private var output: Output { context.output }

  /// Returns the only remembered peer with an address; nil if `option` is nil.
  ///
  /// - Throws: ``ConsoleError/needsPeer(option:names:)`` if there is not exactly one such peer.
  func onlyPeer(for option: String?) throws -> String? {
    guard let option else { return nil }
    let names = try context.book().contactBook.contacts().filter { $0.address != nil }.map(\.name)
    guard names.count == 1 else { throw ConsoleError.needsPeer(option: option, names: names) }
    return names[0]
  }

  func run(
    _ source: String, _ admits: Bool, key: String?, isTrial: Bool, comparing: Bool
  ) throws {
    let peer = try PeerReader(context: context).knownPeer(source)
    // A dry run holds back what is written to disks, but not what is sent.
    if isTrial, peer.path == nil { throw ConsoleError.noTrial(source, at: peer) }
    try noteStrangers(at: peer)
    let pin = try key.map(PeerReader.pin)
    let receipt = try sync(
      with: peer, called: source, isTrial && !admits ? .never : admission(admits), pin: pin,
      comparing: comparing)
    try ReceiptPresenter(context: context).tell(receipt)
  }

  /// Warns if the folder contains only other books, because the sync stores this book in the same folder.
  private func noteStrangers(at peer: PeerAddress) throws {
    guard case .directory(let path) = peer,
      let other = try context.book().replicator.strangers(in: path).first
    else { return }
    output.note(
      "\(path.string.visible) contains another book, \(other.hex). "
        + "This device's book is stored in the same folder, and the other book is not read. "
        + "To merge the two, run: daybook join \(path.string.quoted.visible) --book \(other.hex.prefix(8))"
    )
  }

  /// Syncs with a peer, and asks the user to compare the words of a machine's key if the key is unknown.
  private func sync(
    with peer: PeerAddress, called source: String, _ admission: Admission, pin: Pin?,
    comparing: Bool
  ) throws -> Receipt {
    let book = try context.book()
    do throws(DaybookError) {
      return try book.replicator.sync(
        with: peer, admission: admission, pin: pin, comparing: comparing,
        greeting: GuestPresenter(context: context).greeting)
    } catch {
      if case .sync(.wrongBook(let other)) = error {
        throw ConsoleError.otherBook(other, at: peer)
      }
      guard case .sync(.tls(.unknownKey(let key))) = error else { throw error }
      if pin != nil { throw ConsoleError.otherMachine(source, words: key.words) }
      // The second attempt accepts only the key that the user has confirmed.
      guard output.isAnswering else { throw error }
      try PeerReader(context: context).check(key, of: source, false)
      return try book.replicator.sync(
        with: peer, admission: admission, pin: .key(key), comparing: comparing,
        greeting: GuestPresenter(context: context).greeting)
    }
  }

  private func admission(_ admits: Bool) -> Admission {
    if admits { return .newcomers }
    guard context.environment.streams.isInputTerminal else { return .never }
    return .ask { device in
      let words = device.fingerprint.joined(separator: "-")
      let warning = device.sponsor.map { " Attention: \($0.words)." } ?? ""
      return output.confirms(
        "Admit \(device.name.visible)?\(warning) Its words are \(words); compare them with those that 'daybook devices' shows on that machine."
      )
    }
  }
}

/// Serves the book to other machines.
private struct ServeBook {
  let context: CommandContext
  private var output: Output { context.output }

  func run(
    _ address: String, _ admits: Bool, confirming isConfirming: Bool
  ) throws {
    let endpoint = try PeerReader(context: context).endpoint(address)
    let book = try context.book()
    let words = try book.core.localDevice.shownKey.words
    OwnEventNotices(output: output).tellStranded(try book.ownEvents.countOfStranded())
    var isListening = false
    do throws(DaybookError) {
      try LiveService(of: book).serve(
        host: endpoint.host, port: endpoint.port, admission: admits ? .newcomers : .never,
        doorkeeper: Doorbell(output: output).doorkeeper(asking: isConfirming),
        ready: { port in
          isListening = true
          let place = Endpoint(host: endpoint.host, port: port).text
          output.say("Listening on \(place), with the key \(words). Stop with Ctrl-C.")
          LossPresenter(context: context).noteLoss()
        },
        tell: { LivePresenter(context: context).tell($0) },
        until: context.environment.process.shouldStop)
    } catch {
      guard case .network(.unreachable) = error, !isListening else { throw error }
      throw ConsoleError.foreignAddress(endpoint)
    }
    output.say("Stopped.")
  }
}
