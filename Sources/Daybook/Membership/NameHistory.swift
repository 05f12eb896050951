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

  private let trust: Trust
  /// The names of each key, the present one last.
  private var namings: [PublicKey: [Naming]] = [:]
  private var holders: [String: Set<PublicKey>] = [:]

  init(_ trust: Trust, by ledger: Ledger) {
    self.trust = trust
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
      for naming in names { holders[naming.name, default: []].insert(key) }
    }
  }

  /// The renaming that gave a key its present name, if a device other than the given ones and the renamed one wrote it.
  ///
  /// The former name is the latest one from another author, because one author can give several names in a row.
  private func renaming(of key: PublicKey, besides own: Set<PublicKey>) -> Device.Renaming? {
    guard let names = namings[key], let last = names.last, let author = last.author,
      author != key, !own.contains(author)
    else { return nil }
    let authors = RevocationScope.withPredecessors(of: author, in: trust)
    let earlier =
      names.last { $0.author.map { !authors.contains($0) } ?? true }
      ?? names.last { $0.name != last.name }
    guard let earlier, earlier.name != last.name else { return nil }
    return Device.Renaming(
      author: trust.listedName(of: author), authorFingerprint: author.fingerprint,
      time: last.time, formerName: earlier.name)
  }

  /// The keys that have had a name and have another one now, except revoked keys and the given ones, by their names.
  func formerHolders(
    of name: String, besides excluded: Set<PublicKey> = []
  ) -> [Device.FormerHolder] {
    let former = (holders[name] ?? []).subtracting(excluded).subtracting(trust.revokedKeys)
      .filter { namings[$0]?.last?.name != name }
    return former.map { key in
      let names = namings[key] ?? []
      let next = (names.lastIndex { $0.name == name } ?? -1) + 1
      return Device.FormerHolder(
        name: trust.listedName(of: key), fingerprint: key.fingerprint,
        until: names.indices.contains(next) ? names[next].time : nil)
    }.sorted { ($0.name, $0.fingerprint.joined()) < ($1.name, $1.fingerprint.joined()) }
  }

  /// Tells each device who renamed it, and which other devices had its name before.
  ///
  /// - Parameters:
  ///   - devices: The devices of the book.
  ///   - own: The key of this device; the names that it gave are known to its user.
  func tellNames(of devices: inout [Device], seenBy own: PublicKey?) {
    let keys = Dictionary(namings.keys.map { ($0.bytes, $0) }) { first, _ in first }
    let ownKeys = own.map { RevocationScope.withPredecessors(of: $0, in: trust) } ?? []
    for index in devices.indices {
      guard let key = keys[devices[index].key] else { continue }
      devices[index].wasRenamed = Set((namings[key] ?? []).map(\.name)).count > 1
      devices[index].renaming = renaming(of: key, besides: ownKeys)
      guard let last = namings[key]?.last, let author = last.author, !ownKeys.contains(author)
      else { continue }
      devices[index].formerHolders = formerHolders(of: last.name, besides: lineage(of: key))
    }
  }

  /// All keys of the device with the given key.
  private func lineage(of key: PublicKey) -> Set<PublicKey> {
    let later =
      trust.successors[key] == nil
      ? []
      : namings.keys.filter {
        RevocationScope.withPredecessors(of: $0, in: trust).contains(key)
      }
    return RevocationScope.withPredecessors(of: key, in: trust).union(later)
  }
}
