import Foundation
import Platform
import PosixPlatform

/// Three machines as network namespaces, with a wire between each pair.
///
/// Without permission to create namespaces, they are three addresses of this machine, and wires cannot be cut.
final class Realm: Neighbourhood {
  static let machines = 0..<3

  /// The error if namespaces are permitted but their setup failed.
  private struct Unlaid: Error {}

  /// Whether namespaces, and thus wires, are available.
  let hasWires: Bool
  /// Idle processes that keep the namespaces; they end with this process.
  private var keepers: [Process] = []
  private let port: UInt16

  /// Whether this process may create namespaces.
  static let allowsNamespaces: Bool = {
    run("/usr/bin/unshare", "--net", "/usr/sbin/ip", "link", "show", "lo") == 0
  }()

  init() throws {
    hasWires = Realm.allowsNamespaces
    port = hasWires ? 7_771 : try Realm.freePort()
    guard hasWires else { return }
    for _ in Realm.machines { keepers.append(try Realm.keeper()) }
    for first in Realm.machines {
      guard ip(first, ["link", "set", "lo", "up"]) else { throw Unlaid() }
      for second in Realm.machines where first < second { try lay(first, second) }
    }
  }

  deinit { for keeper in keepers { keeper.terminate() } }

  func address(of machine: Int, from other: Int) -> String {
    guard hasWires else { return "127.0.0.\(machine + 2):\(port)" }
    return "\(Realm.host(of: machine, towards: other)):\(port)"
  }

  func door(of machine: Int) -> String {
    hasWires ? "0.0.0.0:\(port)" : address(of: machine, from: machine)
  }

  func move(_ process: Process, to machine: Int) {
    guard hasWires, let program = process.executableURL else { return }
    let rest = [program.path()] + (process.arguments ?? [])
    process.executableURL = URL(filePath: "/usr/bin/nsenter")
    process.arguments = ["--net=/proc/\(keepers[machine].processIdentifier)/ns/net", "--"] + rest
  }

  /// Cuts or restores the wire between two machines at one end.
  func setWire(between first: Int, and second: Int, isWhole: Bool) {
    guard hasWires else { return }
    _ = ip(first, ["link", "set", "to\(second)", isWhole ? "up" : "down"])
  }

  /// Creates a wire between two machines, with an address at each end.
  private func lay(_ first: Int, _ second: Int) throws {
    let other = "\(keepers[second].processIdentifier)"
    let veth = ["type", "veth", "peer", "name", "to\(first)", "netns", other]
    guard ip(first, ["link", "add", "to\(second)"] + veth) else {
      throw Unlaid()
    }
    for (one, other) in [(first, second), (second, first)] {
      let address = Realm.host(of: one, towards: other) + "/24"
      guard ip(one, ["addr", "add", address, "dev", "to\(other)"]),
        ip(one, ["link", "set", "to\(other)", "up"])
      else { throw Unlaid() }
    }
  }

  private static func freePort() throws -> UInt16 {
    let listener = try PosixNetwork().listen(host: "127.0.0.2", port: 0)
    defer { listener.close() }
    return listener.port
  }

  private static func host(of machine: Int, towards other: Int) -> String {
    "10.77.\(machine + other).\(machine + 1)"
  }

  private func ip(_ machine: Int, _ words: [String]) -> Bool {
    let path = "--net=/proc/\(keepers[machine].processIdentifier)/ns/net"
    return Realm.run(["/usr/bin/nsenter", path, "--", "/usr/sbin/ip"] + words) == 0
  }

  private static func keeper() throws -> Process {
    let (keeper, input, output) = (Process(), Pipe(), Pipe())
    keeper.executableURL = URL(filePath: "/usr/bin/unshare")
    keeper.arguments = ["--net", "/bin/sh", "-c", "echo made; exec cat"]
    (keeper.standardInput, keeper.standardOutput) = (input, output)
    try keeper.run()
    // The namespace exists once the process prints a line, and lasts until the pipe is closed.
    _ = output.fileHandleForReading.availableData
    return keeper
  }

  private static func run(_ words: String...) -> Int32 { run(words) }

  private static func run(_ words: [String]) -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
  }
}
