import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Verifying

/// Runs the steps of a world.
struct Steps {
  let world: World

  /// The kinds of steps.
  private enum Kind {
    case deed, visit, call, bundle, look, chore
    case weather(WeatherKind)
  }

  private var kinds: [(kind: Kind, weight: Int)] {
    let peaceful: [(Kind, Int)] = [
      (.deed, 40), (.visit, 14), (.call, 12), (.bundle, 4), (.look, 5), (.chore, 3),
    ]
    let weather = world.scenario.weather.sorted().map { kind in
      (Kind.weather(kind), world.scenario.strength * kind.weight)
    }
    return peaceful + weather
  }

  /// Runs one step.
  func take(_ number: Int) throws {
    let dice = world.dice(of: number)
    let kinds = kinds
    var draw = dice.below(kinds.reduce(0) { $0 + $1.weight })
    let station = world.stations[dice.below(world.stations.count)]
    let other = world.stations[dice.below(world.stations.count)]
    for (kind, weight) in kinds {
      draw -= weight
      if draw < 0 { return try take(kind, station, other, dice) }
    }
  }

  private func take(
    _ kind: Kind, _ station: Station, _ other: Station, _ dice: Seeded
  ) throws {
    let blow = Blow.drawn(from: dice, in: world.scenario.weather, strength: world.scenario.strength)
    switch kind {
    case .deed:
      let deed = Deed(dice, number: world.step)
      try Acting(world: world).act(on: station, "writes", dice, blow: blow, onlyWrites: true) {
        book throws(DaybookError) in
        try deed.perform(on: book)
      }
    case .visit: try visit(station, dice, blow)
    case .call: try Meetings(world: world).meet(station, other, dice)
    case .bundle: try send(from: station, to: other, dice, blow)
    case .look:
      try Audit(world: world).checkView(of: station)
      try Audit(world: world).compare(station, other)
    case .chore: try chore(station, dice, blow)
    case .weather(let kind): try WeatherEvents(world: world).strike(kind, station, other, dice)
    }
  }

  /// Syncs a station with a stick.
  func visit(_ station: Station, _ dice: Seeded, _ blow: Blow?) throws {
    let stick = dice.below(10) < 8 ? 0 : 1
    let admission: Admission = dice.chance(50) ? .always : .never
    let isStickStruck = blow != nil && dice.chance(40)
    if isStickStruck, case .powerCut(let call)? = blow {
      world.sticks[stick].failCall(call, with: .io, .fromThenOn)
    }
    let reseals =
      stick == 1 && world.scenario.weather.contains(.sealing) && dice.chance(10)
    let title = "\(reseals ? "reseals" : "visits") stick \(stick)"
    let ending = try Acting(world: world).act(on: station, title, dice, blow: blow) {
      book throws(DaybookError) in
      if reseals { return try Self.reseal(book) }
      let receipt = try book.replicator.sync(
        with: .directory(MountedDisk.stick(stick)), admission: admission)
      let came = receipt.received.reduce(0) { $0 + $1.events }
      let went = receipt.sent.reduce(0) { $0 + $1.events }
      return "\(came) came, \(went) went, \(receipt.problems.count) problems"
    }
    if stick == 1, ending == .done, world.scenario.weather.contains(.sealing) {
      world.count(.sealing)
    }
    if blow == nil, ending == .done { try Audit(world: world).noteErased(by: station) }
    if blow != nil {
      world.sticks[stick].clearWeather()
      if case .powerCut? = blow { world.sticks[stick].fail(dice, tearing: false) }
    }
  }

  /// Seals all objects of the remembered store again with a new key.
  private static func reseal(_ book: Book) throws(DaybookError) -> String {
    let outcome = try StoreResealer(book.replicator).run()
    var count = 0
    for visit in outcome.stores { count += try visit.result.get().resealed }
    return "\(count) sealed again, \(outcome.forgotten ?? 0) keys forgotten"
  }

  /// Makes a station write a bundle that later arrives at another station.
  ///
  /// In some weather, the bundle arrives twice, incomplete or changed.
  private func send(
    from station: Station, to other: Station, _ dice: Seeded, _ blow: Blow?
  ) throws {
    let path = Path("/home/bundle-\(world.step)")
    let peer = dice.chance(40) ? other.name : nil
    let ending = try Acting(world: world).act(on: station, "bundles", dice, blow: blow) {
      book throws(DaybookError) in
      "\(try book.replicator.writeBundle(to: path, since: peer).byteCount) bytes"
    }
    guard case .done = ending, let bytes = station.disk.files[path] else { return }
    for copy in 0..<(world.scenario.weather.contains(.duplication) && dice.chance(40) ? 2 : 1) {
      if copy > 0 { world.count(.duplication) }
      var parcel = Parcel(bytes: bytes, number: world.step, target: other)
      if world.scenario.weather.contains(.loss), dice.chance(20) {
        parcel.bytes.removeLast(1 + dice.below(bytes.count))
        world.count(.loss)
      }
      if world.scenario.weather.contains(.falsehood), dice.chance(20), !parcel.bytes.isEmpty {
        parcel.bytes[dice.below(parcel.bytes.count)] ^= 1 << UInt8(dice.below(8))
        world.count(.falsehood)
      }
      world.eventQueue.add(.arrival(parcel), at: world.now + Int64(dice.below(60_000)))
    }
  }

  /// Makes a station read a bundle.
  func arrive(_ parcel: Parcel) throws {
    let path = Path("/home/parcel-\(parcel.number)")
    let station = parcel.target
    guard (try? station.machine.disk.replace(path, with: parcel.bytes)) != nil else { return }
    try Acting(world: world).act(
      on: station, "reads bundle \(parcel.number)", world.dice(of: parcel.number, 2)
    ) {
      book throws(DaybookError) in
      do throws(DaybookError) {
        let receipt = try book.replicator.sync(with: .file(path))
        return "\(receipt.received.reduce(0) { $0 + $1.events }) came"
      } catch .sync(let error) where error.isOfParcel {
        return "refused: \(error)"
      }
    }
  }

  /// Ends the process, renames the device, verifies the book or runs the health check.
  private func chore(_ station: Station, _ dice: Seeded, _ blow: Blow?) throws {
    let isRename = dice.chance(20)
    let choice = dice.below(3)
    if choice == 0 {
      station.process = nil
      return world.note("\(station.name) ends its process")
    }
    try Acting(world: world).act(on: station, "tidies", dice, blow: blow) {
      book throws(DaybookError) in
      if isRename {
        guard let own = try book.deviceList.devices().first(where: \.isThis) else {
          return "nothing, nobody"
        }
        try book.admin.rename(own, to: station.name)
        return "rename"
      }
      if choice == 1 { return "nothing, \(try book.verifier.verify().faults.count) faults" }
      return "nothing, \(try book.healthCheck.diagnose(tidying: true).findings.count) findings"
    }
  }
}

extension SyncError {
  /// Whether an incomplete or changed bundle can cause the error.
  var isOfParcel: Bool {
    switch self {
    case .notABundle, .damagedBundle, .cut, .message, .unexpected, .version, .wrongBook,
      .otherReplica, .journal, .noBook:
      true
    default: false
    }
  }
}
