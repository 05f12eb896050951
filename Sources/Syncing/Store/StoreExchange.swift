import Bytes
import Platform

/// The exchange of events between a device and a store, with the device's memory of the store's objects.
struct StoreExchange {
  private let machine: Machine
  /// The objects that have been found valid so far.
  var memory: ObjectMemory
  /// The file that keeps the memory until the next sync; nil to keep no memory.
  private let memoryFile: MemoryFile?

  /// - Parameters:
  ///   - location: The location of the store to which the memory belongs.
  ///   - path: The file with the memory; nil to read all objects.
  ///   - machine: The machine.
  init(with location: Path, remembering path: Path?, on machine: Machine) {
    self.machine = machine
    memoryFile = path.map { MemoryFile(at: $0, of: location, on: machine.disk) }
    let now = machine.timekeeper.now().milliseconds
    memory = memoryFile?.read(at: now) ?? ObjectMemory(began: now)
  }

  /// Saves the memory.
  ///
  /// If this fails, the next sync reads the store again.
  func saveMemory() { memoryFile?.write(memory, at: machine.timekeeper.now().milliseconds) }

  /// Stores the events of a book that the store contains and the device lacks.
  mutating func pull(
    _ book: UniqueID, from store: any ObjectStore, into holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    let (dice, isRemembering) = (machine.dice, memoryFile != nil)
    return try reading(store, as: holder) { (reader) throws(SyncError) in
      if isRemembering { try reader.readBack(by: dice) }
      var puller = DirectoryPuller(reader)
      return try puller.pull(book)
    }
  }

  /// Writes the events of a book that the store lacks, and removes superfluous objects if that is safe.
  mutating func push(
    _ book: UniqueID, to store: any ObjectStore, from holder: any Holder
  ) throws(SyncError) -> DirectoryReport {
    try reading(store, as: holder) { (reader) throws(SyncError) in
      try DirectoryPusher(reader: reader, book: book).push()
    }
  }

  private mutating func reading(
    _ store: any ObjectStore, as holder: any Holder,
    _ body: (ObjectReader) throws(SyncError) -> DirectoryReport
  ) throws(SyncError) -> DirectoryReport {
    let reader = ObjectReader(of: store, as: holder, remembering: memory)
    defer { memory = reader.memory }
    return try body(reader)
  }
}
