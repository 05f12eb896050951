import Bytes
import Crypto
import Platform
import Syncing

/// Bundles as received by mail.
enum Bundles {
  private static let path = Path("/mail")

  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard let anna = try? Pair.made.get().anna, let reader = try? Keeper(like: anna) else {
      throw Violation(rule: "a book can be created")
    }
    let machine = reader.machine
    // Append the correct digest, as anyone who makes a bundle can.
    let whole = bytes + SHA256.digest(of: bytes).bytes
    guard (try? machine.disk.replace(path, with: whole)) != nil else {
      throw Violation(rule: "a disk in memory stores a file")
    }
    let contents = try? Bundle.inspect(path, on: machine)
    let hello = (try? Bundle.hello(of: path, on: machine)) ?? nil
    guard let contents else { return }
    try demand(contents.hello == hello, "inspecting a bundle gives its hello")
    _ = try? Bundle.check(path, on: machine)
    try read(into: reader)
  }

  private static func read(into reader: Keeper) throws(Violation) {
    let before = reader.frontier
    // The bundle may be refused for any reason, but no held events may be lost.
    guard (try? Bundle.read(path, into: reader, on: reader.machine)) != nil else { return }
    try demand(reader.holdsAll(of: before), "no held events are lost")
    let second = try? Bundle.read(path, into: reader, on: reader.machine)
    try demand(second?.received == [:], "events are received only once")
  }
}
