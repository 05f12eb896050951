import Bytes
import Platform

/// Flushes data that an earlier process wrote but may not have flushed.
struct Flusher {
  let store: SegmentStore
  let index: LogIndex

  /// Makes the tails of all logs and the names of their files durable.
  func settle() throws(JournalError) {
    for log in index.states.keys.sorted() {
      guard let state = index.states[log] else { continue }
      if let tail = state.tail { try settle(tail, in: store.folder(log, state), of: log) }
    }
    try settleNames(of: Array(index.states.keys))
  }

  /// Makes durable the logs that commands name as seen.
  ///
  /// An earlier process may have received those events and ended before they were flushed. If those events were lost
  /// later, events that depend on them would remain.
  func settleSeen(
    by commands: [Command], in log: UniqueID
  ) throws(JournalError) {
    var table = index.states[log]?.end.table ?? []
    for command in commands {
      for entry in command.events.lazy.flatMap(\.seen) {
        let other: UniqueID
        switch entry.log {
        case .introduced(let id):
          other = id
          table.append(id)
        case .index(let place):
          guard place < UInt64(table.count) else { continue }
          other = table[Int(place)]
        }
        let strand = index.strand(of: other)
        guard let state = index.states[strand] else { continue }
        if let tail = state.tail { try settle(tail, in: store.folder(strand, state), of: strand) }
        try settleNames(of: [strand])
      }
    }
  }

  /// Flushes the folders of logs and all folders above them, up to the root of the book.
  func settleNames(of logs: [UniqueID]) throws(JournalError) {
    let unnamed = logs.filter { index.states[$0]?.isNamed == false }
    guard !unnamed.isEmpty else { return }
    // The set ensures that each folder is flushed only once.
    var folders: Set<Path> = [store.root]
    for log in unnamed {
      guard let state = index.states[log] else { continue }
      var path = store.folder(log, state).path
      while path != store.root {
        folders.insert(path)
        path = path.parent
      }
    }
    try store.writing { () throws(DiskError) in
      // Flush from the deepest folder up.
      for path in folders.sorted().reversed() { try store.disk.flushDirectory(path) }
    }
    for log in unnamed { index.states[log]?.isNamed = true }
  }

  /// Writes the bytes of the given tail again and flushes them.
  ///
  /// The values of the bytes do not change, so a crash during the write cannot damage durable data.
  private func settle(
    _ tail: Tail, in folder: LogFolder, of log: UniqueID
  ) throws(JournalError) {
    guard !tail.isSettled, tail.length > 0 else { return }
    try settle(folder.path(of: .tail(tail.first)), upTo: tail.length)
    index.states[log]?.tail?.isSettled = true
  }

  /// Writes the first bytes of a file again and flushes them.
  func settle(_ path: Path, upTo length: Int) throws(JournalError) {
    try store.writing { () throws(DiskError) in
      let file = try OpenFile(path, .write, on: store.disk)
      try file.write(try file.read(at: 0, count: length), at: 0)
      try file.flush()
    }
  }
}
