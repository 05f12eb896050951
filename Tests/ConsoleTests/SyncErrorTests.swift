import Bytes
import Crypto
import Daybook
import Journaling
import Phrasing
import Platform
import Sealing
import Syncing
import Testing

@testable import Console

/// Errors that end a sync report what happened, where, and what to do.
struct SyncErrorTests {
  struct Row: CustomTestStringConvertible {
    var error: SyncError
    var code: String
    var exit: ExitCode
    var what: String
    var now: String

    init(_ error: SyncError, _ code: String, _ exit: ExitCode, _ what: String, _ now: String) {
      (self.error, self.code, self.exit) = (error, code, exit)
      (self.what, self.now) = (what, now)
    }

    var testDescription: String { "\(error)" }
  }

  static let book = UniqueID(high: 1, low: 2)
  static let path = Path("/media/stick/b")

  static let meeting: [Row] = [
    Row(
      .version(2...3), "version", .refused, "only versions 2 to 3",
      "Update daybook on both machines."),
    Row(.wrongBook(book), "wrong-book", .refused, "a different book", "run 'daybook join PEER'"),
    Row(
      .joinedInto(book), "joined", .refused, "merged into the other book (\(book.hex))",
      "run 'daybook join PEER'"),
    Row(.noBook, "no-book", .refused, "no book was found to join", "Check the path"),
    Row(.notABundle(path), "not-a-bundle", .dataFault, path.string, "'daybook bundle FILE' writes"),
    Row(
      .damagedBundle(path), "damaged-bundle", .dataFault, "\(path) is damaged",
      "'daybook bundle FILE'"),
    Row(
      .noFolder(path), "peer-away", .network, "\(path) is not available", "Plug it in or mount it"),
    Row(.isABook(path), "is-a-book", .refused, "\(path) is a book", "Sync through another folder"),
    Row(
      .ownAddress("tcp://h:1"), "own-address", .refused, "tcp://h:1 is this device itself",
      "Use the address of another machine."),
    Row(
      .insideABook(path / "logs", book: path), "inside-a-book", .refused,
      "\(path)/logs is inside \(path), which is the folder of a book", "Use a place outside"),
    Row(
      .isSealed(path), "sealed-store", .refused,
      "\(path) contains a sealed store that this device cannot open. Syncing into this folder without the store",
      "'daybook peer add NAME DIR --sealed --new'"),
    Row(
      .joinSealed(path), "join-sealed", .refused,
      "\(path) contains only sealed stores, whose keys only admitted devices receive, so it takes an invitation",
      "Run 'daybook invite --via NAME' on a device that syncs with this store"),
    Row(
      .tooManyFiles(path), "too-many-files", .refused,
      "\(path) contains more files than daybook reads",
      "Use an empty folder instead."),
  ]

  static let lines: [Row] = [
    Row(
      .network(.refused("h:1")), "network", .network, "nothing is listening at h:1",
      "Is 'daybook serve' running"),
    Row(
      .network(.unreachable), "network", .network, "no route",
      "Check that both machines are connected"),
    Row(.network(.timedOut), "network", .network, "did not answer in time", "Try again."),
    Row(.network(.cut), "network", .network, "the connection broke", "try again"),
    Row(
      .network(.unknownHost), "network", .network, "the host name could not be resolved",
      "Check its spelling"),
    Row(
      .network(.notPermitted), "network", .refused, "you are not allowed to use that port",
      "above 1023"),
    Row(
      .network(.portInUse), "network", .refused, "the port is already in use", "choose another port"
    ),
    Row(.cut, "network", .network, "the connection broke", "try again"),
    Row(.tooSlow, "network", .network, "too slow", "Try again."),
    Row(
      .message(.limit, at: 7), "bad-message", .dataFault, "at byte 7",
      "Install the same version"
    ),
    Row(
      .unexpected(at: 9), "bad-message", .dataFault, "at byte 9", "Install the same version"),
    Row(
      .otherReplica(book), "other-replica", .dataFault, "presented a different key",
      "Nothing was accepted from it."),
    Row(
      .tls(.refused(alert: 48)), "key-refused", .refused, "rejected this device",
      "Run 'daybook invite' on the other device"),
    Row(.tls(.cut), "network", .network, "the connection broke", "try again"),
    Row(.tls(.notTLS), "no-daybook", .network, "not daybook", "Install the same version"),
    Row(
      .tls(.otherProtocol), "no-daybook", .network, "not daybook", "Check the address and port."),
  ]

  static let refusals: [Row] = [
    Row(
      .refused(Refusal(.version, "old")), "peer-refused", .refused, "the other device refused: old",
      "Update daybook on both machines."),
    Row(
      .refused(Refusal(.wrongBook, "no")), "peer-refused", .refused, "the other device refused: no",
      "run 'daybook join PEER'"),
    Row(
      .refused(Refusal(.busy, "disk")), "peer-refused", .network, "the other device refused: disk",
      "try again"),
    Row(
      .refused(Refusal(.limit, "slow")), "peer-refused", .network, "the other device refused: slow",
      "try again"),
    Row(
      .refused(Refusal(code: 99, text: "\u{1b}[2J")), "peer-refused", .network,
      "the other device refused: ", "try again"),
    Row(
      .refused(Refusal(.notInvited, "")), "invitation", .refused, "does not recognize this device",
      "Run 'daybook invite' on the other device"),
    Row(
      .refused(Refusal(.usedInvitation, "")), "invitation", .refused, "has already been used",
      "to get a new one"),
    Row(
      .refused(Refusal(.expiredInvitation, "")), "invitation", .refused, "has expired",
      "to get a new one"),
    Row(
      .refused(Refusal(.declined, "")), "invitation", .refused, "declined to admit this device",
      "ask that user to run 'daybook invite' again"),
    Row(
      .refused(Refusal(.unanswered, "")), "invitation", .refused, "nobody at the other machine",
      "Try again when somebody can answer"),
    Row(
      .refused(Refusal(.revokedKey, "")), "invitation", .refused, "was revoked in that book",
      "Run 'daybook device rekey' on this device"),
  ]

  static let held: [Row] = [
    Row(
      .disk(DiskError(.write, path, .full)), "disk-full", .cannotWrite, "the disk is full",
      "Free some space"),
    Row(
      .disk(DiskError(.open, path, .link)), "disk", .refused, "symbolic link",
      "does not follow"),
    Row(
      .journal(.locked(holder: "7")), "busy", .busy, "process 7 is writing",
      "Try again in a moment."
    ),
    Row(
      .journal(.poisoned), "disk", .cannotWrite, "failed to store an earlier write",
      "Check the disk"),
    Row(
      .journal(.asideFull), "aside-full", .refused, "devices that are not admitted",
      "Admit them"),
    Row(
      .journal(.gap(book, held: 3, received: 6)), "damage", .dataFault, "events 4 to 5 are missing",
      "Run 'daybook verify' for details."),
  ]

  @Test(arguments: meeting + lines + refusals + held)
  func `Sync errors: each has its code, what happened and what to do`(row: Row) {
    let told = Told(ofAny: DaybookError.sync(row.error))
    #expect(told.code == row.code)
    #expect(told.exit == row.exit)
    #expect(told.text.contains(row.what), "\(told.text)")
    #expect(told.text.contains(row.now), "\(told.text)")
    #expect(!told.text.contains("\u{1b}"))
  }

  static let problems: [(problem: SyncProblem, exit: ExitCode, text: String)] = [
    (
      .log(.gap(book, held: 3, received: 6)), .dataFault,
      "in log \(book.hex), events 4 to 5 are missing, and the later events of that log were skipped. Get "
        + "the missing events from a whole bundle, made without --since, or from a device that has them"
    ),
    (
      .truncated(path, at: 7), .dataFault,
      "\(path) is cut off or damaged at byte 7; everything before that is valid"
    ),
    (
      .wrongBundleDigest(path), .dataFault,
      "\(path) does not match its digest, so only its events with a valid signature count"
    ),
    (
      .wrongDigest(path), .network,
      "\(path) is incomplete or damaged; the next sync will try again"
    ),
    (
      .unreadable(path, .permission), .network,
      "\(path) cannot be read: permission denied; check its owner and permissions; the next sync "
        + "will try again"
    ),
    (
      .unreadable(path, .io), .network,
      "\(path) cannot be read: the disk reported an error. Copy the book before you do anything "
        + "else; the next sync will try again"
    ),
    (.tooLarge(path), .dataFault, "\(path) exceeds the size limit for files of its kind"),
    (
      .tooManyFiles(path), .dataFault,
      "\(path) contains more files than daybook reads, so nothing was read from it; use an empty "
        + "folder instead"
    ),
    (
      .notLeft(path, .readOnly), .cannotWrite,
      "cannot write into \(path): it is on a read-only disk; its contents were received"
    ),
    (.notAFrame(path, at: 7), .dataFault, "\(path) cannot be read from byte 7 onward"),
    (
      .damageDropped(byteCount: 60), .dataFault,
      "60 damaged bytes were removed from the logs along with erased content; 'daybook verify' "
        + "reports whether events are missing"
    ),
  ]

  private static let store = Path("/media/cloud/5ea1")

  static let storeProblems: [(problem: SyncProblem, exit: ExitCode, text: String)] = [
    (
      .waiting(store, objects: 1), .network,
      "1 object in \(store) cannot be opened yet, because this device does not have the key. "
        + "Unless this device was revoked, it gets the key once an admitted device that has the key syncs with this folder"
    ),
    (
      .waiting(store, objects: 2), .network,
      "2 objects in \(store) cannot be opened yet, because this device does not have the key. "
        + "Unless this device was revoked, it gets the key once an admitted device that has the key syncs with this folder"
    ),
    (
      .rejected(store, objects: 1), .done,
      "1 object in \(store) is ignored, because it was sealed by a device that was revoked, or that a revoked device let in"
    ),
    (
      .rejected(store, objects: 2), .done,
      "2 objects in \(store) are ignored, because they were sealed by a device that was revoked, or that a revoked device let in"
    ),
    (
      .newer(store / "k-1"), .network,
      "a newer daybook wrote \(store)/k-1, so its contents were not received. "
        + "Install a newer daybook on this device, and sync again"
    ),
    (
      .readable(path), .done,
      "the folder of this sealed store also contains readable files of the book. "
        + "Once all devices use the store, remove \(path)"
    ),
    (
      .notOpened(store / "e-1", .tag), .dataFault,
      "\(store)/e-1 cannot be opened, because it was changed or was moved here from another store"
    ),
    (
      .badName(store / "e-1", .code), .dataFault,
      "the name of \(store)/e-1 was changed, or was chosen by someone who had a key of this book"
    ),
    (
      .badKnock(store / "p-1", .tag), .network,
      "\(store)/p-1 was changed, so the device that asks to join was not admitted; "
        + "once that device has synced again, the next sync will try again"
    ),
    (
      .badPackage(store / "k-1", .wrap), .dataFault,
      "\(store)/k-1 is not a valid key package: it cannot be decrypted"
    ),
    (
      .badPackage(store / "k-1", .tooLong(9)), .dataFault,
      "\(store)/k-1 is not a valid key package: it is larger than daybook allows"
    ),
    (
      .badPackage(store / "k-1", .ringLimit), .refused,
      "the key in \(store)/k-1 was not added, because this device already stores the maximum number of store keys"
    ),
    (
      .notSealed(store, .notTrusted), .refused,
      "nothing was written into \(store), because this device is not admitted, or was revoked. "
        + "Use an admitted device; 'daybook devices' shows which devices are admitted"
    ),
    (
      .notSealed(store, .tooManyRevoked(16_385)), .refused,
      "nothing was written into \(store), because 16385 device keys are revoked, but a store key can list only 16384. "
        + "To begin a new book from the logs of this device and others, run 'daybook found --with DEVICE'"
    ),
    (
      .notSealed(store, .ringLimit), .dataFault,
      "nothing was written into \(store), because this device already stores the maximum number of store keys"
    ),
  ]

  @Test(arguments: problems + storeProblems)
  func `Sync errors: a partial failure is reported and sets the exit code`(
    problem: SyncProblem, exit: ExitCode, text: String
  ) {
    #expect(problem.text == text)
    #expect(problem.exit == exit)
  }
}
