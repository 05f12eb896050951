package import Bytes

/// A fault in the files of a log, and its place.
package struct Fault: Hashable, Sendable {
  /// The path of the file, relative to the book's folder, such as `logs/<replica>/000000000001.gz`.
  package var file: String
  /// The offset in the file where the damage, or else the frame with the fault, begins.
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

  package enum Kind: Hashable, Sendable {
    // Files.
    /// The name is not the name of a log or of a segment file.
    case strangeName
    /// The file is larger than the limit for segment files.
    case tooLarge
    /// The file holds events of the file before it and further events.
    case overlap
    /// A frame holds events outside the range in the file's name; reported once for each file.
    case misnamed
    /// The file contradicts the file that replaced it, or holds events that the log does not.
    case disagreement(sequence: UInt64)

    /// The list of known missing events cannot be read.
    case knownHoles
    /// The trust events that the book remembers cannot be read.
    case rememberedTrust
    /// No log begins the book, so nothing that others write counts.
    case noFounder

    // Strands.
    /// The name of the folder does not match the branch in it.
    case branch
    /// No other strand holds the event that this strand follows.
    case unrooted
    /// The strand begins within a command.
    case midCommand
    /// The first command of the strand is also in another strand.
    case unforked

    // Bytes.
    /// `count` bytes do not form a whole frame.
    case damage(count: Int)
    /// `count` bytes are a whole frame of another replica's log.
    case foreign(count: Int)
    /// `count` zeros lie before a frame.
    case hole(count: Int)
    /// `count` bytes at the end of a tail do not form a whole frame; the next writer cuts them off.
    case tornTail(count: Int)
    /// `count` bytes begin with a frame of a newer version; readers skip them, and nothing is written to the book.
    case newer(version: UInt8, count: Int)
    /// These events are missing.
    case missing(ClosedRange<UInt64>)
    /// These events are missing, and are listed as missing.
    case knownHole(ClosedRange<UInt64>)
    /// The log ends at `held` (0 if it is empty), but is known to have reached `known`.
    case shortened(held: UInt64, known: UInt64)
    /// The event with this sequence number is not the one that is known to have been here.
    case replaced(UInt64)
    /// These events repeat earlier ones of the log.
    case repeated(ClosedRange<UInt64>)

    // Frames.
    /// The content does not decode as a frame; offsets count from the start of the content, or, in the fields of an
    /// `open`, from the start of its body.
    case encoding(CBORError)
    /// The frame's information does not continue the log.
    case unjoined(Joint)
    /// The frame's information states a default value, lacks its table, or gives a table of the wrong length.
    case information
    /// A stripped event has a salt, or an event with a body has none.
    case salts
    /// The seed or salts of a block contradict those in earlier frames.
    case seedDiffers
    /// The frame must end with a head, but has none.
    case headMissing
    /// The head has no signature, or its signature does not verify with the log's key.
    case head

    // Events.
    /// The header has an empty or zero item that must be left out, or an impossible value.
    case header
    /// A time exceeds its range.
    case overflow
    /// A `seen`, link or reference names a log or event that the log does not know at this point.
    case reference
    /// A command is cut off, contains another command, or is too large.
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
