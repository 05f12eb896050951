package import Bytes
package import Crypto
import Journaling
package import Platform
package import ReadModel
package import Syncing

extension Book {
  /// Takes part in the book of the device that has invited this one, and ends with the same events.
  ///
  /// A book that is here already becomes part of the other one, if that is confirmed. Cut short before the inviter
  /// has heard that all has come, it can be done again with the same invitation. Where the inviter's user is asked,
  /// `asked` is given the key of this device, so that both sides can compare its words.
  package static func join(
    at folder: Path, by invitation: Invitation, on machine: Machine, deviceName: String,
    view place: ReadModel.Place? = nil, witness: Path? = nil, asked: (PublicKey) -> Void = { _ in },
    confirm: (UniqueID) -> Bool
  ) throws(DaybookError) -> (book: Book, receipt: Receipt) {
    let book = try open(orLayOut: folder, on: machine, deviceName: deviceName, view: place)
    book.witness = witness
    let former = book.file.book
    if former != .none, try book.shownKey == invitation.key { throw .ownInvitation }
    // A device that waits to be admitted to its own book is asked nothing, and has nobody to vouch for.
    var isOther = false
    if former != .none { isOther = try !book.knows(invitation.key) }
    if isOther, !confirm(former) { throw .declined }
    let (key, proof) = try book.prepareProof(for: invitation, vouching: isOther)
    let before = try book.holdings()
    let peer = PeerAddress.tcp(host: invitation.endpoint.host, port: invitation.endpoint.port)
    let talk = try book.joining { () throws(DaybookError) in
      let talk = try book.talk(with: peer, pin: .key(invitation.key), proving: proof) { asked(key) }
      guard let joined = talk.peerBook else { throw .sync(.noBook) }
      try book.become(joined)
      return talk
    }
    return try book.tellingThatItJoined { () throws(DaybookError) in
      try book.settleAfterSync()
      try book.allowWhatWasJoined()
      try book.takeGivenName()
      let name = try book.devices().first { $0.key == invitation.key.bytes }?.name
      try book.meet(invitation.key, called: name ?? invitation.endpoint.host, at: peer)
      return (book, try book.receipt(talk, since: before))
    }
  }

  /// Whether a key is one of this book, so that whoever holds it can only have invited to the same.
  private func knows(_ key: PublicKey) throws(DaybookError) -> Bool {
    try trust(by: try remembered(by: try view()).ledger).knownKeys.contains(key)
  }

  /// Makes sure that this device has a log, by which others know it, and vouches for the others of its book.
  private func prepareProof(
    for invitation: Invitation, vouching: Bool
  ) throws(DaybookError) -> (key: PublicKey, proof: Proof) {
    let (key, port) = try withLock { () throws(DaybookError) in
      let key = try ownKey()
      if vouching { try vouchForOthers() }
      try wrap(DaybookError.journal) { () throws(JournalError) in try settleJournal() }
      return (key, try portToTell(invitation.endpoint))
    }
    let code = Invitation.proof(
      secret: invitation.secret, inviter: invitation.key, joiner: key)
    let proof = Proof(
      code: code, name: file.device.asProofName, port: port,
      secretName: Invitation.name(of: invitation.secret))
    return (key, proof)
  }

  /// Where this machine serves the book itself, if the other can reach it there.
  private func portToTell(_ inviter: Endpoint) throws(DaybookError) -> UInt16? {
    guard let own = try served(), !own.isLoopback || inviter.isLoopback else { return nil }
    return own.port
  }

  /// Admits by this device's own log whoever its book has admitted: who trusts this one then trusts them, too.
  private func vouchForOthers() throws(DaybookError) {
    var posting = try remembered(by: try view())
    let roster = Roster(try trust(by: posting.ledger), by: posting.ledger)
    let trust = roster.trust
    guard try isTrusted(by: trust), let own = try ownLog else { return }
    var vouched: Set<[UInt8]> = []
    for event in posting.ledger.trustEvents where trust.keys[event.log] == trust.keys[own] {
      if case .admit(let key, _, _, _) = event.verb { vouched.insert(key.bytes) }
    }
    var verbs: [TrustVerb] = []
    for device in try devices(by: roster) where device.isTrusted && !device.isThis {
      let key = try publicKey(of: device)
      guard key != trust.keys[own], vouched.insert(device.key).inserted else { continue }
      verbs.append(.admit(key, name: device.name))
    }
    _ = try append([], trusting: verbs, knowing: &posting)
  }

  /// Takes the name by which the other book has admitted this device for what its next log is called.
  private func takeGivenName() throws(DaybookError) {
    guard let name = try devices().first(where: \.isThis)?.name, name != file.device else { return }
    try withLock { () throws(DaybookError) in
      file.device = name
      try saveFile()
    }
  }
}

extension String {
  /// As much of a name as a proof can say.
  fileprivate var asProofName: String {
    var name = ""
    for letter in self where letter.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
      guard name.utf8.count + letter.utf8.count <= Limit.proofNameBytes else { break }
      name.append(letter)
    }
    return name.isEmpty ? "device" : name
  }
}

extension Device {
  /// Whether what it writes counts.
  fileprivate var isTrusted: Bool { standing == .founder || standing == .admitted }
}
