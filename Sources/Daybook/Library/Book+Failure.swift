import Domain
import Journaling
import Syncing
import Wording

extension Book {
  /// The reason why an operation failed.
  ///
  /// A command that failed has written nothing. A sync or join can fail after events were stored.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The category, for a program to act on.
    public let reason: Reason
    /// The message that the program `daybook` prints for the same error: what is wrong, where, and what to do.
    ///
    /// It is meant for people to read, and may name commands of the program.
    public let description: String
  }
}

extension Book.Failure {
  /// The category of a failure.
  public enum Reason: Hashable, Sendable {
    /// The folder has no book.
    case noBook
    /// No record has the id, or it is deleted.
    case unknownRecord
    /// The book does not accept the value, for example a to-do without a title.
    case refused
    /// Another process has held the lock for seconds.
    case busy
    /// The peer cannot be reached, has another book, or does not let this device in.
    case peer
    /// The disk has failed, or its content is damaged: `daybook verify` says more.
    case storage
  }

  package init(_ error: DaybookError) {
    self.init(reason: Reason(error), description: error.told.text)
  }
}

/// Runs a function for a user of the library, and converts its error to a ``Book/Failure``.
func failing<Value>(
  _ body: () throws(DaybookError) -> Value
) throws(Book.Failure) -> Value {
  do throws(DaybookError) { return try body() } catch { throw Book.Failure(error) }
}

extension Book.Failure.Reason {
  fileprivate init(_ error: DaybookError) {
    self =
      switch error {
      case .noBook: .noBook
      case .unknown, .erased, .ambiguous, .gone, .hidden, .refused(.unknown), .refused(.dead):
        .unknownRecord
      case .busy, .journal(.locked), .journal(.changed), .sync(.journal(.locked)): .busy
      case .sync, .network, .unknownPeer, .severalBooks, .beginningNotThere, .declined,
        .changedKey, .noAddress, .emptiedPeer, .closedInvitation, .otherInviter:
        .peer
      case .disk, .journal, .view, .keys, .noKey, .otherKey, .notABook, .contacts: .storage
      case .storedBefore(_, let error), .erasureLeft(let error): Self(error)
      default: .refused
      }
  }
}
