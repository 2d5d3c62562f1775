import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import { listLostBanks } from "./lost-banks-repository.ts"

/** An alarm for each former bank that still holds something of ours and can't be asked any more. */
export async function warnOfLostBanks({ db, log }: { db: Db; log: Logger }): Promise<void> {
  for (const waiting of await listLostBanks(db)) {
    log.error(
      { ...waiting, alarm: "former_bank_unreachable" },
      "a former bank still holds codes or money under way: set its variables as PIX_FORMER_…",
    )
  }
}
