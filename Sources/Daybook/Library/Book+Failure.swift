import Domain
import Journaling
import Syncing
import Wording

extension Book {
  /// The reason why an operation failed.
  ///
  /// Most failures change nothing; ``hasWritten`` is true for the others.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The category, for a program to act on.
    public let reason: Reason
    /// The message that the program `daybook` prints for the same error: what is wrong, where, and what to do.
    ///
    /// The message is meant for people to read, and may name the program's commands.
    public let description: String
    /// Whether something was written before the failure.
    ///
    /// Everything that was written is durable and takes effect, so the call must not be repeated unchanged.
    ///
    /// A command can fail after it has been written, if the disk then fails to read the book. A sync or join can fail
    /// after events were stored. A join whose connection was lost has written nothing in this sense, because the data
    /// that it received is kept only for the next attempt, and the folder contains no book until then.
    public let hasWritten: Bool
  }
}

extension Book.Failure {
  /// The category of a failure.
  public enum Reason: Hashable, Sendable {
    /// The folder contains no book.
    case noBook
    /// No record has the id, or the record is deleted.
    case unknownRecord
    /// The book does not accept a value, such as an empty title, or the folder does not allow the call, such as a join
    /// in a folder that contains a book.
    case refused
    /// Another process has held the lock for several seconds.
    case busy
    /// The peer cannot be reached, holds a different book, or does not accept this device.
    case peer
    /// The disk has failed, or its content is damaged; `daybook verify` reports the details.
    case storage
  }

  /// - Parameters:
  ///   - error: The error.
  ///   - hasWritten: Whether events of this device were written before the error occurred.
  package init(_ error: DaybookError, hasWritten: Bool = false) {
    let told = hasWritten ? error.afterWriting : error
    self.init(
      reason: Reason(error), description: told.told.text,
      hasWritten: hasWritten || error.isAfterStoring)
  }
}

/// Runs a function for a user of the library, and converts its error to a ``Book/Failure``.
func failing<Value>(
  _ body: () throws(DaybookError) -> Value
) throws(Book.Failure) -> Value {
  do throws(DaybookError) { return try body() } catch { throw Book.Failure(error) }
}

extension DaybookError {
  /// Whether the error itself states that something was stored before it occurred.
  fileprivate var isAfterStoring: Bool {
    switch self {
    case .storedBefore, .erasureLeft: true
    default: false
    }
  }

  /// The error to report if this device wrote events before the error; a disk error then also says so.
  package var afterWriting: DaybookError {
    diskFault == nil || isAfterStoring ? self : .storedBefore(.own, self)
  }
}

extension Book.Failure.Reason {
  fileprivate init(_ error: DaybookError) {
    self =
      switch error {
      case .noBook: .noBook
      case .unknown, .erased, .ambiguous, .gone, .hidden, .refused(.unknown), .refused(.dead):
        .unknownRecord
      case .busy, .journal(.locked), .journal(.changed), .sync(.journal(.locked)): .busy
      case .sync, .network, .unknownPeer, .severalBooks, .beginningNotThere,
        .changedKey, .revokedPeer, .noAddress, .emptiedPeer, .closedInvitation, .otherInviter:
        .peer
      case .disk, .journal, .view, .keys, .noKey, .otherKey, .notABook, .contacts: .storage
      case .storedBefore(_, let error), .erasureLeft(let error): Self(error)
      default: .refused
      }
  }
}
