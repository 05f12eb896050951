import Bytes
import Crypto
import Daybook
import Domain
import Journaling
import Platform
import Syncing

extension Verb {
  static let syncing = [bundle, join, sync, serve]

  private static let bundle = Verb(
    "bundle", "Write the events into a file that another machine can sync from.", text("FILE"),
    option("since", "PEER", "A device: what it is known to have is left out."),
    examples: ["daybook bundle /media/stick/book.bundle", "daybook bundle b --since laptop"]
  ) { context, file, peer in
    let path = context.surroundings.path(file)
    let receipt = try context.book().writeBundle(to: path, since: peer)
    let events = receipt.sent.values.reduce(0, +)
    context.say("Wrote \(events) events, \(receipt.byteCount) bytes, to \(path.string.visible).")
  }

  private static let join = Verb(
    "join", "Take part in a book of another machine; two books become one.",
    text("FILE|DIR|tcp://HOST:PORT"),
    option("book", "ID", "Which of several books in a folder; the id's beginning is enough."),
    option(
      "key", "WORDS|HEX", "The key of the machine, as devices shows it there."),
    flag("yes", "Also when there is a book here already, or the machine is not known."),
    examples: [
      "daybook join /media/stick/book.bundle", "daybook join tcp://192.168.1.7:7771",
      "daybook join /media/stick --book 3f2a",
    ]
  ) { context, source, wanted, key, isSure in
    let peer = try context.peer(source)
    try context.checkChoice(wanted, at: peer)
    let joined = try context.join(
      peer, called: source, wanted, pin: try key.map { try context.pin($0) }, isSure)
    context.use(joined.book)
    context.say("Joined the book \(joined.book.id.hex) in \(context.folder.string.visible).")
    try context.tell(joined.receipt, joining: joined.book.id)
  }

  private static let sync = Verb(
    "sync", "Exchange events with a bundle file, a folder, or a machine that serves.",
    text("FILE|DIR|tcp://HOST:PORT"),
    flag("admit", "Admit the devices met, so that what they wrote counts."),
    examples: ["daybook sync ~/Shared/daybook --admit", "daybook sync tcp://192.168.1.7:7771"]
  ) { context, source, admits in
    let peer = try context.peer(source)
    let receipt = try context.book().sync(with: peer, admission: context.admission(admits))
    try context.tell(receipt)
  }

  private static let serve = Verb(
    "serve", "Let other machines sync with this one, until it is stopped.",
    option("listen", "HOST:PORT", "Where to listen; port 0 takes any."),
    flag("admit", "Let in devices that are not known yet, and admit them."),
    examples: ["daybook serve", "daybook serve --listen 0.0.0.0:7771 --admit"]
  ) { context, address, admits in
    try context.serve(address ?? "127.0.0.1:7771", admits)
  }
}

extension Context {
  /// What the words name: `tcp://HOST:PORT`, or a file or folder.
  func peer(_ words: String) throws -> PeerAddress {
    if let address = words.dropping(prefix: "tcp://") {
      let (host, port) = try hostAndPort(address)
      return .tcp(host: host, port: port)
    }
    let path = surroundings.path(words)
    guard let status = try machine.disk.status(path) else {
      throw ConsoleError.disk(DiskError(.open, path, .notFound))
    }
    return status.kind == .directory ? .directory(path) : .file(path)
  }

  /// Refuses a choice of book where there is none.
  fileprivate func checkChoice(_ wanted: String?, at peer: PeerAddress) throws(ConsoleError) {
    guard let wanted else { return }
    if case .directory = peer { return }
    throw .badValue(
      "--book", wanted, "A bundle and a machine have one book each; only a folder may have more.")
  }

  private func hostAndPort(_ words: String) throws(ConsoleError) -> (String, UInt16) {
    let advice = "Say host and port, as in 127.0.0.1:7771."
    guard let colon = words.lastIndex(of: ":"), colon != words.startIndex,
      let port = UInt16(words[words.index(after: colon)...])
    else { throw .badValue("the address", words, advice) }
    var host = String(words[..<colon])
    // An IPv6 address stands in brackets, to tell its colons from that of the port.
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    return (host, port)
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

  fileprivate func serve(_ address: String, _ admits: Bool) throws {
    let (host, port) = try hostAndPort(address)
    let book = try book()
    let words = try book.identity.publicKey.words
    try book.serve(
      host: host, port: port, admission: admits ? .always : .never,
      ready: { port in
        say("Listening on \(host):\(port), with the key \(words). Stop with Ctrl-C.")
      },
      visited: { visit in
        switch visit {
        case .failed(let error): note(error.told.text)
        case .turnedAway(let address, let error):
          note("turned away \(address.visible): \(error.callerText).")
        case .done(let receipt):
          do {
            try tell(receipt)
          } catch {
            note(Console.told(error).text)
          }
        }
      }, until: surroundings.shouldStop)
    say("Stopped.")
  }

  /// Tells what held a part back; damage makes the run end as a fault.
  func tell(_ problems: [SyncProblem]) {
    for problem in problems { note("\(problem.text).") }
    if problems.contains(where: { !$0.mayPass }) { exit = .dataFault }
  }
}

extension String {
  /// What follows a prefix, if it is there.
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
