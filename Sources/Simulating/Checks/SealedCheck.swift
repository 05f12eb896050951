import Crypto
import Daybook
import Platform
import Sealing
import SimulatedPlatform
import Syncing

/// Seals the second stick, makes all stations sync with it at the end, and checks that every member can open all of its
/// objects.
struct SealedCheck {
  let world: World

  /// The number of rounds after which each member must be able to open everything.
  ///
  /// The first round brings every station's events and keys to the store.
  private static let rounds = 2

  private static let folder = MountedDisk.stick(1)

  /// Makes all stations remember a sealed store on the second stick.
  ///
  /// From then on, stations visit the stick like any other folder.
  func begin() throws {
    for station in world.stations {
      try Audit(world: world).settle(station, "sealing") { book throws(DaybookError) in
        _ = try SealedPeerFounder(book.replicator).add(
          "sealed", in: .folder(Self.folder), forcing: false)
      }
    }
  }

  func check() throws {
    guard world.scenario.weather.contains(.sealing) else { return }
    for round in 1...Self.rounds {
      for station in world.stations { _ = try visit(station, round) }
    }
    try checkFiles()
    guard world.scenario.weather.isDisjoint(with: Self.losing) else { return }
    for station in world.stations {
      let problems = try visit(station, Self.rounds + 1)
      for problem in problems where try isMember(station) {
        guard case .waiting(_, let count) = problem else { continue }
        throw Failure(.sealed, "\(station.name) cannot open \(count) objects")
      }
    }
  }

  /// The weather in which all devices that had a key may have disappeared.
  private static let losing: Set<WeatherKind> = [
    .revocations, .rekeys, .clones, .backups, .forgeries,
  ]

  /// Syncs a station with the stick; a refusal does not indicate a problem with the objects.
  private func visit(_ station: Station, _ round: Int) throws -> [SyncProblem] {
    do throws(DaybookError) {
      return try station.present().replicator.sync(with: .directory(Self.folder)).problems
    } catch {
      guard error.isRefusal else {
        throw Failure(.answers, "\(station.name) in sealed round \(round): \(error)")
      }
      return []
    }
  }

  private func isMember(_ station: Station) throws -> Bool {
    try Audit(world: world).settle(station, "status") { book throws(DaybookError) in
      try book.statusReader.status().isAdmitted
    }
  }

  /// Checks that devices that have received a revocation do not seal anything for the revoked device.
  ///
  /// The members write once more. The revoked stations then visit the stick to take all keys that they are given.
  func checkRevocations() throws {
    guard world.scenario.weather.contains(.sealing) else { return }
    let members = try world.stations.filter(isMember)
    let revoked = try world.stations.filter { try isRevoked($0, by: members) }
    guard !members.isEmpty, !revoked.isEmpty else { return }
    let before = Set(world.sticks[1].files.keys)
    for station in members {
      // Other checks ensure that a station can write.
      _ = try? station.present().commands.perform(.addList(name: "the last one", colour: nil))
    }
    for round in 1...Self.rounds {
      for station in members { _ = try visit(station, round) }
    }
    let names = world.sticks[1].files.keys.filter { !before.contains($0) }
      .compactMap { try? ObjectName(parsing: $0.name) }
    for station in revoked {
      _ = try visit(station, Self.rounds + 1)
      let ring = try Audit(world: world).settle(station, "keys") { book throws(DaybookError) in
        try book.storeKeys.ring()
      }
      for case .events(let name) in names where (try? ring.open(name)) != nil {
        throw Failure(.sealed, "\(station.name) was revoked, and can open what came afterwards")
      }
    }
  }

  /// Whether all members have received the revocation of a station's key.
  private func isRevoked(_ station: Station, by members: [Station]) throws -> Bool {
    guard let key = try? station.present().storeKeys.ownKeys().signing.publicKey else {
      return false
    }
    return try members.allSatisfy { member in
      try Audit(world: world).settle(member, "members") { book throws(DaybookError) in
        try book.storeKeys.members().revoked.contains(key)
      }
    }
  }

  /// Checks that no file on the stick is a file of a directory peer or begins like a frame.
  private func checkFiles() throws {
    // If everything on the stick has vanished, a newcomer cannot know that the stick was sealed.
    guard !world.scenario.weather.isSuperset(of: [.vanishing, .newcomers]) else { return }
    for (path, bytes) in world.sticks[1].files {
      guard DirectoryName(path.name) == nil, !bytes.starts(with: [0x1f, 0x8b]) else {
        throw Failure(.sealed, "\(path.string) is readable")
      }
    }
  }
}
