import Bytes
import Daybook
import Journaling
import Platform
import SimulatedPlatform
import Syncing
import Verifying

// What happens by itself, step by step.

/// A file that somebody carries from one machine to another.
struct Parcel {
  var bytes: [UInt8]
  var number: Int
  var target: Station
}

extension World {
  /// What a step does, and how often beside others.
  private enum Kind {
    case deed, visit, call, bundle, look, chore
    case weather(WeatherKind)
  }

  private var kinds: [(kind: Kind, weight: Int)] {
    let peaceful: [(Kind, Int)] = [
      (.deed, 40), (.visit, 14), (.call, 12), (.bundle, 4), (.look, 5), (.chore, 3),
    ]
    let weather = scenario.weather.sorted().map { kind in
      (Kind.weather(kind), scenario.strength * kind.weight)
    }
    return peaceful + weather
  }

  /// Lets one step happen.
  func take(_ number: Int) throws {
    let dice = dice(of: number)
    let kinds = kinds
    var draw = dice.below(kinds.reduce(0) { $0 + $1.weight })
    let station = stations[dice.below(stations.count)]
    let other = stations[dice.below(stations.count)]
    for (kind, weight) in kinds {
      draw -= weight
      if draw < 0 { return try take(kind, station, other, dice) }
    }
  }

  private func take(
    _ kind: Kind, _ station: Station, _ other: Station, _ dice: Seeded
  ) throws {
    let blow = Blow.drawn(from: dice, in: scenario.weather, strength: scenario.strength)
    switch kind {
    case .deed:
      let deed = Deed(dice, number: step)
      try act(on: station, "writes", dice, blow: blow, onlyWrites: true) {
        book throws(DaybookError) in
        try deed.perform(on: book)
      }
    case .visit: try visit(station, dice, blow)
    case .call: try meet(station, other, dice)
    case .bundle: try send(from: station, to: other, dice, blow)
    case .look:
      try checkView(of: station)
      try compare(station, other)
    case .chore: try chore(station, dice, blow)
    case .weather(let kind): try strike(kind, station, other, dice)
    }
  }

  /// Lets a machine sync with a stick.
  func visit(_ station: Station, _ dice: Seeded, _ blow: Blow?) throws {
    let stick = dice.below(10) < 8 ? 0 : 1
    let admission: Admission = dice.chance(50) ? .always : .never
    let isStickStruck = blow != nil && dice.chance(40)
    if isStickStruck, case .powerCut(let call)? = blow {
      sticks[stick].failCall(call, with: .io, .fromThenOn)
    }
    let title = "visits stick \(stick)"
    let ending = try act(on: station, title, dice, blow: blow) { book throws(DaybookError) in
      let receipt = try book.sync(
        with: .directory(MountedDisk.stick(stick)), admission: admission)
      let came = receipt.received.reduce(0) { $0 + $1.events }
      let went = receipt.sent.reduce(0) { $0 + $1.events }
      return "\(came) came, \(went) went, \(receipt.problems.count) problems"
    }
    if blow == nil, ending == .done { try noteErased(by: station) }
    if blow != nil {
      sticks[stick].clearWeather()
      if case .powerCut? = blow { sticks[stick].fail(dice, tearing: false) }
    }
  }

  /// Lets a machine write a bundle that comes to another one later, perhaps twice or not whole.
  private func send(
    from station: Station, to other: Station, _ dice: Seeded, _ blow: Blow?
  ) throws {
    let path = Path("/home/bundle-\(step)")
    let peer = dice.chance(40) ? other.name : nil
    let ending = try act(on: station, "bundles", dice, blow: blow) { book throws(DaybookError) in
      "\(try book.writeBundle(to: path, since: peer).byteCount) bytes"
    }
    guard case .done = ending, let bytes = station.disk.files[path] else { return }
    for copy in 0..<(scenario.weather.contains(.duplication) && dice.chance(40) ? 2 : 1) {
      if copy > 0 { count(.duplication) }
      var parcel = Parcel(bytes: bytes, number: step, target: other)
      if scenario.weather.contains(.loss), dice.chance(20) {
        parcel.bytes.removeLast(1 + dice.below(bytes.count))
        count(.loss)
      }
      if scenario.weather.contains(.falsehood), dice.chance(20), !parcel.bytes.isEmpty {
        parcel.bytes[dice.below(parcel.bytes.count)] ^= 1 << UInt8(dice.below(8))
        count(.falsehood)
      }
      agenda.add(.arrival(parcel), at: now + Int64(dice.below(60_000)))
    }
  }

  /// Lets a machine read a bundle.
  func arrive(_ parcel: Parcel) throws {
    let path = Path("/home/parcel-\(parcel.number)")
    let station = parcel.target
    guard (try? station.machine.disk.replace(path, with: parcel.bytes)) != nil else { return }
    try act(on: station, "reads bundle \(parcel.number)", dice(of: parcel.number, 2)) {
      book throws(DaybookError) in
      do throws(DaybookError) {
        let receipt = try book.sync(with: .file(path))
        return "\(receipt.received.reduce(0) { $0 + $1.events }) came"
      } catch .sync(let error) where error.isOfParcel {
        return "refused: \(error)"
      }
    }
  }

  /// What is done to a book now and then.
  private func chore(_ station: Station, _ dice: Seeded, _ blow: Blow?) throws {
    let isRename = dice.chance(20)
    let choice = dice.below(3)
    if choice == 0 {
      station.process = nil
      return note("\(station.name) ends its process")
    }
    try act(on: station, "tidies", dice, blow: blow) { book throws(DaybookError) in
      if isRename {
        guard let own = try book.devices().first(where: \.isThis) else { return "nothing, nobody" }
        try book.rename(own, to: station.name)
        return "rename"
      }
      if choice == 1 { return "nothing, \(try book.verify().faults.count) faults" }
      return "nothing, \(try book.diagnose(tidying: true).findings.count) findings"
    }
  }
}

extension SyncError {
  /// Whether a bundle brings it about that is not as it was written.
  var isOfParcel: Bool {
    switch self {
    case .notABundle, .cut, .message, .unexpected, .version, .wrongBook, .otherReplica, .journal,
      .noBook:
      true
    default: false
    }
  }
}
