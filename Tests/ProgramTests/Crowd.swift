import Bytes
import Crypto
import Journaling
import Platform
import PosixPlatform
import Syncing

/// Many connections to a server from one thread, which claim to hold the server's events.
final class Crowd: SyncServerDelegate {
  private let identity: TLSIdentity
  private let machine: Machine
  private var syncServer: SyncServer?
  /// The hello message that the server sent.
  private var hello: Hello?
  /// The calls that have reached equal states.
  private(set) var settled: Set<UInt64> = []
  private(set) var ends: [SyncError?] = []
  private let holder = Pretender()

  init() throws {
    identity = try TLSIdentity(SigningKey(seed: SystemDice().bytes(32)))
    // Connections within this machine open quickly, so they need no separate thread.
    machine = Machine(
      disk: PosixDisk(), timekeeper: SystemTimekeeper(), dice: SystemDice(),
      network: PosixNetwork())
    syncServer = try SyncServer(on: machine, host: self)
  }

  /// The number of frames received.
  var frames: Int { holder.frames }

  /// Makes the given number of calls, and returns when all have reached equal states.
  func call(_ port: UInt16, times count: Int, within milliseconds: Int64) throws {
    let wanted = settled.count + count
    var dialled = settled.count
    try wait(within: milliseconds) {
      // Stay below the limit on simultaneous calls from one address.
      while dialled < wanted, dialled - self.settled.count < Limit.sessionsOfAddress / 2 {
        self.syncServer?.dial(.tcp(Endpoint(host: "127.0.0.1", port: port)), as: dialled)
        dialled += 1
      }
      return self.settled.count >= wanted
    }
  }

  /// Runs until the condition is true.
  func wait(within milliseconds: Int64, until isSo: () -> Bool) throws {
    let end = machine.timekeeper.monotonicMilliseconds() + milliseconds
    while !isSo() {
      guard machine.timekeeper.monotonicMilliseconds() < end else { throw SyncError.tooSlow }
      try syncServer?.turn(patienceMilliseconds: 20)
    }
  }

  func hangUp() { syncServer?.stop() }

  func credentials(for destination: Int?) throws(SyncError) -> Credentials {
    Credentials(identity) { _ in true }
  }

  func converse(_ call: Call) throws(SyncError) -> AcceptedPeer {
    let conversation = Conversation(
      .dialler, holder: holder, timekeeper: machine.timekeeper, since: call.start, stays: true)
    return AcceptedPeer(conversation, isKnown: true)
  }

  func settled(_ call: Call) {
    if let hello = call.conversation?.report.peerHello {
      (holder.hello.book, holder.hello.frontier) = (hello.book, hello.frontier)
    }
    settled.insert(call.number)
  }

  func ended(_ call: Call, because error: SyncError?) { ends.append(error) }

  func missed(_ destination: Int, because error: SyncError) { ends.append(error) }

  func doorFailed(_ error: SyncError) { ends.append(error) }

  func checkForCommits() {}
}

/// Claims to hold the events of the frontier it received.
private final class Pretender: Holder {
  var hello = Hello(
    book: nil, replica: UniqueID(high: 0, low: 0), frontier: Frontier.nothing)
  private(set) var frames = 0

  func landmarks(for other: Frontier) throws(SyncError) -> [Place] { [] }

  func frames(of replica: UniqueID, lackedBy places: [Place]) throws(SyncError) -> FrameStream {
    FrameStream { () throws(SyncError) in nil }
  }

  func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) { frames += 1 }

  func commit() throws(JournalError) -> Frontier { hello.frontier }
}
