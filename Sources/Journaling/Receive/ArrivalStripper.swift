import Bytes
import Platform

/// Takes the bodies of what is erased out of frames that arrive.
struct ArrivalStripper {
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser

  /// The frame to stage in the place of one received: without the bodies of what is erased.
  ///
  /// Where the frame goes on with a block whose seed was done away with, it must not bring it back.
  ///
  /// - Parameters:
  ///   - frame: What was received.
  ///   - bytes: The same as it was packed.
  ///   - strand: Where the events go.
  ///   - fork: Where the strand leaves another, if it is new.
  ///   - end: The log behind what is held or staged.
  ///   - open: What the last block of that is salted with.
  /// - Returns: The frame and its bytes, the same ones where nothing has to go.
  /// - Throws: ``JournalError`` when the frame would be larger than frames may be.
  func stripArriving(
    _ frame: Frame, _ bytes: [UInt8], of strand: UniqueID, leaving fork: Fork? = nil,
    after end: LogEnd, open: BlockSecrets?
  ) throws(JournalError) -> (frame: Frame, bytes: [UInt8]) {
    var blocks: Set<UInt64> = []
    if case .salts? = open { blocks.insert(Chain.block(of: end.sequence)) }
    var bodies: [UInt64: Landmark] = [:]
    if !eraser.erasures.isEmpty {
      let scope = index.scope(of: frame, in: strand, leaving: fork, table: end.table)
      let found = frame.stripping(try erasures(namedBy: frame, in: scope), in: scope)
      eraser.learn(from: found)
      bodies = found.bodies
    }
    let packed = try eraser.stripped(frame, bodies, blocks, level: .quick)
    return packed ?? (frame, bytes)
  }

  /// What is erased, also under the names that a frame gives it whose author knows of a fork that is not known here.
  ///
  /// A branch is named after its first command, and so has its name here before anything has come that shows the fork.
  private func erasures(
    namedBy frame: Frame, in scope: ReferenceScope
  ) throws(JournalError) -> Erasures {
    let erasures = eraser.erasures
    let unknown = (scope.table + frame.introduced).filter {
      index.end(of: $0) == nil && $0 != scope.log
    }
    if unknown.isEmpty { return erasures }
    var named = erasures
    for entity in frame.subjects(in: scope) where unknown.contains(entity.log) {
      for (known, erase) in erasures.entities where known.sequence == entity.sequence {
        if try begins(entity.log, upTo: known) { named.insert(entity, by: erase) }
      }
    }
    return named
  }

  /// Whether a branch of that name would begin with an event or before it, if its log forked there.
  private func begins(_ branch: UniqueID, upTo event: EventName) throws(JournalError) -> Bool {
    if index.end(of: event.log) == nil { return false }
    var reader = try finder.reader(of: event.log)
    return try onDisk { () throws(DiskError) in
      while let read = try reader.read(), read.frame.firstSequence <= event.sequence {
        for (index, own) in read.frame.events.enumerated() where own.sequence <= event.sequence {
          if read.frame.branch(beginningAt: index) == branch { return true }
        }
      }
      return false
    }
  }
}
