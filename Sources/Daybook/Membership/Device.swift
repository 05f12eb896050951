package import Bytes

package import Journaling

/// A log of the book and the device that writes it, or an admitted device without a log here.
package struct Device: Sendable {
  package enum Standing: Sendable {
    case founder
    case admitted
    /// No member has admitted it yet.
    case waiting
    case revoked
  }

  /// A part of what a device writes.
  package enum Part: Hashable, Sendable {
    /// A branch of its log, by its number, from 1.
    case branch(Int)
    /// One of several logs under the same key, as after a copy of its book was restored.
    case log
  }

  /// The admission of a device.
  package struct Admission: Hashable, Sendable {
    /// The name of the device that admitted it.
    package var author: String
    /// The key of that device.
    package var authorKey: [UInt8]
    /// The time, by the clock of that device; nil if the event is lost.
    package var time: Int64?
    package var route: AdmissionRoute?
  }

  /// Its log.
  ///
  /// For a device without one: the id of a log of its key with incarnation zero.
  package var replica: UniqueID
  package var name: String
  /// The words of its key.
  package var fingerprint: [String]
  package var key: [UInt8]
  package var events: UInt64
  /// The number of its events that do not count, because its key was revoked.
  package var cut: UInt64
  /// Whether a log of it is held.
  ///
  /// An admitted device that has never written has none.
  package var hasLog: Bool
  /// Its admission; nil for the founder, and for a device that waits.
  package var admission: Admission?
  /// When it last wrote, by its own clock; nil if it has written nothing.
  package var lastWritten: Int64?
  /// When its events last arrived here, by the clock of this machine; nil if that is not known.
  package var lastHeard: Int64?
  /// How far its clock is ahead of this one in milliseconds, negative if behind, as far as stamps show.
  ///
  /// A stamp later than its arrival shows that the clock is at least that far ahead; it may be further ahead if the
  /// event was written some time before. A stamp earlier than its arrival shows nothing: this is then nil, unless the
  /// clock is certainly far behind.
  package var clockOffset: Int64?
  /// Whether its clock is implausible.
  ///
  /// Its events lose against every event that has seen them, and other devices do not adopt its times.
  package var isClockSuspect = false
  package var standing: Standing
  package var isThis: Bool
  /// Whether the device has changed its key since.
  package var isFormerKey: Bool
  /// Which part of what the device writes this is; nil if it is all.
  package var part: Part?
  /// Whether another device has the same name.
  package var hasNamesake = false

  /// The names of devices whose logs have forked, except those whose keys are revoked.
  package static func forked(_ devices: [Device]) -> [String] {
    let keys = Set(devices.filter { $0.branch != nil && $0.standing != .revoked }.map(\.key))
    let names = devices.filter { $0.branch == nil && keys.contains($0.key) }.map(\.name)
    return Set(names).sorted()
  }
}

extension Device {
  /// The number of the branch, from 1; nil for a log itself.
  package var branch: Int? { if case .branch(let number) = part { number } else { nil } }

  /// The device itself where it was named by a part of what it writes.
  package var withoutPart: Device {
    var device = self
    device.part = nil
    return device
  }

  /// Its name in lists of devices.
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

  /// Whether words name it: its name, its id, or the first words of its fingerprint.
  func isCalled(_ words: String) -> Bool {
    listedName == words || isLogCalled(words) || (hasNamesake && name == words)
      || fingerprint.indices.contains { last in
        fingerprint[...last].joined(separator: "-") == words
      }
  }

  /// Whether words name its log: its id, or its name among the logs of the device.
  func isLogCalled(_ words: String) -> Bool { replica.hex == words || logName == words }
}

extension [Device] {
  /// The names in lists of devices, by replica.
  package var names: [UniqueID: String] {
    Dictionary(map { ($0.replica, $0.listedName) }) { first, _ in first }
  }

  /// The names that tell the logs of one device apart, by replica.
  var logNames: [UniqueID: String] {
    Dictionary(map { ($0.replica, $0.logName) }) { first, _ in first }
  }
}

extension Device {
  /// The longest name of a device, in bytes.
  package static let nameBytes = 100
}
