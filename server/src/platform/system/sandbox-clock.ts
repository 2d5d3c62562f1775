import type { Db } from "#db/transaction"
import type { Clock, MovableClock } from "#kit/clock"
import { findAheadMs } from "./reads.ts"
import { keepAheadMs } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
  /** How far the simulated bank's clock was moved; null while nobody answers. */
  readBankAhead(): Promise<number | null>
}

interface Clocks {
  /** The true time, which knows how far the days are ahead. */
  clock: Clock
  dueClock: MovableClock
}

/**
 * Days follow the simulated bank's clock, so that whoever moves it sees next month. The database keeps how far: a restart and
 * other nodes have it too. They never go back, because what was due and told can't be taken back.
 */
export async function openSandboxClocks({ db, clock, readBankAhead }: Deps): Promise<Clocks> {
  let aheadMs = await findAheadMs(db)
  return {
    clock: { now: () => clock.now(), aheadMs: () => aheadMs },
    dueClock: {
      now: () => new Date(clock.now().getTime() + aheadMs),
      async refresh() {
        const atBank = (await readBankAhead()) ?? 0
        if (atBank > aheadMs) await db.transaction().execute((tx) => keepAheadMs(tx, atBank))
        aheadMs = Math.max(aheadMs, await findAheadMs(db))
      },
    },
  }
}

/** Real money has one clock. */
export function unmovable(clock: Clock): MovableClock {
  return { now: () => clock.now(), refresh: async () => undefined }
}
