import Bytes
import Journaling
import Syncing

/// The file `peers`: the events that each device last reported holding.
///
/// The file prevents events from being sent twice, and shows which events of this device's log other devices claim to
/// have. These claims can be false. A device that was restored from a backup states fewer events, and its new statement
/// replaces the earlier one.
struct Peers {
  struct Peer {
    var name: String
    var frontier: Frontier
  }

  /// The time at which events of a device last arrived, by the clock of this device.
  struct Heard: Equatable {
    var time: Int64
    /// The difference between the time of the device's last event and its arrival, in milliseconds; negative if the
    /// event was earlier.
    ///
    /// If the difference is positive, the clock of the device is at least that far ahead.
    var lead: Int64
  }

  var peers: [UniqueID: Peer] = [:]
  var heard: [UniqueID: Heard] = [:]

  init() {}

  /// Reads the file.
  ///
  /// Entries that cannot be parsed are dropped, because the next sync restores them.
  init(parsing bytes: [UInt8]) {
    guard let members = (try? JSON(parsing: bytes))?.members else { return }
    for member in members {
      guard let replica = UniqueID(hex: member.name) else { continue }
      if let time = member.value["heard"]?.integer, let lead = member.value["lead"]?.integer {
        heard[replica] = Heard(time: time, lead: lead)
      }
      guard let name = member.value["name"]?.string else { continue }
      let places = (member.value["frontier"]?.array ?? []).compactMap(Place.init(json:))
      peers[replica] = Peer(name: name, frontier: Frontier(places))
    }
  }

  var bytes: [UInt8] {
    let members = Set(peers.keys).union(heard.keys).sorted().map { replica in
      var told: [JSON.Member] = []
      if let peer = peers[replica] {
        told.append(JSON.Member("name", .string(peer.name)))
        told.append(JSON.Member("frontier", .array(peer.frontier.places.map(\.json))))
      }
      if let heard = heard[replica] {
        told.append(JSON.Member("heard", .integer(heard.time)))
        told.append(JSON.Member("lead", .integer(heard.lead)))
      }
      return JSON.Member(replica.hex, .object(told))
    }
    return Array((JSON.object(members).text(indented: true) + "\n").utf8)
  }
}

extension Place {
  /// Reads `[replica, sequence, hash]`.
  fileprivate init?(json: JSON) {
    guard let parts = json.array, parts.count == 3, let replica = parts[0].string,
      let log = UniqueID(hex: replica),
      let sequence = parts[1].integer.flatMap(UInt64.init(exactly:)),
      let hash = parts[2].string.flatMap(Digest.init(hex:))
    else { return nil }
    self.init(log: log, sequence: sequence, hash: hash)
  }

  fileprivate var json: JSON {
    .array([.string(log.hex), .integer(Int64(clamping: sequence)), .string(hash.hex)])
  }
}
