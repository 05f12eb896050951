import Bytes
import Crypto
import Platform
import Syncing

/// Bundles, which come by mail.
enum Bundles {
  private static let path = Path("/mail")

  static func take(_ bytes: [UInt8]) throws(Violation) {
    guard let anna = try? Pair.made.get().anna, let reader = try? Keeper(like: anna) else {
      throw Violation(rule: "a book can be made")
    }
    let machine = reader.machine
    // Whoever makes a bundle makes its digest, too.
    let whole = bytes + SHA256.digest(of: bytes).bytes
    guard (try? machine.disk.replace(path, with: whole)) != nil else {
      throw Violation(rule: "a disk in memory takes a file")
    }
    let contents = try? Bundle.inspect(path, on: machine)
    let hello = (try? Bundle.hello(of: path, on: machine)) ?? nil
    guard let contents else { return }
    try demand(contents.hello == hello, "a bundle has one hello")
    _ = try? Bundle.check(path, on: machine)
    try read(into: reader)
  }

  private static func read(into reader: Keeper) throws(Violation) {
    let before = reader.frontier
    // Why it is refused does not matter here; what was held must be held still.
    guard (try? Bundle.read(path, into: reader, on: reader.machine)) != nil else { return }
    try demand(reader.holdsAll(of: before), "what was held is held still")
    let second = try? Bundle.read(path, into: reader, on: reader.machine)
    try demand(second?.received == [:], "what was taken once does not come again")
  }
}
