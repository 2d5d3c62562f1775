/** Our bug, not the caller's: the request ends with 500 and its transaction is rolled back. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`)
}
