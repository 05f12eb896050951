/// The compression level of frames, as in zlib.
package enum PackingLevel: Int {
  /// For frames of a tail.
  case quick = 6
  /// For many events that are written at once while the user waits.
  case bulk = 7
  /// For sealed files.
  case sealed = 9
}
