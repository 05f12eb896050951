package import Platform

/// What was found by looking a book over, check by check.
package struct Diagnosis: Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Worth knowing; nothing is in danger.
    case note
    /// Something that should be seen to.
    case problem
  }

  package var findings: [Finding]
  /// What tidying has removed.
  package var removed: [Path] = []

  package var hasProblem: Bool { findings.contains { $0.verdict == .problem } }

  /// Whether something is wrong with what the book holds, and not only with what is around it.
  package var hasDamage: Bool { findings.contains { $0.verdict == .problem && $0.isAboutData } }
}

/// What one check has found.
package enum Finding: Hashable, Sendable {
  /// Every byte was read; holes are counted apart.
  case chain(faults: Int, logs: Int, events: Int)
  case holes(events: UInt64)
  /// Events that say who may write, lost from the logs and remembered by the book.
  case trust(remembered: UInt64)
  /// Bodies that are gone though no erasure that is held accounts for it.
  case bodies(UInt64)
  /// Devices whose logs forked, with the number of branches.
  case forks([Counted])
  /// Whether a failed flush has left its mark.
  case poison(Bool)
  /// What time this machine has, and whether that can be.
  case clock(now: Int64, isSane: Bool)
  /// Devices that have written in what is the future here, with the milliseconds.
  case future([Counted])
  /// How many events about records are dated more than a day ahead, written while some clock was wrong.
  case misdated(UInt64)
  /// Devices that write in what is the past here, though they know better, with the milliseconds.
  case past([Counted])
  case lock(LockState)
  case room(freeBytes: Int?)
  /// Why a probe could not be written, if it could not.
  case writing(DiskFault?)
  case view(ViewState)
  /// Peers, and how many events held here they are not known to hold.
  case peers([Counted])
  /// The peers that are remembered by name.
  case contacts(ContactsState)
  /// The key by which this device signs.
  case key(KeyState)
  /// Files that others can read, or that belong to others.
  case permissions([Path])
  case place(PlaceState)
  case leftovers(Pile)
  case quarantine(Pile)
  /// How many events of this device stand behind lost ones, so that no device that lacks these can take them.
  case stranded(UInt64)
  /// How many logs the key of this device has.
  case incarnations(Int)
  /// How many devices can read the book, and the names of those among them that have written nothing.
  case readers(Int, silent: [String])
  /// Devices that only revoked ones have let in, by the words that name them.
  case leftBehind([LeftBehind])
  /// Devices that have used up most of their quotas, with the percent that they have used.
  case quotas([Counted])
  /// Devices that nobody has admitted.
  case waiting([String])
  /// Erasures by other devices that are held here.
  case held([HeldErasures])
  /// How this device stands, and whether any is left that can admit it.
  case standing(Standing, hasTrustedDevice: Bool)

  /// A device or peer, and a number that says something of it.
  package struct Counted: Hashable, Sendable {
    package var name: String
    package var count: UInt64

    package init(name: String, count: UInt64) { (self.name, self.count) = (name, count) }
  }

  /// A device that takes part though the one that let it in was revoked.
  package struct LeftBehind: Hashable, Sendable {
    package var name: String
    /// Words that stand for its key.
    package var fingerprint: [String]
    /// What the device is called that let it in.
    package var author: String

    package init(name: String, fingerprint: [String], author: String) {
      (self.name, self.fingerprint, self.author) = (name, fingerprint, author)
    }
  }

  /// Files that lie about.
  package struct Pile: Hashable, Sendable {
    package var files: Int
    package var bytes: Int

    package init(files: Int, bytes: Int) { (self.files, self.bytes) = (files, bytes) }
  }

  package enum LockState: Hashable, Sendable {
    case free
    /// By the process with this number, as far as it is told.
    case held(by: String?)
    case unknown
  }

  package enum ContactsState: Hashable, Sendable {
    case known(Int)
    /// The file does not read as it should, and is left as it is.
    case damaged(Path, ContactsFault)
  }

  package enum KeyState: Hashable, Sendable {
    case usable
    /// Nothing was written here yet.
    case none
    case missing(Path)
    case unreadable(Path)
    /// It is the key of another log.
    case other(Path)
  }

  package enum ViewState: Hashable, Sendable {
    case current
    case behind
    /// There is no file yet, or none is kept.
    case none
    case damaged
  }

  package enum PlaceState: Hashable, Sendable {
    case local
    /// On a file system that other machines may use too.
    case remote
    /// In a folder that a program copies to other machines.
    case copied(Path, by: String)
  }

  /// With less, the next writes may fail.
  private static let scarceBytes = 64 << 20
  private static let shortBytes = 1 << 30

  /// Whether a problem of it would be one of what the book holds.
  var isAboutData: Bool {
    switch self {
    case .chain, .holes, .trust, .bodies, .poison, .view, .contacts, .key, .standing: true
    default: false
    }
  }

  package var verdict: Diagnosis.Verdict {
    switch self {
    case .chain(let faults, _, _): faults == 0 ? .ok : .problem
    case .holes(let events): events == 0 ? .ok : .problem
    case .trust(let remembered): remembered == 0 ? .ok : .problem
    case .bodies(let count): count == 0 ? .ok : .note
    case .forks(let devices), .future(let devices), .past(let devices),
      .peers(let devices):
      devices.allSatisfy { $0.count == 0 } ? .ok : .note
    case .misdated(let count), .stranded(let count): count == 0 ? .ok : .note
    case .poison(let isThere): isThere ? .problem : .ok
    case .clock(_, let isSane): isSane ? .ok : .problem
    case .lock(let state): state == .free ? .ok : .note
    case .room(let free):
      switch free ?? .max {
      case ..<Self.scarceBytes: .problem
      case ..<Self.shortBytes: .note
      default: .ok
      }
    case .writing(let fault): fault == nil ? .ok : .problem
    case .view(let state): state == .damaged ? .problem : state == .behind ? .note : .ok
    case .contacts(let state): if case .damaged = state { .problem } else { .ok }
    case .key(let state): state == .usable || state == .none ? .ok : .problem
    case .permissions(let paths): paths.isEmpty ? .ok : .problem
    case .place(let state): state == .local ? .ok : state == .remote ? .note : .problem
    case .leftovers(let pile), .quarantine(let pile): pile.files == 0 ? .ok : .note
    case .incarnations, .readers: .ok
    case .leftBehind(let devices): devices.isEmpty ? .ok : .problem
    case .quotas(let devices): devices.isEmpty ? .ok : .note
    case .waiting(let devices): devices.isEmpty ? .ok : .note
    case .held(let held): held.isEmpty ? .ok : .problem
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
