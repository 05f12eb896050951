import Bytes
import ReadModel

/// A note that a sync stores in the read model for later reports.
///
/// If the read model is rebuilt, the note is lost until a sync writes it again.
struct ViewNote {
  let name: String
  let projector: Projector

  /// The note; nil if there is none or it cannot be read.
  func read() throws(DaybookError) -> JSON? {
    let bytes = try projector.withSoundView { () throws(DaybookError) in
      let model = try projector.view()
      return try wrap(DaybookError.view) { () throws(ReadModelError) in
        try model.settings.value(name)
      }
    }
    return bytes.flatMap { try? JSON(parsing: $0) }
  }

  func write(_ note: JSON) throws(DaybookError) {
    do throws(DaybookError) {
      try projector.withSoundView { () throws(DaybookError) in
        let model = try projector.view()
        try wrap(DaybookError.view) { () throws(ReadModelError) in
          try model.settings.keep(name, Array(note.text().utf8))
        }
      }
    } catch {
      // If the disk refuses the write, only a report is missing.
      guard error.isRefusalOfTheDisk else { throw error }
    }
  }
}
