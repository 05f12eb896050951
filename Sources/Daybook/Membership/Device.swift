package import Bytes

package import Journaling

/// A log of the book and the device that writes it, or an admitted device without a log here.
package struct Device: Sendable {
  package enum Standing: Sendable {
    case founder
    case admitted
    /// No member has admitted the device yet.
    case waiting
    case revoked
  }

  /// One of several logs or branches of a device.
  package enum Part: Hashable, Sendable {
    /// A branch of the device's log, numbered from 1.
    case branch(Int)
    /// One of several logs under the same key, for example after a copy of the book was restored.
    case log
  }

  /// The admission of a device.
  package struct Admission: Hashable, Sendable {
    /// The name of the admitting device.
    package var author: String
    /// The key of the admitting device.
    package var authorKey: [UInt8]
    /// The time of the admission, by the admitting device's clock; nil if the event is lost.
    package var time: Int64?
    package var route: AdmissionRoute?
  }

  /// The revoked device on which a waiting device depends.
  package struct Sponsor: Hashable, Sendable {
    /// The name of the revoked device in lists.
    package var name: String
    /// The words of the revoked device's key.
    package var fingerprint: [String]
    package var link: KeySponsor.Link

    package init(name: String, fingerprint: [String], link: KeySponsor.Link) {
      (self.name, self.fingerprint, self.link) = (name, fingerprint, link)
    }
  }

  /// The event by which another device gave a device its present name.
  package struct Renaming: Hashable, Sendable {
    /// The name of the device that wrote the event, and the words of its key.
    package var author: String
    package var authorFingerprint: [String]
    /// The time of the event, by the clock of its author; nil if the event is lost.
    package var time: Int64?
    /// The last name that another author had given the device.
    package var formerName: String
  }

  /// Another device that previously had the present name of a device.
  package struct FormerHolder: Hashable, Sendable {
    /// The other device's present name, and the words of its key.
    package var name: String
    package var fingerprint: [String]
    /// The time at which the other device got its next name; nil if the event is lost.
    package var until: Int64?
  }

  /// The revocation of a device.
  package struct Removal: Hashable, Sendable {
    /// The name of the device that wrote the revocation.
    package var author: String
    /// The time of the revocation, by the clock of that device; nil if the event is lost.
    package var time: Int64?
  }

  /// The log of the device.
  ///
  /// For a device without a log, this is the id of a log of its key with incarnation zero.
  package var replica: UniqueID
  package var name: String
  /// The words of the device's key.
  package var fingerprint: [String]
  package var key: [UInt8]
  /// The number of the log's events, not counting missing ones.
  package var events: UInt64
  /// The number of the device's events that have no effect, because its key was revoked.
  package var cut: UInt64
  /// The sequence of the last held event of the log; 0 if there is none.
  package var last: UInt64 = 0
  /// Whether a log of the device is held.
  ///
  /// An admitted device that has never written has no log.
  package var hasLog: Bool
  /// The admission of the device; nil for the founder, and for a device awaiting admission.
  package var admission: Admission?
  /// The revoked device that let this device in; nil if the device is not waiting, or no revoked device did.
  package var sponsor: Sponsor?
  /// The first admission by a device that is not revoked, if the device in `admission` is revoked.
  package var keeping: Admission?
  /// The revocation of the device; nil if it is not revoked.
  package var removal: Removal?
  /// The time of the device's last event, by its own clock; nil if the device has written nothing.
  package var lastWritten: Int64?
  /// The time at which the device's events last arrived here, by the clock of this machine; nil if unknown.
  package var lastHeard: Int64?
  /// The offset of the device's clock from this machine's clock in milliseconds, as far as the times of its events
  /// show; negative if the device's clock is behind.
  ///
  /// If the time of an event is later than its arrival, the clock is at least that far ahead, or further if the event
  /// was written some time earlier. If the time is earlier than the arrival, the offset is unknown and nil, unless the
  /// clock is certainly far behind.
  package var clockOffset: Int64?
  /// Whether the clock of the device is implausible.
  ///
  /// Events whose authors had seen the device's events take precedence over them, and other devices do not adopt its
  /// times.
  package var isClockSuspect = false
  package var standing: Standing
  package var isThis: Bool
  /// Whether the device has since replaced this key.
  package var isFormerKey: Bool
  /// The log or branch that this value describes; nil for the whole device.
  package var part: Part?
  /// Whether another device has the same name.
  package var hasNamesake = false
  /// Whether the device previously had another name.
  package var wasRenamed = false
  /// The event by which another device gave the device its present name; nil if the device itself or this device gave
  /// the name, or if the device never had another name.
  package var renaming: Renaming?
  /// The other devices that previously had the device's present name; empty if this device gave the name.
  package var formerHolders: [FormerHolder] = []

  /// The names of devices whose logs have forked, except those whose keys are revoked.
  package static func forked(_ devices: [Device]) -> [String] {
    let keys = Set(devices.filter { $0.branch != nil && $0.standing != .revoked }.map(\.key))
    let names = devices.filter { $0.branch == nil && keys.contains($0.key) }.map(\.name)
    return Set(names).sorted()
  }
}

extension Device {
  /// The number of the branch, counted from 1; nil for a log itself.
  package var branch: Int? { if case .branch(let number) = part { number } else { nil } }

  /// The whole device, even if this value describes one of its logs or branches.
  package var withoutPart: Device {
    var device = self
    device.part = nil
    return device
  }

  /// The logs and branches of the device, or only the one that this value describes.
  func logs(among devices: [Device]) -> [Device] {
    devices.filter { part == nil ? $0.key == key : $0.replica == replica }
  }

  /// The name of the device in lists.
  package var listedName: String {
    let plain = hasNamesake ? "\(name) (\(fingerprint[0]))" : name
    let whole = branch.map { "\(plain), branch \($0)" } ?? plain
    return Self.listedName(whole, isFormerKey: isFormerKey)
  }

  /// The name that distinguishes this log from the other logs of the device.
  package var logName: String {
    part == .log ? "\(listedName), log \(replica.hex.prefix(8))" : listedName
  }

  /// A device name, marked if the key has been replaced.
  static func listedName(_ name: String, isFormerKey: Bool) -> String {
    isFormerKey ? "\(name) (old key)" : name
  }

  /// The words that identify the device: its names, its id, and the first words of its fingerprint.
  private var calls: [String] {
    let keys = fingerprint.indices.map { fingerprint[...$0].joined(separator: "-") }
    return [listedName, logName, replica.hex] + (hasNamesake ? [name] : []) + keys
  }

  /// Whether the given words identify the device by its name, its id, or the first words of its fingerprint.
  package func isCalled(_ words: String) -> Bool { calls.contains(words) }

  /// Whether the given words identify the device if their case is ignored.
  fileprivate func isCalled(ignoringCaseOf words: String) -> Bool {
    let lowered = words.lowercased()
    return calls.contains { $0.lowercased() == lowered }
  }

  /// Whether the given words are the name of the device, ignoring case, and not its id or the words of its key.
  package func isNamed(_ words: String) -> Bool {
    let lowered = words.lowercased()
    return [listedName, logName, name].contains { $0.lowercased() == lowered }
  }

  /// Whether the given words identify this log by its id, or by its name among the device's logs, ignoring case.
  func isLogCalled(_ words: String) -> Bool {
    let lowered = words.lowercased()
    return replica.hex == lowered || logName.lowercased() == lowered
  }
}

extension [Device] {
  /// The devices, logs and branches that the given words identify; case is ignored if they identify none otherwise.
  package func called(_ words: String) -> [Device] {
    let found = filter { $0.isCalled(words) }
    return found.isEmpty ? filter { $0.isCalled(ignoringCaseOf: words) } : found
  }

  /// The names in lists of devices, by replica.
  package var names: [UniqueID: String] {
    Dictionary(map { ($0.replica, $0.listedName) }) { first, _ in first }
  }

  /// The names that distinguish the logs of one device, by replica.
  var logNames: [UniqueID: String] {
    Dictionary(map { ($0.replica, $0.logName) }) { first, _ in first }
  }
}

extension Device {
  /// The maximum size of a device name in bytes.
  package static let nameBytes = 100
}
