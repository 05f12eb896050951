import Bytes
import Journaling

/// Writes the events of one replica that a store lacks.
struct FolderPusher {
  let reader: ObjectReader
  /// The folder for new objects of the replica.
  let folder: ReplicaFolder
  /// The events of this device when the push began.
  let frontier: Frontier

  private var holder: any Holder { reader.holder }
  private var replica: UniqueID { folder.replica }

  /// Writes the events, and the list of events that are lost here.
  ///
  /// - Returns: The objects that the folder now contains; nil if there are too many, and nothing was written.
  func push(_ report: inout DirectoryReport) throws(SyncError) -> ObjectList? {
    guard var list = try reader.store.list(folder) else {
      report.problems.append(.tooManyFiles(folder.path))
      return nil
    }
    let known = Set(list.names)
    let places = Array(frontier.places(of: replica))
    let leading = try LeadingFiles(among: list, in: folder, by: reader)
    report.problems += leading.problems
    let there = try reach(of: leading.files, among: list, towards: places)
    var isLacked = places.contains { !there.tells(of: $0) }
    if !isLacked { isLacked = try lacksRest(beyond: places, among: list) }
    if isLacked {
      // From time to time, all events are written again into as few files as possible, so that small files can be
      // removed.
      let isLittered = Self.loose(list.names).count >= Portion.looseFiles
      let sent = try write(lackedBy: isLittered ? [] : there.places)
      let news = isLittered ? Frontier(places).growth(since: there) : sent
      report.sent.merge(news, uniquingKeysWith: +)
      list = try reader.store.list(folder) ?? ObjectList()
      try checkNew(list, beyond: known, &report)
    }
    try FolderLosses(reader: reader, folder: folder, list: list).tell(at: places)
    return list
  }

  /// Reads the new files back, so that the reader knows them from now on.
  private func checkNew(
    _ list: ObjectList, beyond known: Set<DirectoryName>, _ report: inout DirectoryReport
  ) throws(SyncError) {
    for object in list.objects where !known.contains(object.name) {
      _ = try reader.sound(object, in: folder, &report.problems)
    }
  }

  /// The files that are not part of a larger file, according to their names.
  private static func loose(_ names: [DirectoryName]) -> [DirectoryName] {
    var loose: [DirectoryName] = []
    // The names are ordered so that a file comes after the files that contain it.
    for name in names where name.events.upperBound > loose.last?.events.upperBound ?? 0 {
      loose.append(name)
    }
    return loose
  }

  /// The places that the given files reach, and those of the given places that the files cover.
  private func reach(
    of files: [SoundFile], among list: ObjectList, towards places: [Place]
  ) throws(SyncError) -> Frontier {
    let ends = Frontier(files.map { $0.end(of: replica) })
    var passed: [Place] = []
    for place in places where !ends.tells(of: place) {
      if try reader.contains(place, in: files, of: folder) { passed.append(place) }
    }
    return try FolderLosses(reader: reader, folder: folder, list: list)
      .reach(beyond: ends.union(Frontier(passed)))
  }

  /// Whether events after the last hole, or the end of a branch, are missing from the valid files that lack no body
  /// stored here.
  ///
  /// A file may lack bodies that this device does not have either, because a body that no device holds any longer must
  /// not block its author's later events.
  private func lacksRest(
    beyond places: [Place], among list: ObjectList
  ) throws(SyncError) -> Bool {
    let ends = try holder.ends(of: replica).filter { !places.contains($0) }
    guard !ends.isEmpty else { return false }
    var files: [SoundFile] = []
    for object in list.objects {
      guard let file = reader.known(object, in: folder),
        try !reader.lacksBodies(file, in: folder)
      else { continue }
      files.append(file)
    }
    // The frames between two holes might not end in a head, in which case they cannot be sent.
    let islands = places.compactMap(\.islands.last)
    if !islands.without(files.map(\.events)).isEmpty { return true }
    for end in ends where !files.contains(where: { $0.end(of: replica) == end }) {
      if try !reader.contains(end, in: files, of: folder) { return true }
    }
    return false
  }

  /// Writes the events that a holder with the given places lacks.
  private func write(lackedBy places: [Place]) throws(SyncError) -> [UniqueID: UInt64] {
    try reader.store.prepare(folder)
    var batch = Batch(for: folder, of: reader.store)
    var export = Export(holder)
    try export.run(replica, lackedBy: places) { (_, frame, _) throws(SyncError) in
      // The logs of this device may have been damaged since they were opened.
      guard let span = holder.span(of: frame) else {
        throw .journal(.refused(replica, .envelope))
      }
      if !batch.hasRoom(for: frame, span) { _ = try batch.put() }
      batch.append(frame, span)
    }
    _ = try batch.put()
    return export.sent
  }
}
