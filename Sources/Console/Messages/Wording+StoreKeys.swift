import Bytes
import Daybook
import Phrasing
import Platform
import Wording

extension Finding.StoreKeysState {
  var text: String {
    switch self {
    case .usable(let count):
      "this device has \(count.counted("key")) of sealed folders; 'daybook keys' lists them"
    case .damaged(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text); \(fault.adviceOnFile)"
    case .unreadable(let path, let fault): "\(path.string.visible) cannot be read: \(fault.text)"
    }
  }
}

extension WaitingObjects {
  /// How many objects waited, and when they were seen.
  func text(_ timekeeper: any Timekeeper) -> String {
    "\(count.counted("object")) waited for a key on \(timekeeper.localText(of: seen))"
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
        + "or takes those that the folder has for this device."
    case .notAdmitted:
      ", and can make none before it is admitted. Once a device that has the keys has admitted it "
        + "and synced with the sealed folder, 'daybook peer add NAME DIR --sealed' takes them from there."
    case .revoked:
      ", and gets none, because it was revoked.\n"
        + "To rejoin, run 'daybook device rekey' here, and admit the new key on another device."
    case .tooManyRevoked(let count):
      ", and can make none: \(StoreKeyObstacle.text(ofTooManyRevoked: count))"
    }
  }

  /// The note about a device that has keys, none of which is in use.
  var textOfUnusedKeys: String {
    switch self {
    case nil:
      "no key is in use; the next sync with a sealed folder takes one from there, or makes one."
    case .notAdmitted:
      "no key is in use, and this device can make none before it is admitted. It can open what is sealed with these."
    case .revoked:
      "no key is in use, and this device gets no others, because it was revoked. It can open what is sealed with these."
    case .tooManyRevoked(let count):
      "no key is in use, and none can be made: \(StoreKeyObstacle.text(ofTooManyRevoked: count))"
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
    case .fit: "fit, but older than the key in use"
    case .old(let reason): "old: \(reason.text)"
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
