import Bytes
import Daybook
import Platform
import ReadModel

extension Told {
  /// Creates the report for an error of the book, of a layer below it, or of parsing words; nil for other errors.
  package init?(of error: any Error) {
    switch error {
    case let error as WordsFault: self = error.told
    case let error as DaybookError: self = error.told
    case let error as ReadModelError: self = error.told
    case let error as DiskError: self = error.told
    case let error as CBORError:
      self.init(
        "damage", .dataFault, "the view is damaged: \(error.text). Run 'daybook rebuild'.")
    default: return nil
    }
  }
}
