import Journaling
import Platform
import ReadModel

// Where the logs end is kept with the read model, so that a command that only reads opens no log.

extension Projector {
  /// The name under which the read model keeps it.
  static let ends = "ends"

  /// The read model as it was left in its file, if it can be opened.
  static func keptModel(at place: ReadModel.Place, on disk: any Disk) -> ReadModel? {
    guard case .file(let path) = place, (try? disk.status(Path(path))) != nil else { return nil }
    // What is wrong with it is seen by whoever asks it something.
    return try? ReadModel(place)
  }

  /// Where the logs ended when the read model was last written.
  static func logEndCache(of model: ReadModel) -> LogEndCache? {
    // Where it does not tell, the logs are read.
    guard let bytes = (try? model.settings.value(ends)) ?? nil else { return nil }
    return try? LogEndCache(decoding: bytes)
  }

  /// The same, where only the own log is about to be written.
  func recollectionForWriting() throws(DaybookError) -> LogEndCache? {
    guard let model, let own = try store.folder.writtenLog() else {
      return nil
    }
    return Self.logEndCache(of: model)?.continuing(own)
  }

  /// Notes that the logs lie in other files than before.
  func keepEnds() {
    // Where it cannot be kept, the logs are read the next time.
    try? model?.settings.keep(Self.ends, store.journal.logEndCache().encode())
  }
}
