public import Platform

extension Book {
  /// Opens the book in a folder, and makes one where there is none yet.
  ///
  /// - Parameters:
  ///   - folder: Where its files are.
  ///   - machine: The computer; `Machine.system` of `PosixPlatform` is the one this runs on.
  ///   - device: What this machine is called in a book that is made.
  /// - Returns: The book, to be used by one caller at a time.
  /// - Throws: ``Failure`` where the folder holds something else, or cannot be read.
  public static func open(
    _ folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      do throws(DaybookError) {
        return try Book(at: Path(folder), on: machine)
      } catch .noBook {
        return try create(at: Path(folder), on: machine, deviceName: device)
      }
    }
  }

  /// Takes part in the book that a peer holds, with a folder that holds none yet.
  ///
  /// What is written here counts on other machines once one of them admits this one, as `daybook sync --admit` does.
  ///
  /// - Parameters:
  ///   - peer: A folder or bundle with the book.
  ///   - folder: Where its files are to be here.
  ///   - machine: The computer.
  ///   - device: What this machine is to be called.
  /// - Returns: The book, with all that the peer had.
  /// - Throws: ``Failure`` where there is a book here already, or none there.
  public static func join(
    _ peer: Peer, in folder: String, on machine: Machine, device: String
  ) throws(Failure) -> Book {
    try failing { () throws(DaybookError) in
      try join(
        at: Path(folder), from: peer.address, on: machine, deviceName: device,
        confirm: { _ in false }
      ).book
    }
  }
}
