import Bytes
import Crypto
import Syncing

/// The contents of the file `invitations`: the secrets with which devices can join, and whether they were used.
///
/// The file passes invitations from the process that makes them to the process that serves the book. Unreadable
/// contents are ignored, because every invitation expires soon.
struct Invitations {
  struct Entry: Equatable {
    /// The secret; nil once the invitation has been used or has ended.
    var secret: [UInt8]?
    /// The name of the secret, which still identifies the invitation after the secret is removed.
    var name: UniqueID
    /// The time at which the invitation expires, in milliseconds by the clock of this machine.
    var end: Int64
    /// The key whose holder has shown a valid proof.
    var taker: PublicKey?
    /// Whether a device has joined with the secret; set after the first sync with the device.
    var isUsed = false
    /// Whether a user has refused a device that has shown a valid proof.
    var isDeclined = false
  }

  /// The time for which an expired invitation is remembered, so that its holder can be given the reason for a refusal.
  private static let memoryMilliseconds: Int64 = 86_400_000

  private(set) var entries: [Entry] = []

  init() {}

  init(parsing bytes: [UInt8]) {
    // Ignore invitations that cannot be read. The user can easily create new ones.
    guard let json = try? JSON(parsing: bytes) else { return }
    entries = (json["invitations"]?.array ?? []).compactMap(Entry.init(json:))
  }

  var bytes: [UInt8] {
    let json = JSON.object(("invitations", .array(entries.map(\.json))))
    return Array((json.text(indented: true) + "\n").utf8)
  }

  /// Adds an invitation, and forgets those that expired long ago.
  ///
  /// If more than `Limit.openInvitations` are open, the oldest of these are also forgotten.
  mutating func open(_ secret: [UInt8], at now: Int64) {
    forgetWhatHasEnded(at: now)
    entries.append(
      Entry(
        secret: secret, name: Invitation.name(of: secret),
        end: now + Limit.invitationMilliseconds))
    // Invitations that have ended are kept, so that their holders can be given the reason for a refusal.
    let open = entries.indices.filter { entries[$0].isOpen(at: now) }
    for place in open.dropLast(Limit.openInvitations).reversed() { entries.remove(at: place) }
  }

  /// Whether an invitation is open.
  func hasOpen(at now: Int64) -> Bool { entries.contains { $0.isOpen(at: now) } }

  /// Accepts a joiner's proof for an inviter's invitation, and binds the invitation to the joiner.
  ///
  /// - Returns: The reason why the proof is refused; nil if it is accepted.
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

  /// The reason why a proof would be refused, or nil if it would be accepted.
  func refusal(
    of proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Refusal.Code? {
    switch find(proof, of: joiner, inviter: inviter, at: now) {
    case .failure(let refusal): refusal.code
    case .success: nil
    }
  }

  /// Ends the invitation that a proof belongs to, because the user has refused the device.
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

  /// The index of the invitation that a proof belongs to, if the joiner can use it.
  private func find(
    _ proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Result<Int, Refused> {
    // Compare the proof with every secret, even after a match, so that the time taken does not reveal which secret
    // matched.
    let found = entries.indices.filter { place in
      guard let secret = entries[place].secret else { return false }
      return Invitation.isProof(proof.code, secret: secret, inviter: inviter, joiner: joiner)
    }
    guard let place = found.first else {
      // The name is known only to devices that had the secret and to members, who can read it in the admission.
      if let ended = entries.first(where: { $0.secret == nil && $0.name == proof.secretName }) {
        return .failure(Refused(code: ended.whyEnded))
      }
      // Wrong proofs are not counted, because a secret of 128 bits cannot be guessed. With a limit on wrong proofs, any
      // stranger could end open invitations.
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

  /// The name of the newest secret for which the holder of a key has shown a proof.
  func secretName(takenBy taker: PublicKey) -> UniqueID? {
    entries.last { $0.taker == taker }?.name
  }

  /// Marks the invitations of a key as used, and removes their secrets.
  mutating func finish(_ taker: PublicKey) {
    for place in entries.indices where entries[place].taker == taker {
      entries[place].isUsed = true
      entries[place].secret = nil
    }
  }

  /// Removes the secrets of invitations that are no longer open, and each invitation a day after it expired.
  private mutating func forgetWhatHasEnded(at now: Int64) {
    entries.removeAll { $0.end < now - Self.memoryMilliseconds }
    for place in entries.indices where !entries[place].isOpen(at: now) {
      entries[place].secret = nil
    }
  }
}

extension Invitations.Entry {
  /// Whether the invitation can be used.
  ///
  /// If the clock is set back, the invitation stays open longer by the same amount. The invitation cannot be used at a
  /// time before it was made, so the extension is at most the time since then.
  fileprivate func isOpen(at now: Int64) -> Bool {
    !isUsed && !isDeclined && (0...Limit.invitationMilliseconds).contains(end - now)
  }

  /// The reason why the invitation can no longer be used.
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
    // Some byte strings are keys for which anyone can sign. No device has such a key.
    guard let key = try? PublicKey(bytes) else { return nil }
    self = key
  }

  var hex: String { Hex.encode(bytes) }
}
