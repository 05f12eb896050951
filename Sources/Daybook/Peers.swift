import Bytes
import Journaling
import Syncing

/// What the file `peers` says: where each device last said to be.
///
/// It saves sending, and is trusted for nothing else: who was restored from a backup says so, and is
/// remembered as that.
struct Peers {
  struct Peer {
    var name: String
    var frontier: Frontier
  }

  var peers: [UniqueID: Peer] = [:]

  init() {}

  /// Reads the file; what does not read as it should is forgotten, for it can be learnt again.
  init(parsing bytes: [UInt8]) {
    guard let members = (try? JSON(parsing: bytes))?.members else { return }
    for member in members {
      guard let replica = UniqueID(hex: member.name), let name = member.value["name"]?.string else {
        continue
      }
      let places = (member.value["frontier"]?.array ?? []).compactMap(Place.init(json:))
      peers[replica] = Peer(name: name, frontier: Frontier(places))
    }
  }

  var bytes: [UInt8] {
    let members = peers.sorted { $0.key < $1.key }.map { replica, peer in
      JSON.Member(
        replica.hex,
        .object(
          ("name", .string(peer.name)), ("frontier", .array(peer.frontier.places.map(\.json)))))
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
