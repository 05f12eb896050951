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

  /// What it says of itself to others, as it was last looked at.
  package var hello: Hello {
    // A device that has written nothing has no log to be known by. Where it cannot be told which log is its own,
    // it is met as such a one: the other side then does not remember it as a peer, and loses nothing by that.
    let speaker = (try? localDevice.ownSpeaker()) ?? nil
    return Hello(
      book: store.folder.isJoining || store.file.book == .none
        ? nil : store.file.book,
      formerBooks: store.file.formerly,
      replica: speaker?.log ?? .none, frontier: store.frontier,
      incarnation: speaker?.incarnation ?? .none)
  }
}
