/// The sizes of Padmé, computed by division.
enum SealedObjectSizes {
  static func padded(_ count: Int) -> Int {
    guard count > 256 else { return 256 }
    let exponent = floorOfLog2(count)
    let lastBits = exponent - (floorOfLog2(exponent) + 1)
    let mask = 1 << lastBits - 1
    return (count + mask) & ~mask
  }

  private static func floorOfLog2(_ number: Int) -> Int {
    var (rest, count) = (number, 0)
    while rest > 1 { (rest, count) = (rest / 2, count + 1) }
    return count
  }
}
