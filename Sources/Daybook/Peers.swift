import Bytes

/// What the file `peers` says: how far each device is known to hold each log.
struct Peers {
  struct Peer {
    var name: String
    var frontier: [UniqueID: UInt64]
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
      var frontier: [UniqueID: UInt64] = [:]
      for place in member.value["frontier"]?.members ?? [] {
        guard let log = UniqueID(hex: place.name), let sequence = place.value.integer else {
          continue
        }
        frontier[log] = UInt64(max(0, sequence))
      }
      peers[replica] = Peer(name: name, frontier: frontier)
    }
  }

  var bytes: [UInt8] {
    let members = peers.sorted { $0.key < $1.key }.map { replica, peer in
      let frontier = peer.frontier.sorted { $0.key < $1.key }.map { log, sequence in
        JSON.Member(log.hex, .integer(Int64(clamping: sequence)))
      }
      return JSON.Member(
        replica.hex, .object(("name", .string(peer.name)), ("frontier", .object(frontier))))
    }
    return Array((JSON.object(members).text(indented: true) + "\n").utf8)
  }
}
