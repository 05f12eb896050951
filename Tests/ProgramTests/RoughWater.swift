import Platform
import PosixPlatform
import Synchronization
import TestDice

/// A proxy between two machines that delays, splits, changes or drops data.
final class RoughWater: Sendable {
  /// The port to dial.
  let port: UInt16

  private struct State {
    var dice: TestDice.Dice
    var isStormy = false
    var wrecks: [String: Int] = [:]
  }

  private enum Mischief { case none, crumbs, wait(Int64), flip(Int), cut }

  private let state: Mutex<State>
  private let listener: any Listener

  init(towards host: String, _ target: UInt16, seed: UInt64) throws {
    state = Mutex(State(dice: TestDice.Dice(seed: seed)))
    let listener = try PosixNetwork().listen(host: "127.0.0.1", port: 0)
    (self.listener, port) = (listener, listener.port)
    SystemThread.start { [self] in
      // The loop ends when the listener is closed.
      while let line = try? listener.accept(patienceMilliseconds: .max >> 32) {
        ferry(line, host, target)
      }
    }
  }

  func close() { listener.close() }

  func setStorm(_ isStormy: Bool) { state.withLock { $0.isStormy = isStormy } }

  var wrecks: [String: Int] { state.withLock { $0.wrecks } }

  private func ferry(_ near: any Line, _ host: String, _ target: UInt16) {
    guard let far = try? PosixNetwork().dial(host: host, port: target, patienceMilliseconds: 5_000)
    else { return near.close() }
    for (from, to) in [(near, far), (far, near)] {
      SystemThread.start { [self] in
        // When one direction ends, close both.
        defer {
          from.close()
          to.close()
        }
        try? carry(from, to)
      }
    }
  }

  private func carry(_ from: any Line, _ to: any Line) throws {
    while true {
      var bytes = try from.receive(upTo: 1 << 14, patienceMilliseconds: .max >> 32)
      if bytes.isEmpty { return }
      switch mischief() {
      case .none: break
      case .crumbs:
        for byte in bytes.prefix(40) { try to.send([byte], patienceMilliseconds: 60_000) }
        bytes.removeFirst(min(40, bytes.count))
      case .wait(let milliseconds): SystemTimekeeper().pause(milliseconds: milliseconds)
      case .flip(let draw): bytes[draw % bytes.count] ^= 1 << UInt8(draw % 8)
      case .cut:
        // The other side may receive the first half.
        return try to.send(Array(bytes.prefix(bytes.count / 2)), patienceMilliseconds: 1_000)
      }
      try to.send(bytes, patienceMilliseconds: 60_000)
    }
  }

  private func mischief() -> Mischief {
    state.withLock { state in
      guard state.isStormy else { return .none }
      let (name, mischief): (String, Mischief) =
        switch state.dice.number(100) {
        case 0..<2: ("cut", .cut)
        case 2: ("flipped", .flip(state.dice.number(1 << 20)))
        case 3..<7: ("late", .wait(Int64(20 + state.dice.number(300))))
        case 7: ("very late", .wait(Int64(20 + state.dice.number(3_000))))
        case 8..<18: ("crumbled", .crumbs)
        default: ("whole", .none)
        }
      state.wrecks[name, default: 0] += 1
      return mischief
    }
  }
}
