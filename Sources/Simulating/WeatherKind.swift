/// What may go wrong in a simulated world, by name; each run has some of it.
package enum WeatherKind: String, CaseIterable, Comparable, Hashable, Sendable {
  // On the way between two machines.
  case loss, duplication, reordering, delay, cuts, partitions, falsehood
  // On disks.
  case crashes, tears, rot, misdirection, fullness, failures
  // In folders that are synced by strangers.
  case strays, vanishing
  // With machines.
  case clocks, kills, backups, clones
  // With people.
  case revocations, erasures, newcomers, newer, forgeries, rekeys, purges

  package static func < (left: WeatherKind, right: WeatherKind) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether it happens to the lines of a meeting.
  var isOfLines: Bool {
    switch self {
    case .loss, .duplication, .reordering, .delay, .cuts, .falsehood: true
    default: false
    }
  }

  /// Whether it takes place as an event of its own, and how often beside others.
  var weight: Int {
    switch self {
    case .partitions, .clocks, .kills, .rot, .misdirection, .fullness, .strays, .vanishing: 4
    case .crashes: 8
    case .purges: 6
    case .erasures: 3
    case .newer, .backups, .rekeys: 2
    case .revocations, .newcomers, .clones, .forgeries: 1
    case .loss, .duplication, .reordering, .delay, .cuts, .falsehood, .tears, .failures: 0
    }
  }
}
