import Platform
import Synchronization

/// Dials destinations on other threads, because resolving a name can block for as long as dialing.
struct Dialer {
  /// The result of dialing a destination.
  struct Answer: Sendable {
    var destination: Int
    var line: Result<any Line, NetworkError>
  }

  /// The answers from the dialing threads.
  private final class Post: Sendable {
    private let answers = Mutex<[Answer]>([])

    func leave(_ answer: Answer) { answers.withLock { $0.append(answer) } }

    func takeAll() -> [Answer] {
      answers.withLock { answers in
        defer { answers = [] }
        return answers
      }
    }
  }

  private let network: any Network
  private let beside: Machine.Beside?
  /// The poller to wake when an answer arrives.
  private let poller: any Poller
  private let post = Post()

  init(on machine: Machine, waking poller: any Poller) {
    (network, beside, self.poller) = (machine.network, machine.beside, poller)
  }

  /// Dials a destination.
  ///
  /// - Returns: The answer on a machine without threads. On other machines, the result is nil, and ``takeAnswers()``
  ///   returns the answer later.
  func dial(_ address: MachineAddress, as destination: Int) -> Answer? {
    let (network, poller, post) = (network, poller, post)
    let dial: @Sendable () -> Answer = {
      Answer(destination: destination, line: Self.line(to: address, over: network))
    }
    guard let beside else { return dial() }
    beside {
      post.leave(dial())
      poller.wake()
    }
    return nil
  }

  private static func line(
    to address: MachineAddress, over network: any Network
  ) -> Result<any Line, NetworkError> {
    do throws(NetworkError) {
      return .success(try address.dial(over: network))
    } catch {
      return .failure(error)
    }
  }

  /// Removes and returns the answers that have arrived.
  func takeAnswers() -> [Answer] { post.takeAll() }
}
