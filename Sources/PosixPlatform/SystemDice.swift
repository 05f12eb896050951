import Glibc
import Platform

/// Random numbers from the kernel, which are suitable for keys.
package struct SystemDice: Dice {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    [UInt8](capacity: count) { output in
      while output.count < count {
        unsafe output.withUnsafeMutableBufferPointer { buffer, filled in
          guard let start = buffer.baseAddress else { return }
          // getentropy returns at most 256 bytes for each call.
          let step = min(count - filled, 256)
          let answered = unsafe getentropy(start + filled, step)
          // The program cannot continue without random bytes.
          precondition(answered == 0, "Linux always has random bytes")
          filled += step
        }
      }
    }
  }

  package func number() -> UInt64 {
    bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
