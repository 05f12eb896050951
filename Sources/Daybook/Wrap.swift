/// Runs a step of a lower layer, and converts its error.
func wrap<Value: ~Copyable, Inner: Error, Outer: Error>(
  _ outer: (Inner) -> Outer, _ body: () throws(Inner) -> Value
) throws(Outer) -> Value {
  do throws(Inner) { return try body() } catch { throw outer(error) }
}
