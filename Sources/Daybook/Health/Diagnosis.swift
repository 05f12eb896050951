package import Platform
package import Sealing

/// The results of all checks of a book.
package struct Diagnosis: Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Information that requires no action.
    case note
    /// A problem that the user should act on.
    case problem
  }

  package var findings: [Finding]
  /// The leftover files that tidying removed.
  package var removed: [Path] = []
  /// The files with keys that others could read, and that tidying has restricted to their owner.
  package var restricted: [Path] = []

  package var hasProblem: Bool { findings.contains { $0.verdict == .problem } }

  /// Whether any problem concerns the data of the book rather than its surroundings.
  package var hasDamage: Bool { findings.contains { $0.verdict == .problem && $0.isAboutData } }
}

/// The result of one check.
package enum Finding: Hashable, Sendable {
  /// The number of faults, logs and events found by reading every byte of the logs.
  ///
  /// If the only faults are missing events, which ``holes(events:accepted:)`` reports, the number of faults is 0.
  /// Otherwise, the number of faults includes the missing events, as in the report of a verification.
  case chain(faults: Int, logs: Int, events: Int)
  /// The number of missing events, and the number of other missing events, which the user has accepted as lost.
  case holes(events: UInt64, accepted: UInt64 = 0)
  /// The number of trust events that the logs have lost and that take effect because of the second copy.
  ///
  /// `isCopied` is false if the second copy lacks an event, for example because the file was removed or could not be
  /// written.
  case trust(remembered: UInt64, isCopied: Bool = true)
  /// The number of bodies that are missing although no `erase` event that counts removed them, and the number of other
  /// missing bodies, which the user has accepted as lost.
  case bodies(UInt64, accepted: UInt64 = 0)
  /// Devices whose logs forked, with the number of branches, except those that were revoked.
  case forks([Counted])
  /// Whether the folder contains the mark of a failed flush.
  case poison(Bool)
  /// The time on this machine in milliseconds, whether it is plausible, and the value of `TZ` if this machine does not
  /// know the time zone.
  case clock(now: Int64, isSane: Bool, unknownZone: String? = nil)
  /// Devices whose clocks are more than a day ahead of this machine's clock, with the difference in milliseconds.
  case future([Counted])
  /// The number of record events that are dated more than a day ahead of this machine's clock.
  case misdated(UInt64)
  /// Devices whose clocks are certainly more than a day behind this machine's clock, with the difference in
  /// milliseconds.
  case past([Counted])
  case lock(LockState)
  case room(freeBytes: Int?)
  /// The error from writing a probe file, or from opening a file of this device's log; nil if both succeeded.
  case writing(DiskError?)
  case view(ViewState)
  /// Peers, with the number of events held here that they are not known to hold, and the names of the machines that
  /// rejected the key of this device.
  case peers([Counted], rejecting: [String] = [])
  /// The peers that are stored by name.
  case contacts(ContactsState)
  /// The remembered folders, with what a look at each has shown.
  case folders([FolderPeer])
  /// The objects of sealed stores that waited for a key at the last sync.
  case unopened([UnopenedObjects])
  /// The key with which this device signs.
  case key(KeyState)
  /// The keys of sealed stores, if this device has any.
  case storeKeys(StoreKeysState)
  /// Files and folders that other users can read or change, or that belong to another user, and links and other special
  /// files in the folder of the keys, from which no key is read.
  case permissions([Path], links: [Path] = [])
  case place(PlaceState)
  case leftovers(Pile)
  case quarantine(Pile)
  /// The number of this device's events that a device can accept only if it has the lost events before them.
  case stranded(UInt64)
  /// The number of logs that were written with the key of this device.
  case incarnations(Int)
  /// The number of keys that can read the book, the names of their devices that have written nothing, and the names of
  /// their devices whose logs are missing here.
  ///
  /// `openFolders` are the remembered folders that others can read, because the folders are not sealed. `hasRevoked`
  /// states whether a device was revoked.
  case readers(
    Int, silent: [String], lost: [String] = [], openFolders: [Path] = [], hasRevoked: Bool = false)
  /// Devices that were admitted only through revoked devices, and whether this device could admit or revoke them.
  case leftBehind([LeftBehind], canDecide: Bool)
  /// Devices that have used up most of their quota, with the percentage used, and devices with events that exceed their
  /// quota and were therefore left out.
  case quotas([Counted], heldBack: [String] = [])
  /// Devices that claim to have events of this device that, according to its witness, it has not written.
  case claims([String])
  /// Other devices that no member has admitted, and whether this device could admit them.
  case waiting([Newcomer], canDecide: Bool)
  /// Erasures by other devices that are held here.
  case held([HeldErasures])
  /// The bytes of erased records are still in files here, because the disk refused their removal.
  case erasureLeft
  /// The invitations through sealed stores that are open, and the join of this device that waits for an answer.
  case joining(OpenJoins)
  /// The standing of this device, and whether any remaining device can admit others.
  case standing(Standing, hasTrustedDevice: Bool)

  /// A device or peer, with a number.
  package struct Counted: Hashable, Sendable {
    package var name: String
    package var count: UInt64

    package init(name: String, count: UInt64) { (self.name, self.count) = (name, count) }
  }

  /// A device that was admitted only through revoked devices.
  package struct LeftBehind: Hashable, Sendable {
    package var name: String
    /// The words of the device's key.
    package var fingerprint: [String]
    /// The name of the device that admitted it, or "a revoked device" if that name is unknown.
    package var author: String
    /// The name of the nearest revoked device through which the admitter takes part; nil if the admitter itself was
    /// revoked.
    package var revoked: String?

    package init(name: String, fingerprint: [String], author: String, revoked: String? = nil) {
      (self.name, self.fingerprint) = (name, fingerprint)
      (self.author, self.revoked) = (author, revoked)
    }
  }

  /// A device that no member has admitted.
  package struct Newcomer: Hashable, Sendable {
    package var name: String
    /// The words of the device's key.
    package var fingerprint: [String]
    /// The revoked device that let the newcomer in, if there is one.
    package var sponsor: Device.Sponsor?

    package init(name: String, fingerprint: [String], sponsor: Device.Sponsor? = nil) {
      (self.name, self.fingerprint, self.sponsor) = (name, fingerprint, sponsor)
    }
  }

  /// A number of files, and their total size in bytes.
  package struct Pile: Hashable, Sendable {
    package var files: Int
    package var bytes: Int

    package init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }
  }

  package enum LockState: Hashable, Sendable {
    case free
    /// The lock is held by the process with this id; nil if the id cannot be read.
    case held(by: String?)
    case unknown
  }

  package enum ContactsState: Hashable, Sendable {
    case known(Int)
    /// The file cannot be parsed, and is left unchanged.
    case damaged(Path, ContactsFault)
  }

  package enum KeyState: Hashable, Sendable {
    case usable
    /// This device has written nothing yet.
    case none
    /// The key of the log that this device writes is missing.
    case missing(Path)
    /// No key remains and the log cannot be continued, so the next event is written under a new key.
    case lost(Path)
    case unreadable(Path)
    /// The file holds the key of another log.
    case other(Path)
  }

  package enum StoreKeysState: Hashable, Sendable {
    /// The number of usable keys.
    case usable(Int)
    /// The file contains no valid keys of this book, and is left unchanged.
    case damaged(Path, StoreKeyError)
    case unreadable(Path, DiskFault)
  }

  package enum ViewState: Hashable, Sendable {
    case current
    case behind
    /// The read model contains events that the logs have lost.
    case ahead
    /// No file exists, or the read model is in memory.
    case none
    /// The file or the logs could not be read for the comparison, or other processes kept changing them.
    case unchecked
    case damaged
  }

  package enum PlaceState: Hashable, Sendable {
    case local
    /// The folder is on a file system that other machines can also use.
    case remote
    /// The folder is part of a folder that a program copies to other machines.
    case copied(Path, by: String)
    /// The folder is part of a folder whose name is typical of folders that a program copies.
    case perhapsCopied(Path, by: String)
  }

  /// A device that has used at least this percentage of its quota is reported.
  package static let notableQuotaPercent = 80
  /// The amount of free space below which the next writes may fail.
  private static let scarceBytes = 64 << 20
  private static let shortBytes = 1 << 30

  /// Whether a problem in this check concerns the data of the book.
  var isAboutData: Bool {
    switch self {
    case .chain, .holes, .trust, .bodies, .poison, .view, .contacts, .key, .storeKeys, .standing:
      true
    default: false
    }
  }

  package var verdict: Diagnosis.Verdict {
    switch self {
    case .chain(let faults, _, _): faults == 0 ? .ok : .problem
    case .holes(let events, _): events == 0 ? .ok : .problem
    case .trust(let remembered, let isCopied):
      remembered > 0 ? .problem : isCopied ? .ok : .note
    case .bodies(let count, _): count == 0 ? .ok : .note
    case .peers(let devices, let rejecting):
      rejecting.isEmpty ? (devices.allSatisfy { $0.count == 0 } ? .ok : .note) : .problem
    case .forks(let devices), .future(let devices), .past(let devices):
      devices.allSatisfy { $0.count == 0 } ? .ok : .note
    case .misdated(let count), .stranded(let count): count == 0 ? .ok : .note
    case .poison(let isThere): isThere ? .problem : .ok
    case .clock(_, let isSane, let unknownZone):
      isSane ? (unknownZone == nil ? .ok : .note) : .problem
    case .lock(let state): state == .free ? .ok : .note
    case .room(let free):
      switch free ?? .max {
      case ..<Self.scarceBytes: .problem
      case ..<Self.shortBytes: .note
      default: .ok
      }
    case .writing(let error): error == nil ? .ok : .problem
    case .view(let state):
      switch state {
      case .current, .none: .ok
      case .behind, .ahead, .unchecked: .note
      case .damaged: .problem
      }
    case .contacts(let state): if case .damaged = state { .problem } else { .ok }
    case .folders(let folders):
      folders.contains { $0.verdict == .problem }
        ? .problem : folders.contains { $0.verdict == .note } ? .note : .ok
    case .unopened: .note
    case .key(let state): state == .usable || state == .none ? .ok : .problem
    case .storeKeys(let state): if case .usable = state { .ok } else { .problem }
    case .permissions(let paths, let links): paths.isEmpty && links.isEmpty ? .ok : .problem
    case .place(let state):
      switch state {
      case .local: .ok
      case .remote, .perhapsCopied: .note
      case .copied: .problem
      }
    case .leftovers(let pile), .quarantine(let pile): pile.files == 0 ? .ok : .note
    case .incarnations: .ok
    case .readers(_, _, _, let folders, let hasRevoked):
      hasRevoked && !folders.isEmpty ? .note : .ok
    case .leftBehind(let devices, _): devices.isEmpty ? .ok : .problem
    case .quotas(let devices, let heldBack):
      heldBack.isEmpty ? (devices.isEmpty ? .ok : .note) : .problem
    case .waiting(let devices, _): devices.isEmpty ? .ok : .note
    case .joining: .note
    case .held(let held): held.isEmpty ? .ok : .problem
    case .erasureLeft, .claims: .problem
    case .standing(let standing, let hasTrustedDevice):
      hasTrustedDevice ? standing.verdict : .problem
    }
  }
}

extension Standing {
  fileprivate var verdict: Diagnosis.Verdict {
    switch self {
    case .unknown, .admitted: .ok
    case .waiting: .note
    case .beginningMissing, .revoked: .problem
    }
  }
}
