package import ReadModel
import SQLite

extension ReadModelError {
  package var told: Told {
    switch self {
    case .unusable, .needsRefold, .stale:
      return Told("view", .dataFault, "view.sqlite cannot be used. Run 'daybook rebuild'.")
    case .disk(let error): return error.told
    case .database(let error):
      let exit: ExitCode =
        switch error.primary {
        case .busy, .locked: .busy
        case .full, .ioError, .readOnly, .cannotOpen, .permission: .cannotWrite
        default: .dataFault
        }
      return Told("view", exit, "view.sqlite: \(error.message.visible).")
    }
  }
}
