/// The limits and target sizes of journals; sizes are in bytes.
package enum Limit {
  /// The size limit of a packed frame that contains no salts.
  package static let frameBytes = 1 << 20
  /// The size limit of a packed frame that contains salts.
  ///
  /// Stripping may have made such a frame larger. The limit leaves space for ``frameEvents`` events even if their
  /// headers fill ``commandBytes``, every body is stripped and nothing can be compressed: 81 bytes and a null replace
  /// each body, and the table, the head and the rest take 71,238 bytes. Even in this case, the content is smaller than
  /// ``contentBytes``.
  package static let saltedFrameBytes = 2 << 20
  /// The size limit of a frame's content.
  package static let contentBytes = 4 << 20
  package static let commandEvents = 16_384
  /// The size limit of the headers and bodies of one command.
  ///
  /// With a salt for each event and a full table, such a command still fits into one frame, even if nothing can be
  /// compressed.
  package static let commandBytes = 640 << 10
  /// The size limit of an encoded head, with any keys that a newer version added.
  package static let headBytes = 1_024
  /// The size limit of a stripped body, with any keys that a newer version added.
  package static let strippedBytes = 1_024
  /// The maximum number of logs in the table of one log.
  package static let tableEntries = 4_096
  /// The maximum number of logs that the header of one event may name as seen.
  package static let seenEntries = 1_024
  /// An upper bound for sequences, which no event reaches.
  ///
  /// Sums of sequences below this bound cannot overflow.
  package static let lastSequence: UInt64 = 1 << 62

  /// Commands are combined into one frame up to this number of events.
  package static let frameEvents = 16_384
  /// Commands are combined into one frame until their headers and bodies reach this size.
  package static let contentTarget = 256 << 10
  /// The size at which a tail is sealed.
  ///
  /// A batch of this size is written directly as a sealed file.
  package static let tailBytes = 64 << 10
  /// The target size of segment files.
  package static let segmentBytes = 16 << 20
  /// The size of the largest file that is read.
  package static let fileBytes = 64 << 20

  /// The maximum number of logs from devices that no member has admitted.
  package static let asideLogs = 64
  package static let asideLogBytes = 16 << 20

  /// The maximum number of strands to keep of one replica, including the first strand.
  package static let strands = 64

  /// The maximum number of holes in one log; once it is reached, frames after another gap are refused.
  package static let holes = 1_000

  /// The number of events in a block.
  ///
  /// The events of a block share a seed.
  package static let blockEvents: UInt64 = 64
}
