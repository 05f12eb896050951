package import Bytes

package import Journaling

/// A log of the book and the device that writes it, or a device that was let in and has no log here yet.
package struct Device: Sendable {
  package enum Standing: Sendable {
    case founder
    case admitted
    /// Nobody has admitted it yet.
    case waiting
    case revoked
  }

  /// How a device came to take part.
  package struct Admission: Hashable, Sendable {
    /// What the device is called that let it in.
    package var author: String
    /// The key of that device.
    package var authorKey: [UInt8]
    /// When that was, by the clock of that device; nil where the event is lost.
    package var time: Int64?
    package var route: AdmissionRoute?
  }

  /// Its log; without one, the id that a log of its key with no incarnation would have.
  package var replica: UniqueID
  package var name: String
  /// Words that stand for its key.
  package var fingerprint: [String]
  package var key: [UInt8]
  package var events: UInt64
  /// How many of the events do not count, since its key was revoked.
  package var cut: UInt64
  /// Whether a log of it is held; one that was let in may read and never write.
  package var hasLog: Bool
  /// Who let it in; nil for the founder, and for one that waits.
  package var admission: Admission?
  /// When it wrote last, by its own clock; nil if it has written nothing.
  package var lastWritten: Int64?
  /// When something it wrote last came here, by the clock of this machine; nil if that is not known.
  package var lastHeard: Int64?
  /// How far its clock is ahead of this one in milliseconds, or behind if less than 0, as far as its stamps tell.
  ///
  /// What was written some time before it came says no more than that the clock is at least so far ahead; what
  /// came later than it was written says nothing, and is nil.
  package var clockOffset: Int64?
  /// Whether its clock cannot be believed: what it writes gives way to whatever has seen it, and its times to nobody.
  package var isClockSuspect = false
  package var standing: Standing
  package var isThis: Bool
  /// Whether the device has taken another key since.
  package var isFormerKey: Bool
  /// Which of the branches of the device's log this is, counted from 1; nil for the log itself.
  package var branch: Int?
  /// Whether another device is called the same, as where two were given a name at once.
  package var hasNamesake = false

  /// The names of the devices among some whose logs have branches, until their keys are revoked.
  package static func forked(_ devices: [Device]) -> [String] {
    let keys = Set(devices.filter { $0.branch != nil && $0.standing != .revoked }.map(\.key))
    let names = devices.filter { $0.branch == nil && keys.contains($0.key) }.map(\.name)
    return Set(names).sorted()
  }
}

extension Device {
  /// What it is called where devices are listed.
  package var listedName: String {
    let plain = hasNamesake ? "\(name) (\(fingerprint[0]))" : name
    let whole = branch.map { "\(plain), branch \($0)" } ?? plain
    return Self.listedName(whole, isFormerKey: isFormerKey)
  }

  /// A device name, marked if the key has been replaced.
  static func listedName(_ name: String, isFormerKey: Bool) -> String {
    isFormerKey ? "\(name) (old key)" : name
  }

  /// Whether words mean it: its name, its id, or the first words of its fingerprint.
  func isCalled(_ words: String) -> Bool {
    listedName == words || replica.hex == words || (hasNamesake && name == words)
      || fingerprint.indices.contains { last in
        fingerprint[...last].joined(separator: "-") == words
      }
  }
}

extension [Device] {
  /// What they are called where devices are listed, by their replicas.
  package var names: [UniqueID: String] {
    Dictionary(map { ($0.replica, $0.listedName) }) { first, _ in first }
  }
}

extension Device {
  /// The longest name a device can be given, in bytes.
  package static let nameBytes = 100
}
