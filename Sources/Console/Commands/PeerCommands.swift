import Bytes
import Crypto
import Daybook
import Domain
import Phrasing
import Platform
import Syncing

enum PeerCommands {
  static let all = [invite, peers, addPeer, renamePeer, trustPeer, forgetPeer]

  private static let invite = CommandSpec(
    "invite",
    "Invite one device, and print what to enter on it. Requires 'daybook serve', except over ssh or with --via.",
    option(
      "via", "NAME",
      "A sealed folder or bucket through which the device joins, even if the two devices are never on at the same time."
    ),
    flag("no-confirm", "With --via, admit the device without asking."),
    flag("cancel", "End all open invitations through sealed folders and buckets."),
    option(
      "address", "HOST:PORT|ssh://HOST",
      "The address at which others reach this machine, if it is not the address of 'daybook serve'."
    ),
    flag("qr", "Show the QR code even if standard output is not a terminal."),
    flag("no-qr", "Do not show the QR code."),
    examples: [
      "daybook invite", "daybook invite --address laptop.local:7771 --no-qr",
      "daybook invite --address ssh://ada@desk", "daybook invite --via cloud",
    ]
  ) { context, store, asksNobody, cancels, address, wantsCode, declinesCode in
    let given = [store.map { _ in "--via" }, address.map { _ in "--address" }].compactMap(\.self)
    if cancels {
      if let other = given.first { throw ConsoleError.contradiction("--cancel", other) }
      return try InviteThroughStore(context: context).cancel()
    }
    if given.count > 1 { throw ConsoleError.contradiction(given[0], given[1]) }
    if asksNobody, store == nil { throw ConsoleError.needsOption("--no-confirm", "--via") }
    try InviteDevice(
      context: context, address: address.map(PeerReader(context: context).machine),
      wantsCode: wantsCode,
      declinesCode: declinesCode
    ).run(through: store, asking: !asksNobody)
  }

  private static let peers = CommandSpec(
    "peers", "List the remembered peers, and show when each was last synced.",
    reading: .present,
    examples: [
      "daybook peers", "daybook peers --json",
    ]
  ) { context in
    let peers = try context.book().contactBook.knownPeers()
    if context.output.isJSON { return context.output.answer(.array(peers.map(\.json))) }
    context.output.answer(
      rows: peers.map { peer in peer.row(context.machine.timekeeper).map { Cell($0) } })
    if peers.isEmpty { context.output.note(ConsoleError.noPeers.told.text) }
  }

  private static let addPeer = CommandSpec(
    "peer add", "Remember a folder, file, machine or bucket for 'daybook sync'.",
    text("NAME"), text("FILE|DIR|ADDRESS"),
    flag(
      "sealed", "Encrypt what daybook puts into the folder; only devices of the book can read it."),
    flag(
      "new",
      "With --sealed or a bucket, start a new store even if there are stores that this device cannot open."
    ),
    option(
      "endpoint", "URL",
      "The service that hosts the bucket; by default, that of the AWS settings, or else AWS."),
    option(
      "region", "REGION",
      "The region of the bucket; by default, that of the AWS settings, or else us-east-1."),
    flag(
      "path-style",
      "Put the name of the bucket into the path of request URLs instead of into the host name."
    ),
    examples: [
      "daybook peer add stick /media/stick/daybook", "daybook peer add desk tcp://127.0.0.1:7771",
      "daybook peer add home ssh://ada@home.example.org/journals/work",
      "daybook peer add cloud ~/Shared/daybook --sealed",
      "daybook peer add cloud s3://my-bucket/daybook --region eu-central-1",
    ]
  ) { context, name, words, isSealed, isNew, endpoint, region, usesPath in
    let options = BucketOptions(endpoint: endpoint, region: region, usesPath: usesPath)
    if words.hasPrefix(PeerReader.bucketScheme) {
      let place = try PeerReader(context: context).bucket(words, options)
      return try addSealed(name, place, forcing: isNew, in: context)
    }
    if let given = options.givenName { throw ConsoleError.onlyForBuckets(given) }
    let address = try PeerReader(context: context).peer(words)
    let book = try context.book()
    if isNew, !isSealed { throw ConsoleError.needsOption("--new", "--sealed") }
    try refuseTaken(address, for: name, in: book)
    if isSealed {
      guard case .directory(let folder) = address else {
        throw ConsoleError.badValue("DIR", words, "Only a folder can be sealed.")
      }
      return try addSealed(name, .folder(folder), forcing: isNew, in: context)
    }
    let former = try book.contactBook.contacts().first { $0.name == name }?.address
    if let machine = address.machine, machine.endpoint.map(book.service.isOwn) ?? false {
      throw DaybookError.sync(.ownAddress(machine.text))
    }
    let found = try book.replicator.discovered(address)
    try book.contactBook.addPeer(name, at: found)
    try PeerAnswer(output: context.output).tell(name, in: book)
    noteFormer(former, of: name, unlessSameAs: address, context)
    let what =
      if case .file = address { "reads it, and writes nothing to it" } else {
        "syncs with it"
      }
    context.output.say("\(name.visible) is \(found.text.visible). 'daybook sync' \(what).")
  }

  /// Refuses a place that is already remembered under another name.
  private static func refuseTaken(
    _ address: PeerAddress, for name: String, in book: Book
  ) throws {
    let other = try book.contactBook.contacts().first {
      $0.address?.isSame(as: address) ?? false
    }
    guard let other, other.name != name else { return }
    throw ConsoleError.placeTaken(address, by: other.name, wanted: name)
  }

  private static func noteFormer(
    _ former: PeerAddress?, of name: String, unlessSameAs address: PeerAddress,
    _ context: CommandContext
  ) {
    guard let former, !former.isSame(as: address) else { return }
    context.output.note("\(name.visible) previously had the address \(former.text.visible).")
  }

  private static func addSealed(
    _ name: String, _ place: StorePlace, forcing isForced: Bool, in context: CommandContext
  ) throws {
    let book = try context.book()
    let address = place.address(ofBook: book.id)
    try refuseTaken(address, for: name, in: book)
    let former = try book.contactBook.contacts().first { $0.name == name }?.address
    let founded = try SealedPeerFounder(book.replicator).add(
      name, in: place, forcing: isForced)
    ProblemPresenter(context: context).tell(founded.problems)
    guard founded.isRemembered else { return }
    try PeerAnswer(output: context.output).tell(name, in: book)
    noteFormer(former, of: name, unlessSameAs: address, context)
    let state = founded.isNew ? "a new sealed store" : "the sealed store of this book"
    let location = place.location.string.visible
    context.output.say(
      "\(name.visible) is \(state) in \(location). To sync with it, run 'daybook sync'.")
    if founded.isNew {
      context.output.say(
        "Only devices of this book can open it, so keep a second device, "
          + "or a copy of the book's folder, whose path 'daybook where' shows."
      )
    }
  }

  private static let renamePeer = CommandSpec(
    "peer rename", "Rename a remembered peer.", text("NAME"), text("NEWNAME"),
    examples: [
      "daybook peer rename desk kitchen", "daybook peer rename stick \"red stick\"",
    ]
  ) { context, name, newName in
    let book = try context.book()
    try book.contactBook.renamePeer(name, to: newName)
    try PeerAnswer(output: context.output).tell(newName, in: book)
    context.output.say("Renamed the peer \(name.visible) to \(newName.visible).")
  }

  private static let trustPeer = CommandSpec(
    "peer trust", "Accept a machine's new key, if you know that the machine has been set up again.",
    text("NAME"), text("WORDS"),
    examples: [
      "daybook peer trust desk voron-girah-dizuv-tozok-fupur-duzor",
      "daybook peer trust \"old laptop\" voron-girah-dizuv-tozok-fupur-duzor",
    ]
  ) { context, name, words in
    let spelt = try PeerReader.keyWords(words, of: "the words of the key")
    let book = try context.book()
    try book.contactBook.trustPeer(name, with: spelt)
    try PeerAnswer(output: context.output).tell(name, in: book)
    context.output.say(
      "\(name.visible) must present the key \(spelt.joined(separator: "-")) from now on."
    )
  }

  private static let forgetPeer = CommandSpec(
    "peer forget", "Forget the address of a peer, but keep its events.", text("NAME"),
    examples: [
      "daybook peer forget stick", "daybook peer forget desk",
    ]
  ) { context, name in
    let book = try context.book()
    try PeerAnswer(output: context.output).tell(name, in: book)
    let forgotten = try book.contactBook.forgetPeer(name)
    context.output.say("Forgot the address of \(name.visible).")
    guard let key = forgotten.key else { return }
    let isMember = try book.deviceList.devices().contains { device in
      device.key == key.bytes && (device.standing == .admitted || device.standing == .founder)
    }
    if isMember { context.output.say("The device still takes part in the book.") }
  }
}

extension StorePlace {
  /// The address of a store in this place, with an arbitrary id, for comparisons.
  fileprivate func address(ofBook book: UniqueID) -> PeerAddress {
    if let folder { return .directory(folder) }
    return .store(StoreAddress(in: self, store: book, book: book))
  }
}

extension BucketOptions {
  /// The name of an option that was given; nil if there is none.
  fileprivate var givenName: String? {
    if endpoint != nil { return "--endpoint" }
    if region != nil { return "--region" }
    return usesPath ? "--path-style" : nil
  }
}

/// With `--json`, answers with the state of a remembered peer.
private struct PeerAnswer {
  let output: Output

  func tell(_ name: String, in book: Book) throws {
    guard output.isJSON,
      let peer = try book.contactBook.knownPeers().first(where: { $0.contact.name == name })
    else { return }
    output.answer(peer.json)
  }
}

extension KnownPeer {
  fileprivate func row(_ timekeeper: any Timekeeper) -> [String] {
    [
      contact.name.visible, contact.address?.text.visible ?? "calls here",
      contact.synced.map { "\(syncedWord) \(timekeeper.localText(of: $0))" }
        ?? "not \(syncedWord) since it was added",
      contact.waiting?.text(timekeeper) ?? lackingWords, fingerprint?.joined(separator: "-") ?? "",
    ]
  }

  private var syncedWord: String { contact.isBundle ? "read" : "synced" }

  private var lackingWords: String {
    switch lacking {
    case nil: ""
    case 0?: "has everything"
    case 1?: "lacks 1 event as of the last direct sync"
    case let events?: "lacks \(events) events as of the last direct sync"
    }
  }

  fileprivate var json: JSON {
    .object(
      ("name", .string(contact.name)),
      ("address", contact.address.map { .string($0.text) } ?? .null),
      ("fingerprint", fingerprint.map { .string($0.joined(separator: "-")) } ?? .null),
      ("lastSync", contact.synced.map { .string(Instant.text($0)) } ?? .null),
      ("lacking", lacking.map { .integer(Int64(clamping: $0)) } ?? .null),
      ("waiting", contact.waiting?.json ?? .null))
  }
}
