package import Bytes

/// A fault in the files of a log, and its position.
package struct Fault: Hashable, Sendable {
  /// The path of the file, relative to the book's folder, such as `logs/<replica>/000000000001.gz`.
  package var file: String
  /// The offset in the file at which the damage begins or, for other faults, at which the faulty frame begins.
  package var offset: Int
  /// The sequence number of the faulty event, if the fault concerns one event.
  package var sequence: UInt64?
  package var kind: Kind

  package init(file: String, offset: Int, sequence: UInt64? = nil, kind: Kind) {
    self.file = file
    self.offset = offset
    self.sequence = sequence
    self.kind = kind
  }

  /// Whether the fault is in one of the log's own files, and not in a file of a strand that forks from the log.
  package func isInFile(of log: VerifiedLog) -> Bool {
    guard file.hasPrefix(log.folder + "/") else { return false }
    return !file.dropFirst(log.folder.count + 1).contains("/")
  }

  package enum Kind: Hashable, Sendable {
    // Faults of files.
    /// The name is not a valid name of a log or a segment file.
    case strangeName
    /// The file is larger than the limit for segment files.
    case tooLarge
    /// There is a folder in place of the file.
    case folder
    /// The file contains events that the previous file also contains, and additional events.
    case overlap
    /// A frame contains events outside the range in the file's name. The fault is reported once for each file.
    case misnamed
    /// The file contradicts the file that replaced it, or contains events that the log does not have.
    case disagreement(sequence: UInt64)

    /// The list of known missing events cannot be read.
    case knownHoles
    /// The trust events that the book remembers cannot be read.
    case rememberedTrust
    /// No log begins the book, so the events of other devices are not accepted.
    case noFounder

    // Faults of strands.
    /// The name of the folder does not match the branch in the folder.
    case branch
    /// No other strand contains the event that this strand follows.
    case unrooted
    /// The strand begins within a command.
    case midCommand
    /// The first command of the strand is also part of another strand.
    case unforked

    // Faults in the bytes of a file.
    /// `count` bytes do not form a whole frame.
    case damage(count: Int)
    /// `count` bytes are a whole frame that belongs to another replica's log.
    case foreign(count: Int)
    /// `count` zeros precede a frame.
    case hole(count: Int)
    /// `count` bytes at the end of a tail do not form a whole frame. The next writer removes them.
    case tornTail(count: Int)
    /// `count` bytes begin with a frame of a newer version. Readers skip them, and nothing is written to the book.
    case newer(version: UInt8, count: Int)
    /// These events are missing.
    case missing(ClosedRange<UInt64>)
    /// These events are missing and are in the list of known missing events.
    case knownHole(ClosedRange<UInt64>)
    /// The log ends at `held` (0 if it is empty), but is known to have reached `known`.
    case shortened(held: UInt64, known: UInt64)
    /// The event with this sequence number differs from the event that was known to have this number.
    case replaced(UInt64)
    /// These events are stored but belong to no log, because an earlier event of their branch is lost.
    case unplaced(ClosedRange<UInt64>)
    /// These events repeat earlier events of the log.
    case repeated(ClosedRange<UInt64>)
    /// A frame with these events is out of place in its file, so readers skip it.
    case misplaced(ClosedRange<UInt64>)

    // Faults of frames.
    /// The content cannot be decoded as a frame. Offsets are relative to the start of the content or, for the fields of
    /// an `open`, to the start of its body.
    case encoding(CBORError)
    /// The frame's information does not continue the log.
    case unjoined(Joint)
    /// The frame's information contains a default value, lacks the table, or has a table of the wrong length.
    case information
    /// A stripped event has a salt, or an event with a body has no salt.
    case salts
    /// The seed or salts of a block contradict those in earlier frames.
    case seedDiffers
    /// The frame must end with a head, but has none.
    case headMissing
    /// The head has no signature, or the signature does not match the log's key.
    case head

    // Faults of events.
    /// The header contains an empty or zero item that must be omitted, or an impossible value.
    case header
    /// A time exceeds its range.
    case overflow
    /// A `seen` item, link or reference names a log or event that the log cannot refer to at this point.
    case reference
    /// A command is incomplete, contains another command, or is too large.
    case command
    /// The body is neither stripped nor an array that begins with a verb.
    case body
    /// The first event is not a valid `open`, or a later event is an `open`.
    case opening
    /// The log's id does not match the key and incarnation in its `open`.
    case replica
  }

  /// The part of the log's state that a frame repeats.
  package enum Joint: Hashable, Sendable, CaseIterable {
    case time
    case when
    case chain
    case table
  }
}
