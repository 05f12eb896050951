/// Runs a step of another layer and turns what it throws into an error of this one.
func wrap<Value: ~Copyable, Inner: Error, Outer: Error>(
  _ outer: (Inner) -> Outer, _ body: () throws(Inner) -> Value
) throws(Outer) -> Value {
  do throws(Inner) { return try body() } catch { throw outer(error) }
}
