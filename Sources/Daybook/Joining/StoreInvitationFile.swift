import Platform

/// The file `store-invitations` of a book.
struct StoreInvitationFile {
  let store: LogStore

  func read() throws(DaybookError) -> StoreInvitations {
    do throws(DiskError) {
      return StoreInvitations(
        parsing: try store.machine.disk.contents(
          of: store.layout.storeInvitations, limit: 1 << 20))
    } catch {
      guard error.reason == .notFound || error.reason == .tooLarge else { throw .disk(error) }
      return StoreInvitations()
    }
  }

  /// Changes the invitations, after reading the changes of other processes, and writes nothing if nothing changes.
  func change<Value>(
    _ body: (inout StoreInvitations) throws(DaybookError) -> Value
  ) throws(DaybookError) -> Value {
    try store.withFolderLock { _ throws(DaybookError) in
      let before = try read()
      var invitations = before
      let value = try body(&invitations)
      if invitations != before {
        try wrap(DaybookError.disk) { () throws(DiskError) in
          try store.machine.disk.replace(store.layout.storeInvitations, with: invitations.bytes)
        }
      }
      return value
    }
  }
}
