import Bytes
import Daybook
import Phrasing
import Platform
import Wording

extension Finding.StoreKeysState {
  var text: String {
    switch self {
    case .usable(let count):
      "this device has \(count.counted("key")) for sealed folders; for details, run 'daybook keys'"
    case .damaged(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text); \(fault.adviceOnFile)"
    case .unreadable(let path, let fault): "\(path.string.visible) cannot be read: \(fault.text)"
    }
  }
}

extension WaitingObjects {
  /// How many objects waited, and when they were seen.
  func text(_ timekeeper: any Timekeeper) -> String {
    "\(count.counted("object was", "objects were")) waiting for a key on \(timekeeper.localText(of: seen))"
  }

  var json: JSON { .object(members) }

  fileprivate var members: [JSON.Member] {
    [
      JSON.Member("objects", .integer(Int64(count))),
      JSON.Member("seen", .string(Instant.text(seen))),
    ]
  }
}

extension Contact {
  /// The objects that waited, with the name of the peer; nil if there were none.
  var waitingJSON: JSON? {
    waiting.map { .object([JSON.Member("peer", .string(name))] + $0.members) }
  }
}

extension StoreKeyObstacle? {
  /// The rest of the sentence about a device without a store key, and what to do.
  var textOfNoKey: String {
    switch self {
    case nil:
      ". 'daybook peer add NAME DIR --sealed' makes one for a folder, "
        + "or fetches those that the folder holds for this device."
    case .notAdmitted:
      ", and cannot make one until it is admitted. Once a device that has the keys has admitted it "
        + "and synced with the sealed folder, 'daybook peer add NAME DIR --sealed' fetches them from there."
    case .revoked:
      ", and cannot get one, because it was revoked.\n"
        + "To rejoin, run 'daybook device rekey' here, and admit the new key on another device."
    case .tooManyRevoked(let count):
      ", and cannot make one, because \(StoreKeyObstacle.text(ofTooManyRevoked: count))"
    }
  }

  /// The note about a device that has keys, none of which is in use.
  var textOfUnusedKeys: String {
    switch self {
    case nil:
      "no key is in use; the next sync with a sealed folder fetches or makes one."
    case .notAdmitted:
      "no key is in use, and this device cannot make one until it is admitted. "
        + "The device can open what is sealed with these keys."
    case .revoked:
      "no key is in use, and this device cannot get another, because it was revoked. "
        + "The device can open what is sealed with these keys."
    case .tooManyRevoked(let count):
      "no key is in use, and none can be made, because \(StoreKeyObstacle.text(ofTooManyRevoked: count))"
    }
  }
}

extension ListedStoreKey {
  /// The beginning of the id, as users see it.
  var shortID: String { String(id.hex.prefix(8)) }

  /// The name of the device that made the key, or else the words of its key.
  var makerText: String { makerName?.visible ?? makerWords.joined(separator: "-") }
}

extension ListedStoreKey.State {
  /// Whether this device seals with the key, and if not, why.
  var text: String {
    switch self {
    case .used: "in use"
    case .fit: "usable, but older than the key in use"
    case .old(let reason): "old, because \(reason.text)"
    }
  }

  /// The name of the state for programs.
  var name: String {
    switch self {
    case .used: "used"
    case .fit: "fit"
    case .old: "old"
    }
  }

  /// The reason for programs; nil unless the key is old.
  var reason: String? { if case .old(let reason) = self { reason.name } else { nil } }
}

extension ListedStoreKey.Reason {
  fileprivate var text: String {
    switch self {
    case .makerRevoked: "the device that made it was revoked"
    case .makerUnknown: "the device that made it is not admitted"
    case .laterRevocation: "a device that may have it was revoked"
    }
  }

  fileprivate var name: String {
    switch self {
    case .makerRevoked: "makerRevoked"
    case .makerUnknown: "makerNotAdmitted"
    case .laterRevocation: "laterRevocation"
    }
  }
}
