import Bytes
import Crypto
import Platform
import Sealing
import SimulatedPlatform
import Syncing

/// A device that syncs through a sealed store in a folder.
final class SealedDevice {
  static let address = StoreAddress(
    folder: DirectoryTests.folder, store: UniqueID(high: 0x5ea1, low: 7), book: .book)

  let holder: MemoryHolder
  let keys: DeviceKeys
  var ring = KeyRing(book: .book)
  /// Who is a member, as far as the device knows.
  var members = MemberKeys(admitted: [], revoked: [])
  private let number: UInt8

  init(_ number: UInt8, _ holder: MemoryHolder) throws {
    (self.number, self.holder) = (number, holder)
    keys = try DeviceKeys(
      signingSeed: Array(repeating: number, count: 32),
      agreementSeed: Array(repeating: number &+ 100, count: 32))
  }

  private var recipient: KeyRecipient {
    get throws {
      try KeyRecipient(signing: keys.signing.publicKey, agreement: keys.agreement.publicKey)
    }
  }

  /// Lets all devices know each other as members.
  static func introduce(_ devices: [SealedDevice], revoking revoked: [SealedDevice] = []) throws {
    let members = MemberKeys(
      admitted: Set(devices.map(\.keys.signing.publicKey)),
      revoked: Set(revoked.map(\.keys.signing.publicKey)),
      recipients: try devices.map { try $0.recipient })
    for device in devices { device.members = members }
  }

  struct Outcome: Equatable {
    var pulled = DirectoryReport()
    var pushed = DirectoryReport()
    var problems: [SyncProblem] = []
  }

  var memory: Path { Path("/book/store-\(number)") }

  private var device: SealingDevice {
    SealingDevice(signing: keys.signing, agreement: keys.agreement, members: members)
  }

  func peer(on machine: Machine) throws -> SealedPeer {
    try SealedPeer(at: Self.address, on: machine, remembering: memory)
  }

  /// Runs the steps of a session, as a new process does.
  @discardableResult
  func sync(on machine: Machine) throws -> Outcome {
    let peer = try peer(on: machine)
    defer { peer.saveMemory() }
    var outcome = Outcome()
    let read = try peer.readPackages(beside: ring, as: device)
    ring = read.ring
    peer.noteTaken(read.packages)
    outcome.problems = read.problems
    outcome.pulled = try peer.pull(into: holder, openedWith: ring)
    if ring.sealingKey(knowing: members) == nil {
      let key = StoreKey(machine.dice.bytes(32))
      try ring.make(
        key, at: machine.timekeeper.now().milliseconds, knowing: members, signedBy: keys.signing)
    }
    if let problem = try peer.shareKeys(of: ring, as: device) {
      outcome.problems.append(problem)
      return outcome
    }
    guard let key = ring.sealingKey(knowing: members) else { return outcome }
    outcome.pushed = try peer.push(from: holder, openedWith: ring, sealingWith: key)
    peer.ringBell()
    return outcome
  }
}
