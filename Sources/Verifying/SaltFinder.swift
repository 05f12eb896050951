import Bytes
import Crypto

/// Finds the salts of a frame's events in the frame's information.
struct SaltFinder {
  private let salting: [FrameClaims.Salting]
  private let first: UInt64
  /// The input of the hash that produces a salt: the label, the block's seed and the event's number.
  private var input: [UInt8]
  /// The block whose seed is in ``input``, counted from the frame's first block.
  private var seeded: Int?
  /// The salt that was found most recently.
  private(set) var salt: [UInt8] = Array(repeating: 0, count: 16)

  private static let label = Array("daybook salt v1".utf8)

  init(_ salting: [FrameClaims.Salting], first: UInt64) {
    self.salting = salting
    self.first = first
    input = Self.label + [UInt8](repeating: 0, count: 24)
  }

  /// Sets ``salt`` to the salt of an event, and returns false if the frame contains none.
  mutating func find(for sequence: UInt64, _ hasher: inout SHA256) -> Bool {
    let block = FrameClaims.block(of: sequence)
    let place = Int(block - FrameClaims.block(of: first))
    switch salting[place] {
    case .salts(let salts):
      let start = max(first, block * FrameClaims.eventsPerBlock + 1)
      guard let given = salts[Int(sequence - start)] else { return false }
      salt.replace(at: 0, with: given)
    case .seed(let seed):
      if seeded != place {
        input.replace(at: Self.label.count, with: seed)
        seeded = place
      }
      input.replace(at: Self.label.count + 16, with: sequence)
      salt.replace(at: 0, with: hasher.digest(input.span).prefix16)
    }
    return true
  }

  /// Whether the frame contains the event's salt, or the seed of its block.
  func hasSalt(for sequence: UInt64) -> Bool {
    let block = FrameClaims.block(of: sequence)
    switch salting[Int(block - FrameClaims.block(of: first))] {
    case .seed: return true
    case .salts(let salts):
      let start = max(first, block * FrameClaims.eventsPerBlock + 1)
      return salts[Int(sequence - start)] != nil
    }
  }
}

extension [UInt8] {
  /// Writes a number as eight big-endian bytes.
  fileprivate mutating func replace(at offset: Int, with number: UInt64) {
    for place in 0..<8 {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place))
    }
  }

  fileprivate mutating func replace(at offset: Int, with id: UniqueID) {
    replace(at: offset, with: id.high)
    replace(at: offset + 8, with: id.low)
  }
}
