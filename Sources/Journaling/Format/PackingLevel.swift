/// The compression level of frames, as in zlib.
package enum PackingLevel: Int {
  /// The level for frames of a tail.
  case quick = 6
  /// The level for many events that are written at once while the user waits.
  case bulk = 7
  /// The level for sealed files.
  case sealed = 9
}
