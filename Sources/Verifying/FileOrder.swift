/// Determines from the names of a strand's files which ones count.
struct FileOrder {
  private(set) var counting: [ListedFile] = []
  private(set) var replaced: [ListedFile] = []
  private(set) var overlapping: Set<String> = []

  init(_ files: [ListedFile]) {
    let sorted = files.sorted { ($0.first, $1.last ?? 0) < ($1.first, $0.last ?? 0) }
    var end: UInt64 = 0
    for file in sorted {
      // A tail that begins within a sealed file was sealed but not removed.
      if (file.last ?? file.first) <= end {
        replaced.append(file)
      } else {
        if file.first <= end { overlapping.insert(file.name) }
        counting.append(file)
        end = max(end, file.last ?? end)
      }
    }
  }
}
