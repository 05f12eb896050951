import Domain
import Journaling
import Platform

extension Book {
  /// Why something could not be done; where it was to be written, nothing was.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What a program can act by.
    public enum Reason: Hashable, Sendable {
      /// There is no book in the folder.
      case noBook
      /// No record has the id, or it is deleted.
      case unknownRecord
      /// The book does not take it, such as a to-do without a title.
      case refused
      /// Another process has been writing for seconds.
      case busy
      /// The other machine, folder or file could not be synced with.
      case peer
      /// The disk has failed, or what it holds is damaged: `daybook verify` says more.
      case storage
    }

    /// What a program can act by.
    public let reason: Reason
    /// All that is known of it, for whoever looks into faults.
    public let description: String

    init(_ error: DaybookError) {
      reason = error.reason
      description = "\(error)"
    }
  }

  /// Does something for a user of the library, who is told of an error in fewer cases.
  static func failing<Value>(
    _ body: () throws(DaybookError) -> Value
  ) throws(Failure) -> Value {
    do throws(DaybookError) { return try body() } catch { throw Failure(error) }
  }
}

extension DaybookError {
  fileprivate var reason: Book.Failure.Reason {
    switch self {
    case .noBook: .noBook
    case .unknown, .erased, .ambiguous, .gone, .hidden: .unknownRecord
    case .busy: .busy
    case .sync, .network, .unknownPeer, .severalBooks, .beginningNotThere, .declined: .peer
    case .disk, .journal, .view, .keys, .noKey, .otherKey, .notABook: .storage
    default: .refused
    }
  }
}
