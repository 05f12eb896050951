import Foundation
import Platform
import PosixPlatform

/// Several machines at addresses of this machine, connected by unreliable proxies.
final class Straits: Neighbourhood {
  let machines: Range<Int>
  /// The proxies, by the dialling and the dialled machine.
  private var waters: [[Int]: RoughWater] = [:]
  private let port: UInt16

  init(_ count: Int, seed: UInt64) throws {
    machines = 0..<count
    let listener = try PosixNetwork().listen(host: "127.0.0.1", port: 0)
    port = listener.port
    listener.close()
    for one in machines {
      for other in machines where other != one {
        let way = UInt64(one * count + other)
        waters[[one, other]] = try RoughWater(
          towards: Self.host(of: other), port, seed: seed &* 1_000 &+ way)
      }
    }
  }

  deinit { for water in waters.values { water.close() } }

  private static func host(of machine: Int) -> String { "127.0.0.\(machine + 32)" }

  func door(of machine: Int) -> String { "\(Self.host(of: machine)):\(port)" }

  func address(of machine: Int, from other: Int) -> String {
    guard let water = waters[[other, machine]] else { return door(of: machine) }
    return "127.0.0.1:\(water.port)"
  }

  /// All processes run on this machine.
  func move(_ process: Process, to machine: Int) {}

  /// Starts or stops the faults.
  func setStorm(_ isStormy: Bool) { for water in waters.values { water.setStorm(isStormy) } }

  /// The number of faults so far, by kind.
  var wrecks: [String: Int] {
    waters.values.reduce(into: [:]) { $0.merge($1.wrecks, uniquingKeysWith: +) }
  }
}
