import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Phrasing
import Platform
import Syncing

extension Verb {
  static let syncing = [join, sync, serve] + bundling

  private static let join = Verb(
    "join", "Take part in a book of another machine; two books become one.",
    optionalText("INVITATION|FILE|DIR|tcp://HOST:PORT"),
    option("book", "ID", "Which of several books in a folder; the id's beginning is enough."),
    option(
      "key", "WORDS|HEX", "The key of the machine, as devices shows it there."),
    flag("yes", "Also when there is a book here already, or the machine is not known."),
    examples: [
      "daybook join  # asks for the invitation, so that no other user of the machine can read it",
      "daybook join /media/stick/book.bundle",
      "daybook join tcp://192.168.1.7:7771", "daybook join /media/stick --book 3f2a",
      "daybook join -  # reads the invitation from standard input",
    ]
  ) { context, words, wanted, key, isSure in
    let source = words ?? context.askedInvitation()
    if let invitation = try context.invitation(source) {
      return try context.join(by: invitation, wanted, key, isSure)
    }
    let peer = try context.peer(source)
    try context.checkChoice(wanted, at: peer)
    let joined = try context.join(
      peer, called: source, wanted, pin: try key.map { try context.pin($0) }, isSure)
    try context.tell(joined)
    try context.remember(peer, of: joined.book)
  }

  private static let sync = Verb(
    "sync", "Exchange events with a peer, file, folder or machine, or with all peers at once.",
    optionalText("NAME|FILE|DIR|tcp://HOST:PORT"),
    flag("admit", "Admit the devices whose logs are met, so that what they wrote counts."),
    option(
      "key", "WORDS|HEX", "The key of a machine that is not known yet, as 'devices' shows it there."
    ),
    flag("dry-run", "Say what a file or folder would change, and write nothing at all."),
    flag("explain", "Show of each log what is held here and there, and what goes which way."),
    flag("follow", "Stay in touch with the machine, or with all there are, until it is stopped."),
    examples: [
      "daybook sync", "daybook sync laptop", "daybook sync ~/Shared/daybook --admit",
      "daybook sync tcp://192.168.1.7:7771", "daybook sync /media/stick --dry-run --explain",
      "daybook sync --follow",
    ]
  ) { context, source, admits, key, isTrial, explains, stays in
    let alone = isTrial ? "--dry-run" : explains ? "--explain" : nil
    if stays {
      if key != nil { throw ConsoleError.contradiction("--follow", "--key") }
      if let alone { throw ConsoleError.contradiction("--follow", alone) }
      return try context.follow(source, admitting: admits)
    }
    if isTrial { context.beginTrial() }
    guard let source = try source ?? context.onlyPeer(for: key == nil ? alone : "--key") else {
      return try context.syncWithAll(admitting: admits)
    }
    let peer = try context.knownPeer(source)
    if isTrial { try context.checkTrial(of: peer, source) }
    let admission = isTrial && !admits ? .never : context.admission(admits)
    try context.noteStrangers(at: peer)
    let pin = try key.map { try context.pin($0) }
    try context.tell(
      try context.sync(with: peer, called: source, admission, pin: pin, comparing: explains))
  }

  private static let serve = Verb(
    "serve", "Let other machines sync with this one; on a terminal, ask about those invited.",
    option("listen", "HOST:PORT", "Where to listen; port 0 takes any."),
    flag("admit", "Let in anybody who reaches the address, and admit them for good."),
    flag(
      "no-confirm",
      "Let in each device that shows an invitation, without asking; a server without a terminal never asks."
    ),
    examples: ["daybook serve", "daybook serve --listen 0.0.0.0:7771"]
  ) { context, address, admits, asksNobody in
    try context.serve(address ?? "127.0.0.1:7771", admits, confirming: !asksNobody)
  }
}

extension Context {
  /// What the words name: `tcp://HOST:PORT`, or a file or folder.
  func peer(_ words: String) throws -> PeerAddress {
    if let address = words.dropping(prefix: "tcp://") {
      let endpoint = try endpoint(address)
      return .tcp(host: endpoint.host, port: endpoint.port)
    }
    let path = surroundings.path(words)
    guard let status = try machine.disk.status(path) else { throw ConsoleError.nobody(words) }
    return status.kind == .directory ? .directory(path) : .file(path)
  }

  /// Refuses a choice of book where there is none.
  func checkChoice(_ wanted: String?, at peer: PeerAddress) throws(ConsoleError) {
    guard let wanted else { return }
    if case .directory = peer { return }
    throw .badValue("--book", wanted, Self.oneBook)
  }

  /// The peer that is meant where an option goes with one only and none is named; nil without such an option.
  fileprivate func onlyPeer(for option: String?) throws -> String? {
    guard let option else { return nil }
    let names = try book().contacts().filter { $0.address != nil }.map(\.name)
    guard names.count == 1 else { throw ConsoleError.needsPeer(option: option, names: names) }
    return names[0]
  }

  /// Refuses to try what cannot be tried: with a machine, events would go out.
  fileprivate func checkTrial(of peer: PeerAddress, _ source: String) throws(ConsoleError) {
    if case .tcp = peer { throw .noTrial(source) }
  }

  static let oneBook =
    "A bundle and a machine have one book each; only a folder may have more."

  /// The peer that the words name: one that is remembered, or else by its address or path.
  func knownPeer(_ words: String) throws -> PeerAddress {
    let contacts: [Contact]
    do throws(DaybookError) {
      contacts = try book().contacts()
    } catch {
      // What is not a name needs no list of names.
      guard case .contacts = error, let peer = try? peer(words) else { throw error }
      return peer
    }
    guard let contact = contacts.first(where: { $0.name == words }) else {
      do { return try peer(words) } catch ConsoleError.nobody {
        guard let device = try book().devices().first(where: { $0.name == words }) else {
          throw ConsoleError.nobody(words)
        }
        throw ConsoleError.deviceNoPeer(words, isThis: device.isThis)
      }
    }
    guard let address = contact.address else { throw DaybookError.noAddress(contact.name) }
    if let path = address.path, try machine.disk.status(path) == nil {
      throw ConsoleError.peerAway(contact.name, path)
    }
    return address
  }

  /// Says that other books lie in a folder which this one is about to be left in.
  fileprivate func noteStrangers(at peer: PeerAddress) throws {
    guard case .directory(let path) = peer, let other = try book().strangers(in: path).first
    else { return }
    note(
      "another book lies in \(path.string.visible): \(other.hex). This one is left beside it, and "
        + "nothing of that is taken. "
        + "To make the two one: daybook join \(path.string.quoted.visible) "
        + "--book \(other.hex.prefix(8))")
  }

  /// Remembers a folder or machine whose book was joined, so that 'daybook sync' finds it.
  fileprivate func remember(_ peer: PeerAddress, of book: Book) throws {
    let name: String
    switch peer {
    case .file: return
    case .directory(let path): name = path.name
    case .tcp(let host, _): name = host
    }
    guard let name = try book.meet(peer, called: name) else { return }
    say("\(name.visible) is remembered: 'daybook sync' syncs with it from now on.")
  }

  /// Syncs with a peer; a machine whose key is not known yet is asked for by the words of its key.
  fileprivate func sync(
    with peer: PeerAddress, called source: String, _ admission: Admission, pin: Pin?,
    comparing: Bool
  ) throws -> Receipt {
    let book = try book()
    do throws(DaybookError) {
      return try book.sync(with: peer, admission: admission, pin: pin, comparing: comparing)
    } catch {
      guard case .sync(.tls(.unknownKey(let key))) = error else { throw error }
      if pin != nil { throw ConsoleError.otherMachine(source, words: key.words) }
      // The user confirms one key, never any machine that answers.
      guard isAnswering else { throw error }
      try check(key, of: source, false)
      return try book.sync(with: peer, admission: admission, pin: .key(key), comparing: comparing)
    }
  }

  fileprivate func admission(_ admits: Bool) -> Admission {
    if admits { return .always }
    guard surroundings.isInputTerminal else { return .never }
    return .ask { device in
      let words = device.fingerprint.joined(separator: "-")
      return self.confirms(
        "Admit \(device.name.visible)? Its words are \(words); "
          + "compare them with 'daybook devices' there.")
    }
  }

  fileprivate func serve(
    _ address: String, _ admits: Bool, confirming isConfirming: Bool
  ) throws {
    let endpoint = try endpoint(address)
    let book = try book()
    let words = try book.shownKey.words
    var isListening = false
    do throws(DaybookError) {
      try book.serve(
        host: endpoint.host, port: endpoint.port, admission: admits ? .always : .never,
        doorkeeper: doorkeeper(asking: isConfirming),
        ready: { port in
          isListening = true
          let place = Endpoint(host: endpoint.host, port: port).text
          say("Listening on \(place), with the key \(words). Stop with Ctrl-C.")
          noteLoss()
        },
        tell: { self.tell($0) }, until: surroundings.shouldStop)
    } catch {
      guard case .network(.unreachable) = error, !isListening else { throw error }
      throw ConsoleError.foreignAddress(endpoint)
    }
    say("Stopped.")
  }

  /// Tells what held a part back; damage makes the run end as a fault.
  func tell(_ problems: [SyncProblem]) {
    for problem in problems {
      note("\(overQuota(problem) ?? gap(problem) ?? problem.text).", isLoss: true)
    }
    exit = problems.map(\.exit).reduce(exit, max)
  }
}

extension Context {
  /// Which device has exceeded its quota, and what to do about it; nil for other problems.
  private func overQuota(_ problem: SyncProblem) -> String? {
    guard case .log(.overQuota(let log)) = problem,
      let device = try? book().devices().first(where: { $0.replica == log })
    else { return nil }
    return "the next events of \(device.words) exceed its quota here, so they and all later ones "
      + "wait; 'daybook device quota' shows and raises the limit"
  }
}

extension Context {
  /// That events are missing before others, by the name of the device that wrote them.
  private func gap(_ problem: SyncProblem) -> String? {
    guard case .log(.gap(let log, let held, let received)) = problem, held + 1 < received,
      let name = try? book().deviceNames()[log]
    else { return nil }
    let range = held + 1...received - 1
    let verb = range.count == 1 ? "is" : "are"
    return "\(range.asEvents) of \(name.visible) \(verb) missing, and what follows was left. "
      + "Take it from a whole bundle, one without --since, or from whoever has it"
  }
}

extension String {
  /// What follows a prefix, if it is there.
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
