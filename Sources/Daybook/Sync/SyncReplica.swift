import Bytes
package import Syncing

/// The book as one side of a sync.
package struct SyncReplica {
  let store: LogStore
  let localDevice: LocalDevice
  let projector: Projector
  let access: WriteAccess
  let ownLogKeeper: OwnLogKeeper
  let shelves: ShelfKeeper
  let quotas: QuotaKeeper
  let judge: FrameJudge
  let eraser: Eraser
  let peerAllowList: PeerAllowList

  /// The hello of this device, by the state of the logs when they were last read.
  package var hello: Hello {
    // A device that has written nothing has no log. If it cannot be told which log is its own, it is treated like
    // that: the peer does not remember it then, and nothing is lost.
    let speaker = (try? localDevice.ownSpeaker()) ?? nil
    return Hello(
      book: store.folder.isJoining || store.file.book == .none
        ? nil : store.file.book,
      formerBooks: store.file.formerly,
      replica: speaker?.log ?? .none, frontier: store.frontier,
      incarnation: speaker?.incarnation ?? .none)
  }
}
