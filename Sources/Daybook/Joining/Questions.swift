import Crypto
import Syncing

/// The invited devices of which the user is asked, one after the other, in the order in which they came.
struct Questions {
  struct Question {
    /// The number of the call over which the device waits.
    var call: UInt64
    var key: PublicKey
    var proof: Proof
    var pendingDevice: PendingDevice
  }

  private let doorkeeper: Doorkeeper
  private var waiting: [Question] = []
  /// Whether the user was asked about the first of them.
  private var isAsked = false

  init(to doorkeeper: Doorkeeper) { self.doorkeeper = doorkeeper }

  mutating func add(_ question: Question) { waiting.append(question) }

  /// What is to be asked next; nil while the user thinks.
  var next: Question? { isAsked ? nil : waiting.first }

  mutating func askNext() {
    guard let next else { return }
    isAsked = true
    doorkeeper.ask(next.pendingDevice)
  }

  /// Takes the next one, of which the user need not be asked any more.
  mutating func skipNext() {
    if next != nil { waiting.removeFirst() }
  }

  /// Takes the question that the user has answered.
  mutating func takeAnswered() -> (question: Question, isWelcome: Bool)? {
    guard isAsked, let isWelcome = doorkeeper.answer() else { return nil }
    isAsked = false
    return (waiting.removeFirst(), isWelcome)
  }

  /// Forgets the device that waits over a call, and takes the question back if it was asked.
  mutating func forget(_ call: UInt64) {
    guard let place = waiting.firstIndex(where: { $0.call == call }) else { return }
    let question = waiting.remove(at: place)
    guard isAsked, place == 0 else { return }
    isAsked = false
    doorkeeper.withdraw(question.pendingDevice)
  }
}
