import { yieldWhenBusy } from "#kit/yield-when-busy"

/** A backlog of months leaves the connection to other jobs after so many batches; the next run goes on. */
const MOST_BATCHES = 20

/** Repeats a batch until one is not full. Pauses between them while payers keep the server busy. */
export async function workThrough(full: number, batch: () => Promise<number>): Promise<void> {
  for (let done = 0; done < MOST_BATCHES; done += 1) {
    if ((await batch()) < full) return
    await yieldWhenBusy()
  }
}
