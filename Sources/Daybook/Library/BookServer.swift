import Journaling
import Platform
import ReadModel
import Synchronization
import Syncing
import Wording

/// Lets other devices sync with a book while the server runs.
///
/// The book's own devices are accepted. Any other device is accepted and admitted if it proves that it has an
/// invitation from ``Book/invite()``; no user is asked. A device that stays connected receives each change immediately.
///
/// ```swift
/// let server = book.server(host: "0.0.0.0")
/// let serving = Task { try await server.run() }
/// …
/// serving.cancel()
/// try await serving.value
/// ```
public struct BookServer: Sendable {
  let folder: Path
  let machine: Machine
  let view: ReadModel.Place
  let endpoint: Endpoint

  /// A report while a book is served.
  public enum News: Sendable {
    /// Other devices can now connect at this port, and ``Book/invite()`` works.
    case listening(port: UInt16)
    /// A device was admitted through an invitation; the values are its name and the words of its key.
    case admitted(device: String, words: [String])
    /// This device and another device now have the same events, or more events were received from the other device; the
    /// values are that device's name or address, and the exchange since the previous report about it.
    case exchanged(peer: String, Book.Exchange)
    /// Events were sent to a device that stays connected; the values are its name or address, and the number of events.
    case sent(peer: String, count: Int)
    /// A device that had stayed connected has left.
    case left(peer: String)
    /// The connection to a device has failed.
    case lost(peer: String, Book.Failure)
    /// A caller was not accepted; the values are its address and the reason in words.
    case turnedAway(address: String, reason: String)
    /// An error on this machine affects one caller or all of them; the server continues.
    case failed(Book.Failure)
  }

  /// Serves the book until the task is cancelled, then returns.
  ///
  /// The server runs on its own thread, with its own book over the same folder. On a machine without threads, the
  /// server blocks its caller.
  ///
  /// After a cancellation, the server first finishes its current work, which usually takes about a second. The work
  /// takes longer while the server opens a large book or reads many received events, or while another process holds the
  /// lock. If the task was cancelled before it started, the server neither listens nor calls `tell`.
  ///
  /// - Parameter tell: Called on that thread with each report. The function must return soon, because no device is
  ///   served until then.
  /// - Throws: ``Book/Failure`` if the server cannot listen on the address, or the book cannot be read.
  public func run(
    telling tell: @escaping @Sendable (News) -> Void = { _ in }
  ) async throws(Book.Failure) {
    let stop = Stop()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let work = { @Sendable in
          continuation.resume(returning: outcome(telling: tell, until: stop))
        }
        if let beside = machine.beside { beside(work) } else { work() }
      }
    } onCancel: {
      stop.demand()
    }
    if let failure { throw failure }
  }

  /// Serves the book until a stop is demanded, and returns the error that ended the server before that, if any.
  private func outcome(
    telling tell: @escaping @Sendable (News) -> Void, until stop: Stop
  ) -> Book.Failure? {
    if stop.isDemanded { return nil }
    do throws(DaybookError) {
      let book = try Book(at: folder, on: machine, view: view)
      // Opening the book can take a long time.
      if stop.isDemanded { return nil }
      try LiveService(of: book).serve(
        host: endpoint.host, port: endpoint.port, ready: { tell(.listening(port: $0)) },
        tell: { news in if let news = News(news) { tell(news) } },
        until: { stop.isDemanded })
      return nil
    } catch {
      return Book.Failure(error)
    }
  }
}

/// Tells a server on another thread to stop.
private final class Stop: Sendable {
  private let demanded = Atomic(false)

  var isDemanded: Bool { demanded.load(ordering: .relaxed) }

  func demand() { demanded.store(true, ordering: .relaxed) }
}

extension BookServer.News {
  /// Translates news; nil for news that concerns only this device.
  fileprivate init?(_ news: LiveNews) {
    switch news {
    case .met(let peer, let receipt), .news(let peer, let receipt):
      self = .exchanged(peer: peer.called, Book.Exchange(receipt))
    case .letIn(_, let name, let words): self = .admitted(device: name, words: words)
    case .sent(let peer, let shares, _, _):
      self = .sent(
        peer: peer.called, count: shares.reduce(0) { $0 + Int(clamping: $1.events) })
    case .left(let peer): self = .left(peer: peer.called)
    case .lost(let peer, let error, _): self = .lost(peer: peer.called, Book.Failure(error))
    case .stripped: return nil
    case .turnedAway(let address, let error):
      self = .turnedAway(address: address, reason: error.callerText)
    case .failed(_, let error): self = .failed(Book.Failure(error))
    }
  }
}

extension LivePeer {
  /// The peer's name, or its address until the name is known.
  fileprivate var called: String { name ?? address }
}
