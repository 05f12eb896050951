import Bytes
package import Syncing

/// The parts of a book that one side of a sync needs.
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

  /// The hello of this device, based on the logs as last read.
  package var hello: Hello {
    // A device that has written nothing has no log. If this device's own log cannot be determined, the hello contains
    // none either. The peer then does not remember this device, and nothing is lost.
    let speaker = (try? localDevice.ownSpeaker()) ?? nil
    return Hello(
      book: store.folder.isJoining || store.file.book == .none
        ? nil : store.file.book,
      formerBooks: store.file.formerly,
      replica: speaker?.log ?? .none, frontier: store.frontier,
      incarnation: speaker?.incarnation ?? .none)
  }
}
