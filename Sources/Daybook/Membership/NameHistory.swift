import Bytes
import Crypto
import Journaling

/// The names that the devices of a book have had, and the devices that gave them.
///
/// Any admitted device may rename any other. A thief can therefore exchange the names of two devices, so that a command
/// that names one of them reaches the other.
struct NameHistory {
  private struct Naming {
    var name: String
    /// The key that gave the name; nil if it is unknown.
    var author: PublicKey?
    var time: Int64?
  }

  /// A key that once had a name and now has another one, with its line of keys.
  private struct Former {
    var line: ClosedRange<Int>?
    var holder: Device.FormerHolder
  }

  /// The maximum number of former holders of a name that are listed.
  private static let holderLimit = 16

  private let trust: Trust
  private let lines: KeyLines
  /// The names of each key, the present one last.
  private var namings: [PublicKey: [Naming]] = [:]
  /// The keys that have had each name, in lower case.
  private var holders: [String: Set<PublicKey>] = [:]

  init(_ trust: Trust, by ledger: Ledger) {
    (self.trust, lines) = (trust, KeyLines(trust))
    if let founder = trust.founder, let key = trust.keys[founder] {
      for event in ledger.trustEvents where event.log == founder && event.sequence == 1 {
        guard case .open(let opening) = event.verb else { continue }
        namings[key] = [
          Naming(name: opening.name, author: key, time: ledger.trustTimes[event.place])
        ]
        break
      }
    }
    // The greatest admission determines the name that is shown.
    let ordered = trust.admissions.sorted {
      ($0.naming, $0.sequence, $0.log) < ($1.naming, $1.sequence, $1.log)
    }
    for admission in ordered {
      namings[admission.key, default: []].append(
        Naming(
          name: admission.name, author: trust.keys[admission.log],
          time: ledger.trustTimes[admission.place]))
    }
    for (key, names) in namings {
      for naming in names { holders[naming.name.lowercased(), default: []].insert(key) }
    }
  }

  /// The renaming that gave a key its present name, if a device other than the given ones and the renamed one wrote it.
  ///
  /// The former name is the latest one from another author, because one author can give several names in a row.
  private func renaming(of key: PublicKey, besides own: Set<PublicKey>) -> Device.Renaming? {
    guard let names = namings[key], let last = names.last, let author = last.author,
      author != key, !own.contains(author)
    else { return nil }
    let earlier =
      names.last { $0.author.map { !lines.isKey($0, of: author) } ?? true }
      ?? names.last { $0.name != last.name }
    guard let earlier, earlier.name != last.name else { return nil }
    return Device.Renaming(
      author: trust.listedName(of: author), authorFingerprint: author.fingerprint,
      time: last.time, formerName: earlier.name)
  }

  /// The devices that once had a name, ignoring case, and now have another, except revoked devices, sorted by name.
  ///
  /// At most 16 devices are listed.
  func formerHolders(of name: String) -> [Device.FormerHolder] {
    former(of: name).prefix(Self.holderLimit).map(\.holder)
  }

  private func former(of name: String) -> [Former] {
    let lowered = name.lowercased()
    let keys = (holders[lowered] ?? []).subtracting(trust.revokedKeys)
      .filter { namings[$0]?.last?.name.lowercased() != lowered }
    let former = keys.map { key in
      let names = namings[key] ?? []
      let next = (names.lastIndex { $0.name.lowercased() == lowered } ?? -1) + 1
      return Former(
        line: lines.line(of: key),
        holder: Device.FormerHolder(
          name: trust.listedName(of: key), fingerprint: key.fingerprint,
          until: names.indices.contains(next) ? names[next].time : nil))
    }
    return former.sorted {
      ($0.holder.name, $0.holder.fingerprint.joined())
        < ($1.holder.name, $1.holder.fingerprint.joined())
    }
  }

  /// Records for each device who renamed it, and which other devices previously had its name.
  ///
  /// - Parameters:
  ///   - devices: The devices of the book.
  ///   - own: The key of this device; the names that it gave are known to its user.
  func tellNames(of devices: inout [Device], seenBy own: PublicKey?) {
    let keys = Dictionary(namings.keys.map { ($0.bytes, $0) }) { first, _ in first }
    let ownKeys = own.map { RevocationScope.withPredecessors(of: $0, in: trust) } ?? []
    // Many devices may have had the same name.
    var known: [String: [Former]] = [:]
    for index in devices.indices {
      guard let key = keys[devices[index].key] else { continue }
      devices[index].wasRenamed = Set((namings[key] ?? []).map(\.name)).count > 1
      devices[index].renaming = renaming(of: key, besides: ownKeys)
      guard let last = namings[key]?.last, let author = last.author, !ownKeys.contains(author)
      else { continue }
      let former = known[last.name] ?? former(of: last.name)
      known[last.name] = former
      let line = lines.line(of: key)
      let others = former.lazy.filter { other in
        // The earlier and later keys of a device may have its name.
        !(line.flatMap { other.line?.overlaps($0) } ?? false)
      }.prefix(Self.holderLimit)
      devices[index].formerHolders = Array(others.map(\.holder))
    }
  }
}
