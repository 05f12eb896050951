import Bytes
import Daybook
import Domain
import Interchange
import Phrasing
import Platform
import Proving
import Syncing

/// An error that ends a run.
enum ConsoleError: Error {
  case usage(UsageFault)
  /// The value of an option or operand is invalid.
  case words(WordsFault)
  case book(DaybookError)
  case disk(DiskError)
  /// Standard input is longer than any invitation.
  case noInvitationInInput(limit: Int)
  /// The file is in no known format.
  case unknownFormat(String)
  /// The file from another program cannot be imported.
  case foreignFile(String, ForeignFault)
  /// A record in a file from another program cannot be imported, and the import must be complete.
  case foreignRecord(ForeignPlace, ForeignFault)
  case fileExists(Path)
  /// The file is a bundle of this book, and its writer held this many events that are missing here.
  case bundleHoldsMore(Path, UInt64)
  /// The file at the path was not written by daybook.
  case notOurs(Path)
  /// Neither an option nor the environment determines where the book is.
  case noHome
  /// Neither `HOME` nor the variable determines a folder that a command needs besides the book's.
  case noUserFolder(String, variable: Variable)
  /// The path of the file to write is a folder, a device, a pipe or a link.
  case noPlainFile(Path, isFolder: Bool)
  /// The key of the machine at an address is not known; `words` spells it.
  case unknownMachine(String, words: String)
  /// The machine at an address does not have the expected key; `words` spells the key that it has.
  case otherMachine(String, words: String)
  /// Nothing exists at the path of a remembered peer, temporarily or permanently.
  case peerAway(String, Path)
  /// The argument names no remembered peer, file or folder.
  case nobody(String)
  /// The argument names a device that is not a peer here, or this device itself.
  case deviceNoPeer(String, isThis: Bool)
  /// There is no peer to sync with, or no peer that can be dialled.
  case noPeers
  /// The device has no store key, so there is none to replace.
  case noStoreKey(StoreKeyObstacle?)
  case noAddresses
  /// No remembered peer can be followed; some of them are folders or files.
  case noMachines
  /// The option requires the name of one peer.
  case needsPeer(option: String, names: [String])
  /// The option requires the name of one device.
  case needsDevice(option: String)
  /// The named device has no quota, because it is this device or is not a member.
  case noQuota(String, isThis: Bool)
  /// The address does not belong to this machine, so the machine cannot listen at it.
  case foreignAddress(Endpoint)
  /// Standard input and output are not connected to another machine.
  case noStream
  /// The book of a machine that ssh logs in to does not include this device.
  case uninvited(SSHAddress)
  /// The peer has a different book.
  case otherBook(UniqueID, at: PeerAddress)
  /// The address is already remembered under a different name.
  case placeTaken(PeerAddress, by: String, wanted: String)
  /// No remembered peer is in this bucket, or several are.
  case unknownBucket(String, names: [String])
  /// A dry run with a machine or bucket is not possible, because events would be sent.
  case noTrial(String, at: PeerAddress)
  /// No record has this name, but a record has a similar name.
  case misspelt(String, kind: String?, _ meant: String)
  /// No record has this name, which is the name of a kind; `command` is the command without that name.
  case kindBeforeName(String, command: String)
  /// The argument names a record of a kind that the command does not accept.
  case wrongKind(String, expected: String, found: String)
  /// The kind has no settable field with this name.
  case noSuchField(option: String, kind: String, suggestion: String?)
  /// One of several to-dos does not repeat, and the command requires that all do.
  case doesNotRepeat(_ record: String)
  /// The edit names no field.
  case nothingToEdit(_ record: String)
  /// The record, or the field, has no conflict.
  case nothingToSettle(_ record: String, field: String?)
  /// The command does not say how to settle the conflict; `choices` lists the possible ways.
  case undecided(_ problem: String, _ choices: [String])
  /// No side of the conflict has this value, and no device has this name.
  case nobodysValue(String, suggestion: String?, _ choices: [String])
  /// The names were given in the wrong order: no device is called `new`, but a device is called `old`.
  case turnedAround(old: String, new: String)
  /// Another device previously had the name, and this device did not give it; the sentences describe its origin.
  case movedName(String, device: String, _ origin: [String])
  /// No device has the name now; `holders` previously had it.
  case formerName(String, _ holders: [String])
  /// The two options exclude each other.
  case contradiction(String, String)
  /// The first option has a meaning only together with the second one.
  case needsOption(String, String)
  /// There is no record of a draw: no choice has ever been drawn, or the record has been removed.
  ///
  /// `question` names a question to draw from.
  case noPick(String, question: String?)
  /// The record of the draw contradicts itself or the pick, whose short id is `id`.
  case untrueDraw(String, id: String)
  /// Verification found this many faults, which have already been reported.
  case faultsFound(Int, canAccept: Bool)
  /// The file is not a proof that holds.
  case proofRefused(Path, ProofFault)
  /// A step of the demonstration failed.
  case demoFailed(step: String, found: String)
  /// The question needs an answer, and the user cannot be asked.
  case needsYes(String)
  /// Other devices have changed records since the command to undo; the sentences describe how.
  case editedSince([String])
}

extension ConsoleError {
  /// The value of an option or operand is invalid; `advice` describes the valid values.
  static func badValue(_ name: String, _ words: String, _ advice: String) -> ConsoleError {
    .words(.badValue(name, words, advice))
  }

  /// No part of the name of a birthday has a visible character.
  static let birthdayWithoutName = ConsoleError.words(
    .said("a birthday needs a name that is not empty."))

  /// The option describes a bucket, but the peer is not a bucket.
  static func onlyForBuckets(_ option: String) -> ConsoleError {
    .words(.said("\(option) applies only to buckets, whose addresses begin with s3://."))
  }
}
