/** Lets each turn of the event loop take so long. Answers how to stop it. */
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
