import Platform

/// The number of operations in a workload.
enum Scale: String, Sendable {
  case usual = ""
  case large = "-large"

  var count: Int { self == .usual ? 100_000 : 1_000_000 }

  /// The number of runs of a task whose duration grows with the book.
  var runs: Int { self == .usual ? 7 : 3 }

  /// The name of a figure at this scale.
  func name(_ figure: String) -> String { figure + rawValue }
}

/// The workloads and books that are shared by the benchmarks of one run.
final class Stock {
  /// The folder of all files of the run.
  let folder: Path
  private var workloads: [Scale: Workload]
  private var books: [Scale: LargeBook] = [:]
  /// The duration of the import of each book, in milliseconds.
  private(set) var importing: [Scale: Double] = [:]

  /// Creates a stock.
  ///
  /// If a workload is given, it replaces the usual one.
  init(in folder: Path, _ workload: Workload?) {
    self.folder = folder
    workloads = workload.map { [.usual: $0] } ?? [:]
  }

  func workload(_ scale: Scale = .usual) -> Workload {
    if let workload = workloads[scale] { return workload }
    let workload = Workload(count: scale.count)
    workloads[scale] = workload
    return workload
  }

  /// Returns the book of a scale, with a current read model.
  ///
  /// A benchmark may add only a few events to the book.
  func book(_ scale: Scale) throws -> LargeBook {
    if let book = books[scale] { return book }
    let book = try LargeBook(in: folder)
    books[scale] = book
    importing[scale] = try book.fill(with: workload(scale))
    return book
  }

  func remove() throws {
    for book in books.values { try book.remove() }
    books = [:]
  }
}
