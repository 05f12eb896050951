/// Determines which of a strand's files have been replaced by other files.
struct FileOrder {
  private(set) var counting: [ListedFile] = []
  private(set) var replaced: [ListedFile] = []
  private(set) var overlapping: Set<String> = []

  /// Orders the files by their names.
  ///
  /// - Parameters:
  ///   - files: The files of the strand.
  ///   - lastEvent: Returns the last event of a tail; nil if the tail has no frame of the strand.
  /// - Throws: The error of `lastEvent`.
  init<Failure: Error>(
    _ files: [ListedFile], lastEvent: (ListedFile) throws(Failure) -> UInt64?
  ) throws(Failure) {
    let sorted = files.sorted { ($0.first, $1.last ?? 0) < ($1.first, $0.last ?? 0) }
    var end: UInt64 = 0
    for file in sorted {
      var isReplaced = (file.last ?? file.first) <= end
      // If a tail begins within a sealed file, the tail was sealed but not removed, unless it has later events.
      if isReplaced, file.last == nil { isReplaced = try lastEvent(file) ?? 0 <= end }
      if isReplaced {
        replaced.append(file)
      } else {
        if file.first <= end { overlapping.insert(file.name) }
        counting.append(file)
        end = max(end, file.last ?? end)
      }
    }
  }
}
