import { setTimeout as sleep } from "node:timers/promises"

/** Slower than what one payment's status may be asked for. */
const pauseMs = 150

/** Asks again and again until the answer is the expected one; tells the last answer when it never is. */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isExpected: (answer: Answer) => boolean,
  withinMs: number,
): Promise<Answer> {
  const giveUpAt = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (isExpected(answer)) return answer
    if (Date.now() > giveUpAt) throw new Error(`still ${JSON.stringify(answer)} after ${withinMs} ms`)
    await sleep(pauseMs)
  }
}

/** Figures of a run, for whoever watches it. */
export function report(line: string): void {
  process.stdout.write(`  ${line}\n`)
}
