import { sql } from "kysely"
import type { Db } from "#db/transaction"

interface LostBank {
  provider: string
  /** Codes that can still be paid there. */
  openCodes: number
  refunds: number
  payouts: number
}

/**
 * Work that waits for providers without a connection: all but these, or those that had none at the last start. Reads only what
 * is open or under way, never the history.
 */
export async function listLostBanks(db: Db, connected: readonly string[] | null = null): Promise<LostBank[]> {
  const { rows } = await sql<LostBank>`
    with waiting as (
      select charge.provider, 1 as code, 0 as refund, 0 as payout
      from open_charges open join charges charge on charge.id = open.charge_id where charge.status = 'pending'
      union all
      select provider, 1, 0, 0 from charges where removal = 'due'
      union all
      select provider, 0, 1, 0 from refunds where status = 'processing'
      union all
      select provider, 0, 0, 1 from withdrawals where status = 'processing'
    )
    select provider, sum(code)::int as "openCodes", sum(refund)::int as refunds, sum(payout)::int as payouts
    from waiting join psp_connections using (provider)
    where case when ${connected}::text[] is null then not is_connected else provider <> all(${connected}::text[]) end
    group by provider order by provider`.execute(db)
  return rows
}
