import Platform

/// How many operations something is measured with.
enum Scale: String, Sendable {
  case usual = ""
  case large = "-large"

  var count: Int { self == .usual ? 100_000 : 1_000_000 }

  /// How often something is done that takes as long as the book is large.
  var runs: Int { self == .usual ? 7 : 3 }

  /// The name of a figure.
  func name(_ figure: String) -> String { figure + rawValue }
}

/// What the benchmarks of one run have in common: operations, and books that are only looked at.
final class Stock {
  /// Where everything is made.
  let folder: Path
  private var workloads: [Scale: Workload]
  private var books: [Scale: LargeBook] = [:]
  /// For how many milliseconds a book took in what it is made of.
  private(set) var importing: [Scale: Double] = [:]

  /// Makes a stock; operations that are given stand for the usual ones.
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

  /// A whole book with a current read model; what is added to it is to be little.
  func book(_ scale: Scale) throws -> LargeBook {
    if let book = books[scale] { return book }
    let book = try LargeBook(in: folder)
    books[scale] = book
    importing[scale] = try book.fill(with: workload(scale))
    return book
  }

  /// Leaves nothing behind.
  func remove() throws {
    for book in books.values { try book.remove() }
    books = [:]
  }
}
