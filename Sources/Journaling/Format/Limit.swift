/// The limits of journals, checked before anything is allocated or written.
package enum Limit {
  /// A frame as it lies in a file or is sent.
  package static let frameBytes = 1 << 20
  /// A frame that gives salts: stripping may make one larger than frames are written.
  ///
  /// One of ``frameEvents`` has room even where all but headers of ``commandBytes`` is stripped and nothing can be
  /// compressed: 81 bytes and a null take the place of each body, and table, head and the rest come to 71,238 bytes.
  /// So it has within ``contentBytes``, too.
  package static let saltedFrameBytes = 2 << 20
  /// A frame's content.
  package static let contentBytes = 4 << 20
  package static let commandEvents = 16_384
  /// The headers and bodies of one command.
  ///
  /// With a salt for each of its events and a full table it still fits into one frame, even where
  /// nothing can be compressed.
  package static let commandBytes = 640 << 10
  /// The map that ends a frame, with all that a newer version adds.
  package static let headBytes = 1_024
  /// What stands in place of a body, with all that a newer version adds.
  package static let strippedBytes = 1_024
  /// Logs that one log may have seen.
  package static let tableEntries = 4_096
  /// Logs that one event may say it has seen.
  package static let seenEntries = 1_024
  /// No log gets as far; it keeps sums of sequences from overflowing.
  package static let lastSequence: UInt64 = 1 << 62

  /// Events that commands are joined up to.
  package static let frameEvents = 16_384
  /// Content that a frame is filled up to when there is enough.
  package static let contentTarget = 256 << 10
  /// A tail that has reached this is sealed, and a batch of this size is sealed at once.
  package static let tailBytes = 64 << 10
  /// What a file is filled up to.
  package static let segmentBytes = 16 << 20
  /// The largest file that is read.
  package static let fileBytes = 64 << 20

  /// Logs of devices nobody has admitted.
  package static let asideLogs = 64
  package static let asideLogBytes = 16 << 20

  /// The branches of one replica's log that are kept, those with folders of their own and the first.
  package static let strands = 64

  /// Holes that one log may have before nothing is taken any more that lies behind another.
  package static let holes = 1_000

  /// Events that share a seed.
  package static let blockEvents: UInt64 = 64
}
