package import Bytes

/// One thing that is wrong with the files of a log, and where.
package struct Fault: Hashable, Sendable {
  /// The file, from the book's folder on, as in `logs/<replica>/000000000001.gz`.
  package var file: String
  /// Where in the file the damage, or else the frame that holds the fault, begins.
  package var offset: Int
  /// The event that is at fault, where it is one.
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
    /// The name is not one that a log or a segment file has.
    case strangeName
    /// The file is larger than any that is written.
    case tooLarge
    /// The file holds some events of the one before it and some of its own.
    case overlap
    /// A frame holds other events than those that its file is named after; told once of a file.
    case misnamed
    /// The file holds events that differ from those of the file that took its place.
    case disagreement(sequence: UInt64)

    /// The list of the events that are known to be missing cannot be read.
    case knownHoles
    /// What is remembered of who may write cannot be read.
    case rememberedTrust
    /// No log begins the book, so nothing that others write counts.
    case noFounder

    // Strands.
    /// The folder is not called after the branch that is in it.
    case branch
    /// No other file holds the event that the strand goes on from.
    case unrooted
    /// The strand begins within a command.
    case midCommand
    /// The strand begins with a command that stands in another one too.
    case unforked

    // Bytes.
    /// So many bytes are no whole frame.
    case damage(count: Int)
    /// So many bytes are a whole frame of another replica's log.
    case foreign(count: Int)
    /// So many zeros lie where a frame could be, before another.
    case hole(count: Int)
    /// So many bytes at the end of a tail are no whole frame; the next writer cuts them off.
    case tornTail(count: Int)
    /// So many bytes begin with a frame of a newer version, which is read past; nothing is written to the book.
    case newer(version: UInt8, count: Int)
    /// These events are not there.
    case missing(ClosedRange<UInt64>)
    /// These events are not there, as is known.
    case knownHole(ClosedRange<UInt64>)
    /// The log ends at one event, or has none, though it is known to have gone on to another.
    case shortened(held: UInt64, known: UInt64)
    /// Another event is there than the one with this sequence that is known to have been.
    case replaced(UInt64)
    /// These events were there before.
    case repeated(ClosedRange<UInt64>)

    // Frames.
    /// The content is not what a frame holds; `at` counts from the content's start.
    case encoding(CBORError)
    /// The frame's information does not continue the log.
    case unjoined(Joint)
    /// The frame's information says what should go without saying, or lacks what it must say.
    case information
    /// A seed, or salts where a seed may not be, or the other way round.
    case salts
    /// The seed or salts of a block differ from those that the frame before gives.
    case seedDiffers
    /// The frame should end in a head and does not.
    case headMissing
    /// The signature is not one of this log's key for this place in the log.
    case head

    // Events.
    /// The header says what should go without saying, or cannot be.
    case header
    /// A number grows beyond all bounds.
    case overflow
    /// A `seen`, link or reference names what the log does not know at this point.
    case reference
    /// A command is cut, holds another, or is too large.
    case command
    /// The body is of none of the shapes a body has.
    case body
    /// The log does not begin with an `open`, or has another.
    case opening
    /// The log's id is not made of the key and incarnation it opens with.
    case replica
  }

  /// What of a log's state a frame repeats.
  package enum Joint: Hashable, Sendable, CaseIterable {
    case time
    case when
    case chain
    case table
  }
}
