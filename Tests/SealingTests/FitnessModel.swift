/// All that some devices can do with a key and with revocations, up to a number of steps.
///
/// Devices are numbers, and sets of devices are bit masks. A step is one of:
/// - A device learns that another one is revoked: it revokes that device itself, or receives the event.
/// - A device makes the key, and gives it to all devices that it does not know to be revoked.
/// - A device that has the key gives it to another one.
/// - The thief, which is device 0, gives the key to any device, or states an origin for it.
///
/// A device seals between two steps. Every device has all that it was given, and may seal with any key that is fit, so
/// each way of learning of packages in part is included. Keys do not influence each other, so one is enough.
struct FitnessModel {
  /// The decisions of the program.
  struct Rules: Sendable {
    /// Whether a device that knows these devices to be revoked may seal with a key of this origin.
    var isFit: @Sendable (_ origin: Origin, _ revoked: UInt8) -> Bool
    /// Whether a device may be given the key.
    var allows: @Sendable (_ origin: Origin, _ device: UInt8) -> Bool
    /// Whether only the maker can state the origin of a key.
    var isOriginSigned = true
  }

  struct Origin: Hashable, Sendable {
    var maker: UInt8
    /// The devices that the maker says it knew to be revoked.
    var revoked: UInt8
  }

  /// An origin of the key, and the devices to which the key was given with this origin.
  struct Holding: Hashable {
    var origin: Origin
    var holders: UInt8
  }

  struct World: Hashable {
    /// For each device, the devices that it knows to be revoked.
    var known: SIMD4<UInt8> = .zero
    var key: Holding?
    /// The origin that the thief states.
    var forged: Holding?

    /// The devices that can open what is sealed with the key.
    var readers: UInt8 { (key?.holders ?? 0) | (forged?.holders ?? 0) }
  }

  let count: Int
  let hasThief: Bool
  let rules: Rules
  /// The number of different worlds that were visited.
  private(set) var visited = 0
  /// The number of worlds in which a device can seal for one that it knows to be revoked.
  private(set) var violations = 0

  init(devices count: Int, hasThief: Bool, rules: Rules) {
    (self.count, self.hasThief, self.rules) = (count, hasThief, rules)
  }

  mutating func run(steps: Int) {
    var seen: Set<World> = [World()]
    var worlds = [World()]
    for step in 0...steps {
      for world in worlds where !isSafe(world) { violations += 1 }
      if step == steps { break }
      var next: [World] = []
      for world in worlds {
        for follower in followers(of: world) where seen.insert(follower).inserted {
          next.append(follower)
        }
      }
      worlds = next
    }
    visited = seen.count
  }

  /// Whether no device can seal with the key while it knows that a device that has it is revoked.
  private func isSafe(_ world: World) -> Bool {
    // The thief seals for whom it likes.
    for device in (hasThief ? 1 : 0)..<count {
      let revoked = world.known[device]
      guard world.readers & revoked != 0 else { continue }
      // As long as the thief is not known, it can give its keys to any device.
      if hasThief, revoked & 1 == 0 { continue }
      for holding in [world.key, world.forged] {
        guard let holding, holding.holders & bit(device) != 0 else { continue }
        if rules.isFit(holding.origin, revoked) { return false }
      }
    }
    return true
  }

  private func followers(of world: World) -> [World] {
    var worlds: [World] = []
    for device in 0..<count {
      for other in 0..<count where other != device && world.known[device] & bit(other) == 0 {
        var next = world
        next.known[device] |= bit(other)
        worlds.append(next)
      }
    }
    guard let key = world.key else { return worlds + makings(in: world) }
    for next in givings(of: key, in: world) {
      worlds.append(World(known: world.known, key: next, forged: world.forged))
    }
    guard hasThief else { return worlds }
    guard let forged = world.forged else { return worlds + forgeries(of: key, in: world) }
    for next in givings(of: forged, in: world) {
      worlds.append(World(known: world.known, key: key, forged: next))
    }
    return worlds
  }

  private func makings(in world: World) -> [World] {
    (0..<count).map { device in
      let known = world.known[device]
      let origin = Origin(maker: UInt8(device), revoked: known)
      let holders = all & ~known | bit(device)
      return World(known: world.known, key: Holding(origin: origin, holders: holders))
    }
  }

  private func givings(of holding: Holding, in world: World) -> [Holding] {
    (0..<count).filter { mayGive(holding, to: $0, in: world) }.map { device in
      Holding(origin: holding.origin, holders: holding.holders | bit(device))
    }
  }

  private func mayGive(_ holding: Holding, to device: Int, in world: World) -> Bool {
    guard holding.holders & bit(device) == 0 else { return false }
    if hasThief, world.readers & 1 != 0 { return true }
    guard rules.allows(holding.origin, UInt8(device)) else { return false }
    return (0..<count).contains { giver in
      holding.holders & bit(giver) != 0 && world.known[giver] & bit(device) == 0
    }
  }

  /// The thief states that it was known to be revoked when the key was made.
  private func forgeries(of key: Holding, in world: World) -> [World] {
    guard key.holders & 1 != 0 else { return [] }
    return stride(from: UInt8(1), through: all, by: 2).map { revoked in
      let maker = rules.isOriginSigned ? 0 : key.origin.maker
      let origin = Origin(maker: maker, revoked: revoked)
      return World(
        known: world.known, key: key, forged: Holding(origin: origin, holders: all))
    }
  }

  private var all: UInt8 { 1 << UInt8(count) - 1 }

  private func bit(_ device: Int) -> UInt8 { 1 << UInt8(device) }
}
