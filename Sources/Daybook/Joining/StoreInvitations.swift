import Bytes
import Crypto
import Sealing
import Syncing

/// The contents of the file `store-invitations`: the invitations through sealed stores, and how they ended.
///
/// Unreadable contents are ignored, as in the file `invitations`.
struct StoreInvitations: Equatable {
  struct Entry: Equatable {
    /// The secret; nil once the answer is in the store.
    var secret: [UInt8]?
    /// The name of the secret, which still identifies the invitation after the secret is removed.
    var name: UniqueID
    /// The key of this device when it made the invitation.
    var inviter: PublicKey
    var identity: StoreIdentity
    /// The time at which the invitation expires, in milliseconds by the clock of this machine.
    var end: Int64
    /// Whether a user at a terminal is asked before a device is admitted.
    var isAsking: Bool
    /// The outcome that the answer states (``KnockAnswer/outcome``); nil while the invitation is open.
    var outcome: UInt64?
    /// The device to which the answer is addressed, if there is one.
    var guest: PublicKey?
    /// The agreement key of an admitted device whose log has not arrived yet.
    var agreement: [UInt8]?
    /// The name under which the device was admitted.
    var guestName = ""
    /// The id in the name of the answer.
    var answer: UniqueID
  }

  private(set) var entries: [Entry] = []

  init() {}

  init(parsing bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return }
    entries = (json["invitations"]?.array ?? []).compactMap(Entry.init(json:))
  }

  var bytes: [UInt8] {
    let json = JSON.object(("invitations", .array(entries.map(\.json))))
    return Array((json.text(indented: true) + "\n").utf8)
  }

  /// Adds an invitation; if more than `Limit.openInvitations` are open, the oldest of these are cancelled.
  mutating func open(_ secret: KnockSecret, asking isAsking: Bool, at now: Int64) {
    entries.append(
      Entry(
        secret: secret.bytes, name: secret.name, inviter: secret.inviter, identity: secret.store,
        end: now + StoreInvitation.validMilliseconds, isAsking: isAsking,
        answer: secret.id(of: .answer)))
    let open = entries.indices.filter { entries[$0].isOpen(at: now) }
    for place in open.dropLast(Limit.openInvitations) {
      entries[place].outcome = Refusal.Code.declined.rawValue
    }
  }

  /// Changes the invitation with a secret's name, if there is one.
  mutating func change(_ name: UniqueID, _ body: (inout Entry) -> Void) {
    for place in entries.indices where entries[place].name == name { body(&entries[place]) }
  }

  /// Ends the invitations that have expired.
  mutating func expire(at now: Int64) {
    for place in entries.indices
    where entries[place].outcome == nil && !entries[place].isOpen(at: now) {
      entries[place].outcome = Refusal.Code.expiredInvitation.rawValue
    }
  }

  /// Ends all invitations that are still open.
  ///
  /// - Returns: The number of these invitations.
  mutating func cancel(at now: Int64) -> Int {
    var count = 0
    for place in entries.indices where entries[place].isOpen(at: now) {
      entries[place].outcome = Refusal.Code.declined.rawValue
      count += 1
    }
    return count
  }

  /// Forgets the agreement keys of devices whose logs have arrived.
  mutating func forgetAgreements(of known: Set<PublicKey>) {
    for place in entries.indices {
      guard let guest = entries[place].guest, known.contains(guest) else { continue }
      entries[place].agreement = nil
    }
  }

  mutating func forget(_ name: UniqueID) { entries.removeAll { $0.name == name } }
}

extension StoreInvitations.Entry {
  /// The secret, with everything to which it applies; nil once the answer is in the store.
  var knockSecret: KnockSecret? { secret.map { KnockSecret($0, in: identity, by: inviter) } }

  /// The admitted device, to which keys are passed on although its log has not arrived yet.
  var recipient: KeyRecipient? {
    guard outcome == KnockAnswer.admitted, let guest, let agreement else { return nil }
    return try? KeyRecipient(signing: guest, agreement: agreement)
  }

  /// Whether a device can still use the invitation.
  func isOpen(at now: Int64) -> Bool {
    outcome == nil && secret != nil
      && (0...StoreInvitation.validMilliseconds).contains(end - now)
  }

  /// Whether the answer is no longer needed, because the invitation expired a week ago.
  func isOver(at now: Int64) -> Bool {
    secret == nil && agreement == nil && end < now - 7 * 86_400_000
  }

  fileprivate init?(json: JSON) {
    secret = json["secret"]?.string.flatMap(Hex.decode)
    guard secret == nil || secret?.count == KnockSecret.byteCount,
      let name = json["name"]?.string.flatMap(UniqueID.init(hex:)),
      let inviter = json["inviter"]?.string.flatMap(PublicKey.init(hex:)),
      let store = json["store"]?.string.flatMap(UniqueID.init(hex:)),
      let book = json["book"]?.string.flatMap(UniqueID.init(hex:)),
      let end = json["end"]?.integer, (0...Int64.max / 2).contains(end),
      let answer = json["answer"]?.string.flatMap(UniqueID.init(hex:))
    else { return nil }
    (self.name, self.inviter, self.end, self.answer) = (name, inviter, end, answer)
    identity = StoreIdentity(book: book, store: store)
    isAsking = json["isAsking"]?.boolean ?? true
    outcome = json["outcome"]?.integer.flatMap(UInt64.init(exactly:))
    guest = json["guest"]?.string.flatMap(PublicKey.init(hex:))
    agreement = json["agreement"]?.string.flatMap(Hex.decode)
    guestName = json["guestName"]?.string ?? ""
  }

  fileprivate var json: JSON {
    var members = [
      JSON.Member("name", .string(name.hex)), JSON.Member("inviter", .string(inviter.hex)),
      JSON.Member("store", .string(identity.store.hex)),
      JSON.Member("book", .string(identity.book.hex)), JSON.Member("end", .integer(end)),
      JSON.Member("isAsking", .boolean(isAsking)), JSON.Member("answer", .string(answer.hex)),
    ]
    func add(_ name: String, _ value: JSON?) {
      if let value { members.append(JSON.Member(name, value)) }
    }
    add("secret", secret.map { .string(Hex.encode($0)) })
    add("outcome", outcome.map { .integer(Int64(clamping: $0)) })
    add("guest", guest.map { .string($0.hex) })
    add("agreement", agreement.map { .string(Hex.encode($0)) })
    add("guestName", guestName.isEmpty ? nil : .string(guestName))
    return .object(members)
  }
}
