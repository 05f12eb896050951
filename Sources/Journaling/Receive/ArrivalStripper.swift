import Bytes
import Platform

/// Removes erased bodies from arriving frames.
struct ArrivalStripper {
  let index: LogIndex
  let finder: FrameFinder
  let eraser: BodyEraser

  /// Returns a received frame without the bodies of erased entities.
  ///
  /// If the frame continues a block whose seed was removed, the seed is removed from the frame as well.
  ///
  /// - Parameters:
  ///   - frame: The received frame.
  ///   - bytes: The bytes of the frame.
  ///   - strand: The strand of the frame's events.
  ///   - fork: The fork that the strand begins at, if the strand is new.
  ///   - end: The log end before the frame, including staged events.
  ///   - open: The seed or the salts of the last block before the frame.
  /// - Returns: The frame and its bytes; unchanged if nothing was removed.
  /// - Throws: ``JournalError`` if the frame would exceed the size limit.
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

  /// The erased entities, also under the names that the given frame uses if its author knows of a fork unknown here.
  ///
  /// A branch is named after its first command, so its name can be computed here before the fork is known.
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

  /// Whether a branch with the given name would begin at or before an event if its log forked there.
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
