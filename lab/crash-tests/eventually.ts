import { setTimeout as sleep } from "node:timers/promises"

/** Slower than the rate limit of payment-status. */
const pauseMs = 150

/** Far more than anything takes: a busy machine must fail no test. */
const patienceMs = 240_000

/** Polls until the answer is as expected; on timeout the error has the last answer. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
  withinMs = patienceMs,
): Promise<Answer> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isExpected(answer)) return answer
    if (Date.now() > giveUpAt) throw new Error(`still ${JSON.stringify(answer)} after ${withinMs} ms`)
    await sleep(pauseMs)
  }
}

/** Prints figures of a run for the person watching it. */
export function report(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
