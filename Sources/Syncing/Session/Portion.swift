/// The limits on how much this program reads, sends, stores or tidies up at once.
///
/// Other implementations can use other limits.
package enum Portion {
  /// The maximum number of bytes read from a line or file at once.
  package static let chunkBytes = 64 << 10
  /// The maximum number of bytes that one session may send in a turn.
  package static let turnBytes = 256 << 10

  /// The maximum number of places looked up on disk at once for one peer, in addition to one for each log.
  package static let looks = 256

  /// The maximum size of staged frames, which are stored before they exceed it.
  package static let stagedBytes = 4 << 20
  /// The maximum decompressed size of staged frames, which are stored before they exceed it.
  package static let stagedContentBytes = 16 << 20
  /// The maximum number of staged events, which are stored before they exceed it.
  ///
  /// If only one frame is staged, it may contain more events.
  ///
  /// The limit is necessary because events that are folded together need memory for each event.
  package static let stagedEvents: UInt64 = 8_192

  /// The maximum number of a replica's files that are kept in a directory although larger files contain the same
  /// events.
  package static let coveredFiles = 16
  /// If this many files of one replica are not part of a larger file, the next push writes all events again.
  package static let looseFiles = 64
}
