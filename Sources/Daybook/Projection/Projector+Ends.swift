import Journaling
import Platform
import ReadModel

// The ends of the logs are stored in the read model, so that a command that only reads opens no log.

extension Projector {
  /// The name of the setting for the ends of the logs.
  static let ends = "ends"

  /// The read model in its file, if it can be opened.
  static func keptModel(at place: ReadModel.Place, on machine: Machine) -> ReadModel? {
    guard case .file(let path) = place else { return nil }
    // If the file has a problem, the next use of the read model reports it.
    return try? ReadModelFiles(machine: machine).existing(at: path)
  }

  /// The ends of the logs when the read model was last written.
  static func logEndCache(of model: ReadModel) -> LogEndCache? {
    // Without the setting, the logs are read.
    guard let bytes = (try? model.settings.value(ends)) ?? nil else { return nil }
    return try? LogEndCache(decoding: bytes)
  }

  /// The ends of the logs for a process that will write only this device's own log; nil if they must be read.
  func recollectionForWriting() throws(DaybookError) -> LogEndCache? {
    guard let model, let own = try store.folder.writtenLog() else {
      return nil
    }
    return Self.logEndCache(of: model)?.continuing(own)
  }

  /// Stores the ends of the logs after their files have changed.
  func keepEnds() {
    // If they cannot be stored, the logs are read the next time.
    try? model?.settings.keep(Self.ends, store.journal.logEndCache().encode())
  }
}
