import Foundation
import FuzzTargets

/// The target that `--target=NAME` names; libFuzzer ignores options that begin with two hyphens.
private let target: FuzzTarget = {
  let names = CommandLine.arguments.compactMap { word in
    word.hasPrefix("--target=") ? String(word.dropFirst("--target=".count)) : nil
  }
  guard let target = names.first.flatMap(FuzzTarget.init) else {
    preconditionFailure("--target= one of \(FuzzTarget.allCases.map(\.rawValue))")
  }
  return target
}()

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func takeInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe UnsafeBufferPointer(start: start, count: count)
  do throws(Violation) {
    try target.take(unsafe Array(input))
  } catch {
    // An optimised program prints no message when it traps.
    try? FileHandle.standardError.write(contentsOf: Data("broken: \(error.rule)\n".utf8))
    preconditionFailure(error.rule)
  }
  return 0
}
