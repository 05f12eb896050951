import Bytes
import Crypto
import Syncing

/// What the file `invitations` says: the secrets by which others can come in, and which were used.
///
/// It is handed from whoever invites to whoever serves. What does not read as it should is forgotten: none is good
/// for long.
struct Invitations {
  struct Entry: Equatable {
    /// The secret as long as it can be used, and no longer.
    var secret: [UInt8]?
    /// By what the secret is still known then.
    var name: UniqueID
    /// When it ends, by the clock of this machine.
    var end: Int64
    /// The key that has shown the proof of it.
    var taker: PublicKey?
    /// Whether the session in which it was shown has come to its end.
    var isUsed = false
    /// Whether a user has refused a device that has shown the proof of it.
    var isDeclined = false
  }

  /// How long one that has ended is remembered, so that it can be told what is wrong with it.
  private static let memoryMilliseconds: Int64 = 86_400_000

  private(set) var entries: [Entry] = []

  init() {}

  init(parsing bytes: [UInt8]) {
    // One that cannot be read is of no use to anyone, and a new one is made in a moment.
    guard let json = try? JSON(parsing: bytes) else { return }
    entries = (json["invitations"]?.array ?? []).compactMap(Entry.init(json:))
  }

  var bytes: [UInt8] {
    let json = JSON.object(("invitations", .array(entries.map(\.json))))
    return Array((json.text(indented: true) + "\n").utf8)
  }

  /// Adds one, and forgets those that ended long ago.
  mutating func open(_ secret: [UInt8], at now: Int64) {
    forgetWhatHasEnded(at: now)
    entries.append(
      Entry(
        secret: secret, name: Invitation.name(of: secret),
        end: now + Limit.invitationMilliseconds))
    entries.removeFirst(max(0, entries.count - Limit.openInvitations))
  }

  /// Whether any can be used.
  func hasOpen(at now: Int64) -> Bool { entries.contains { $0.isOpen(at: now) } }

  /// Takes the proof that the holder of one key shows to that of another, or tells why not.
  mutating func take(
    _ proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Refusal.Code? {
    defer { forgetWhatHasEnded(at: now) }
    switch find(proof, of: joiner, inviter: inviter, at: now) {
    case .failure(let refusal): return refusal.code
    case .success(let place):
      entries[place].taker = joiner
      return nil
    }
  }

  /// Why a proof would not be taken, if it would not.
  func refusal(
    of proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Refusal.Code? {
    switch find(proof, of: joiner, inviter: inviter, at: now) {
    case .failure(let refusal): refusal.code
    case .success: nil
    }
  }

  /// Ends the invitation of which the holder of a key has shown the proof, since a user wants no such device.
  mutating func decline(
    _ proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) {
    defer { forgetWhatHasEnded(at: now) }
    guard case .success(let place) = find(proof, of: joiner, inviter: inviter, at: now) else {
      return
    }
    entries[place].isDeclined = true
  }

  private struct Refused: Error { var code: Refusal.Code }

  /// The invitation that a proof is of, as long as it is good for the holder of the key.
  private func find(
    _ proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Result<Int, Refused> {
    // Also where nothing is to be had any more, so that the time it takes tells nothing.
    let found = entries.indices.filter { place in
      guard let secret = entries[place].secret else { return false }
      return Invitation.isProof(proof.code, secret: secret, inviter: inviter, joiner: joiner)
    }
    guard let place = found.first else {
      // Who knows the name of a secret has had the secret.
      if let ended = entries.first(where: { $0.secret == nil && $0.name == proof.secretName }) {
        return .failure(Refused(code: ended.whyEnded))
      }
      // A secret of 128 bits is not guessed, so wrong proofs need no count; with one, any stranger could end
      // what is open.
      return .failure(Refused(code: .wrongProof))
    }
    if let taker = entries[place].taker, taker != joiner {
      return .failure(Refused(code: .usedInvitation))
    }
    guard entries[place].isOpen(at: now) else {
      return .failure(Refused(code: entries[place].whyEnded))
    }
    return .success(place)
  }

  /// The name of the secret that the holder of a key has shown last.
  func secretName(takenBy taker: PublicKey) -> UniqueID? {
    entries.last { $0.taker == taker }?.name
  }

  /// Ends what the holder of a key has used.
  mutating func finish(_ taker: PublicKey) {
    for place in entries.indices where entries[place].taker == taker {
      entries[place].isUsed = true
      entries[place].secret = nil
    }
  }

  /// Forgets the secrets that are of no more use, and a day later that there were any.
  private mutating func forgetWhatHasEnded(at now: Int64) {
    entries.removeAll { $0.end < now - Self.memoryMilliseconds }
    for place in entries.indices where !entries[place].isOpen(at: now) {
      entries[place].secret = nil
    }
  }
}

extension Invitations.Entry {
  /// Whether it can be used.
  ///
  /// A clock that was set back lets it last longer by as much, but by no more than has passed of it:
  /// before the moment at which it was made, it cannot be used.
  fileprivate func isOpen(at now: Int64) -> Bool {
    !isUsed && !isDeclined && (0...Limit.invitationMilliseconds).contains(end - now)
  }

  /// Why it can be used no more.
  fileprivate var whyEnded: Refusal.Code {
    if isDeclined { return .declined }
    return isUsed ? .usedInvitation : .expiredInvitation
  }

  fileprivate init?(json: JSON) {
    secret = json["secret"]?.string.flatMap(Hex.decode)
    guard secret == nil || secret?.count == Invitation.secretBytes,
      let name = secret.map(Invitation.name) ?? json["name"]?.string.flatMap(UniqueID.init(hex:)),
      let end = json["end"]?.integer, (0...Int64.max / 2).contains(end)
    else { return nil }
    (self.name, self.end) = (name, end)
    taker = json["taker"]?.string.flatMap(PublicKey.init(hex:))
    isUsed = json["isUsed"]?.boolean ?? false
    isDeclined = json["isDeclined"]?.boolean ?? false
  }

  fileprivate var json: JSON {
    .object(
      ("secret", secret.map { .string(Hex.encode($0)) } ?? .null), ("name", .string(name.hex)),
      ("end", .integer(end)),
      ("taker", taker.map { .string($0.hex) } ?? .null), ("isUsed", .boolean(isUsed)),
      ("isDeclined", .boolean(isDeclined)))
  }
}

extension PublicKey {
  init?(hex: String) {
    guard let bytes = Hex.decode(hex), bytes.count == Self.byteCount else { return nil }
    // One under which anyone can sign is no device's.
    guard let key = try? PublicKey(bytes) else { return nil }
    self = key
  }

  var hex: String { Hex.encode(bytes) }
}
