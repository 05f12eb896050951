import Daybook
import Domain
import Interchange
import Phrasing
import Platform
import Syncing

/// Everything that ends a run early.
enum ConsoleError: Error {
  case usage(UsageFault)
  /// An option or operand holds what cannot be read.
  case words(WordsFault)
  case book(DaybookError)
  case disk(DiskError)
  /// Standard input is longer than an invitation can be.
  case noInvitationInInput(limit: Int)
  /// Nothing in the file looks like any format.
  case unknownFormat(String)
  /// A file of another program cannot be taken.
  case foreignFile(String, ForeignFault)
  /// Something in a file of another program cannot be taken, and all of it was wanted.
  case foreignRecord(ForeignPlace, ForeignFault)
  case fileExists(Path)
  /// The file is a bundle of this book, and its writer held this many events that are missing here.
  case bundleHoldsMore(Path, UInt64)
  /// A file stands where one of ours would, and is somebody else's.
  case notOurs(Path)
  /// Nothing says where the book is.
  case noHome
  /// A folder, device, pipe or link stands where a file was to be written.
  case noPlainFile(Path, isFolder: Bool)
  /// The machine at an address is not known by its key, which is spelt so.
  case unknownMachine(String, words: String)
  /// The machine at an address has another key than was said; it is spelt so.
  case otherMachine(String, words: String)
  case badInvitation(InvitationFault)
  /// The invitation cannot be used any more.
  case closedInvitation
  /// At the invitation's address is another machine than the one that invited.
  case otherInviter(String)
  /// Nothing is where a remembered peer was, for now or for good.
  case peerAway(String, Path)
  /// The words name no peer that is remembered, and no file or folder.
  case nobody(String)
  /// The words name a device that is no peer here, or this device itself.
  case deviceNoPeer(String, isThis: Bool)
  /// There is no peer to sync with, or none that could be dialled.
  case noPeers
  case noAddresses
  /// None of the peers that are remembered can be followed, of which some are folders or files.
  case noMachines
  /// The option goes with one peer only, and none is named.
  case needsPeer(option: String, names: [String])
  /// The option is about one device, and none is named.
  case needsDevice(option: String)
  /// No quota is kept of this device itself, or of one that takes no part.
  case noQuota(String, isThis: Bool)
  /// This machine has no such address to listen on.
  case foreignAddress(Endpoint)
  /// The place is remembered already, under another name.
  case placeTaken(PeerAddress, by: String, wanted: String)
  /// With a machine nothing can be tried: events would go out.
  case noTrial(String)
  /// Nothing is called so, but something almost so.
  case misspelt(String, kind: String?, _ meant: String)
  /// The words name a thing of a kind that the command is not for.
  case wrongKind(String, expected: String, found: String)
  /// The kind has no such field that could be set.
  case noSuchField(option: String, kind: String, suggestion: String?)
  case nothingToEdit
  /// Nothing about a record, or of a field of it, is in conflict.
  case nothingToSettle(_ record: String, field: String?)
  /// It is not clear how to settle a conflict; these are the ways.
  case undecided(_ problem: String, _ choices: [String])
  /// Nobody in conflict has written such words, and no device is called so.
  case nobodysValue(String, suggestion: String?)
  /// A device was to be called as another is, the new name said before the old one.
  case turnedAround(old: String, new: String)
  /// The two options exclude each other.
  case contradiction(String, String)
  /// Nothing tells of a draw: the question was never drawn from, or the record is gone.
  case noPick(String)
  /// The record of the draw contradicts itself, or what the pick says was drawn.
  case untrueDraw(String)
  /// Verification found this many faults, which have been told.
  case faultsFound(Int, canAccept: Bool)
  /// A step of the demonstration went wrong.
  case demoFailed(step: String, found: String)
  /// The question was asked where nobody can answer.
  case needsYes(String)
  /// Another device has edited since what an undo would take away, as these sentences tell.
  case editedSince([String])
}

extension ConsoleError {
  /// An option or operand holds what cannot be read; the last words say what can.
  static func badValue(_ name: String, _ words: String, _ advice: String) -> ConsoleError {
    .words(.badValue(name, words, advice))
  }
}
