import Crypto
import Syncing

/// The invited devices awaiting the user's answer, in the order in which they connected.
struct Questions {
  struct Question {
    /// The number of the device's call.
    var call: UInt64
    var key: PublicKey
    var proof: Proof
    var pendingDevice: PendingDevice
  }

  private let doorkeeper: Doorkeeper
  private var waiting: [Question] = []
  /// Whether the user has been asked about the first device.
  private var isAsked = false

  init(to doorkeeper: Doorkeeper) { self.doorkeeper = doorkeeper }

  mutating func add(_ question: Question) { waiting.append(question) }

  /// The next question to ask, or nil while the user has not answered the last one.
  var next: Question? { isAsked ? nil : waiting.first }

  mutating func askNext() {
    guard let next else { return }
    isAsked = true
    doorkeeper.ask(next.pendingDevice)
  }

  /// Removes the next question, because it no longer needs to be asked.
  mutating func skipNext() {
    if next != nil { waiting.removeFirst() }
  }

  /// Removes and returns the question that the user has answered, with the answer.
  mutating func takeAnswered() -> (question: Question, isWelcome: Bool)? {
    guard isAsked, let isWelcome = doorkeeper.answer() else { return nil }
    isAsked = false
    return (waiting.removeFirst(), isWelcome)
  }

  /// Removes the device of a call, and withdraws its question if the user was asked.
  mutating func forget(_ call: UInt64) {
    guard let place = waiting.firstIndex(where: { $0.call == call }) else { return }
    let question = waiting.remove(at: place)
    guard isAsked, place == 0 else { return }
    isAsked = false
    doorkeeper.withdraw(question.pendingDevice)
  }
}
