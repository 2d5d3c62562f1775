/** Blocks the event loop for so long in each turn. Returns a function that stops it. */
export function keepBusy(turnMs: number): () => void {
  let isOver = false

  function turn(): void {
    const until = performance.now() + turnMs
    while (performance.now() < until);
    if (!isOver) setImmediate(turn)
  }

  setImmediate(turn)
  return () => (isOver = true)
}
