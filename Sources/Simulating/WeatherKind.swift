/// The kinds of weather, some of which occur in each scenario.
package enum WeatherKind: String, CaseIterable, Comparable, Hashable, Sendable {
  // Weather between two stations.
  case loss, duplication, reordering, delay, cuts, partitions, falsehood
  // Weather on disks.
  case crashes, tears, rot, misdirection, fullness, failures
  // Weather in folders that other programs sync.
  case strays, vanishing
  // Weather on machines.
  case clocks, kills, backups, clones
  // Weather from users and other devices.
  case revocations, erasures, newcomers, newer, forgeries, rekeys, purges
  // Weather in which the second stick is a sealed store.
  case sealing

  package static func < (left: WeatherKind, right: WeatherKind) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Whether the weather strikes the lines of meetings.
  var isOfLines: Bool {
    switch self {
    case .loss, .duplication, .reordering, .delay, .cuts, .falsehood: true
    default: false
    }
  }

  /// The frequency of the weather as a separate step, relative to other steps; 0 if it never occurs as a step.
  var weight: Int {
    switch self {
    case .partitions, .clocks, .kills, .rot, .misdirection, .fullness, .strays, .vanishing: 4
    case .crashes: 8
    case .purges: 4
    case .erasures: 3
    case .newer, .backups, .rekeys: 2
    case .revocations, .newcomers, .clones, .forgeries: 1
    case .loss, .duplication, .reordering, .delay, .cuts, .falsehood, .tears, .failures, .sealing: 0
    }
  }
}
