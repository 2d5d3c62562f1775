import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Db } from "#db/transaction"
import { systemClock } from "#kit/clock"
import { sealRows } from "#money/chain/seal"
import { sealedTableNames } from "#money/chain/sealed-rows-reads"

type Sealer = Partial<Omit<Parameters<typeof sealRows>[0], "db">>

const silentBank = { bankTime: () => null }

/** Tests share their PostgreSQL, and a transaction of any database holds back rows after it: a test waits for them here. */
export async function sealAll(db: Db, { clock = systemClock, psp = silentBank }: Sealer = {}): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; performance.now() < giveUpAt; await sleep(10)) {
    await sealRows({ db, clock, psp })
    const { rows } = await sql<{ isBehind: boolean }>`
      select exists (
        select from (${sql.join(
          sealedTableNames.map((name) => sql`select xid from ${sql.table(name)}`),
          sql` union all `,
        )}) item where xid > (select until from chain_head)
      ) as "isBehind"`.execute(db)
    if (rows[0]?.isBehind !== true) return
  }
  throw new Error("rows were not sealed within 30 seconds")
}
