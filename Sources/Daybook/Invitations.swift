import Bytes
import Crypto
import Syncing

/// What the file `invitations` says: the secrets by which others can come in, and which were used.
///
/// It is handed from whoever invites to whoever serves. What does not read as it should is forgotten: none is good
/// for long.
struct Invitations {
  struct Entry: Equatable {
    var secret: [UInt8]
    /// When it ends, by the clock of this machine.
    var end: Int64
    /// How many wrong proofs it takes yet.
    var tries: Int64
    /// The key that has shown the proof of it.
    var taker: PublicKey?
    /// Whether the session in which it was shown has come to its end.
    var isUsed = false
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
    entries.removeAll { $0.end < now - Self.memoryMilliseconds }
    entries.append(
      Entry(
        secret: secret, end: now + Limit.invitationMilliseconds, tries: Limit.invitationTries))
    entries.removeFirst(max(0, entries.count - Limit.openInvitations))
  }

  /// Whether any can be used.
  func hasOpen(at now: Int64) -> Bool { entries.contains { $0.isOpen(at: now) } }

  /// Takes the proof that the holder of one key shows to that of another, or tells why not.
  mutating func take(
    _ proof: Proof, of joiner: PublicKey, inviter: PublicKey, at now: Int64
  ) -> Refusal.Code? {
    let found = entries.indices.filter { place in
      Invitation.isProof(
        proof.code, secret: entries[place].secret, inviter: inviter, joiner: joiner)
    }
    guard let place = found.first else {
      countWrongTry(at: now)
      return .wrongProof
    }
    if entries[place].isUsed { return .usedInvitation }
    if let taker = entries[place].taker, taker != joiner { return .usedInvitation }
    guard entries[place].isOpen(at: now) else { return .expiredInvitation }
    entries[place].taker = joiner
    return nil
  }

  /// Ends what the holder of a key has used.
  mutating func finish(_ taker: PublicKey) {
    for place in entries.indices where entries[place].taker == taker {
      entries[place].isUsed = true
    }
  }

  /// Which one was meant cannot be told, so it counts against all.
  private mutating func countWrongTry(at now: Int64) {
    for place in entries.indices where entries[place].isOpen(at: now) {
      entries[place].tries -= 1
    }
    entries.removeAll { $0.tries <= 0 }
  }
}

extension Invitations.Entry {
  /// Whether it can be used; a clock that was set back does not make it last longer.
  fileprivate func isOpen(at now: Int64) -> Bool {
    !isUsed && (0...Limit.invitationMilliseconds).contains(end - now)
  }

  fileprivate init?(json: JSON) {
    guard let secret = json["secret"]?.string.flatMap(Hex.decode),
      secret.count == Invitation.secretBytes, let end = json["end"]?.integer,
      (0...Int64.max / 2).contains(end), let tries = json["tries"]?.integer
    else { return nil }
    (self.secret, self.end, self.tries) = (secret, end, tries)
    taker = json["taker"]?.string.flatMap(PublicKey.init(hex:))
    isUsed = json["isUsed"]?.boolean ?? false
  }

  fileprivate var json: JSON {
    .object(
      ("secret", .string(Hex.encode(secret))), ("end", .integer(end)), ("tries", .integer(tries)),
      ("taker", taker.map { .string($0.hex) } ?? .null), ("isUsed", .boolean(isUsed)))
  }
}

extension PublicKey {
  init?(hex: String) {
    guard let bytes = Hex.decode(hex), bytes.count == Self.byteCount else { return nil }
    // So many bytes are a key's.
    guard let key = try? PublicKey(bytes) else { return nil }
    self = key
  }

  var hex: String { Hex.encode(bytes) }
}
