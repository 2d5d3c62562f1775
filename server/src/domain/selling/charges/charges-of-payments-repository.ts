import type { ChargeStatus } from "@tilinta/contract/vocabulary/transaction-status"
import type { Selectable } from "kysely"
import { prepared } from "#db/prepared"
import type { ChangedRow } from "#db/row-types"
import { boolean, rowsOf, text, textList, timestamptz, uuid, uuidList } from "#db/rows-of"
import type { Schema } from "#db/schema"
import { columnList, lookup } from "#db/sql-part"
import type { Tx } from "#db/transaction"
import { publishRemovalsDue } from "#events/events"
import { invariant } from "#kit/invariant"
import { type AskedCharge, removableWhenAnswered } from "./charge.ts"

/** The part of a charge that booking needs. */
export type PayableCharge = Pick<
  AskedCharge,
  "id" | "sellerId" | "pageId" | "txid" | "provider" | "status" | "amountCents" | "feeCents" | "expiresAt"
> & {
  /** São Paulo's day of its creation. */
  day: string
}

const columns = columnList(
  "id, seller_id, page_id, txid, provider, status, amount_cents, fee_cents, expires_at, sao_paulo_day(created_at) as day",
)

type Row = Pick<
  Selectable<Schema["charges"]>,
  "id" | "seller_id" | "page_id" | "txid" | "provider" | "status" | "amount_cents" | "fee_cents" | "expires_at"
> & { day: string }

function toPayableCharge(row: Row): PayableCharge {
  const { page_id: pageId, txid } = row
  invariant(pageId !== null && txid !== null, `charge ${row.id} has no page or txid`)
  return {
    id: row.id,
    sellerId: row.seller_id,
    pageId,
    txid,
    provider: row.provider,
    status: row.status,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    expiresAt: row.expires_at,
    day: row.day,
  }
}

/** Sorted by id, because an unsorted list may lead to a full index scan. */
export async function lockChargesOfTxids(tx: Tx, txids: string[]): Promise<PayableCharge[]> {
  const { rows } = await prepared<Row>("lock-charges-of-txids")`
    select ${columns} from charges where txid = any(${textList(txids)})
    order by id::text for update`.execute(tx)
  return rows.map(toPayableCharge)
}

/** Locks those charges, and the open ones of the named pages: the holder of a page's lock may change them all. */
export async function lockChargesAndOpenOnes(tx: Tx, txids: string[], pageIds: string[]): Promise<PayableCharge[]> {
  const { rows } = await prepared<Row>("lock-charges-and-open-ones")`
    select ${columns}
    from (
      select id as wanted_id from charges where txid = any(${textList(txids)})
      union
      select charge_id from open_charges where page_id = any(${uuidList(pageIds)})
    ) wanted
    join charges charge on ${lookup("charge.id", "wanted_id")}
    order by charge.id::text for update of charge`.execute(tx)
  return rows.map(toPayableCharge)
}

export interface ChargeOutcome {
  id: string
  status: ChargeStatus
  endToEndId: string | null
  paidAt: Date | null
  isLate: boolean
  isDuplicate: boolean
  removal: "none" | "due"
}

type Outcome = Pick<
  ChangedRow<"charges">,
  "id" | "status" | "end_to_end_id" | "paid_at" | "is_late" | "is_duplicate" | "removal"
>

const chargeOutcomes = rowsOf<ChargeOutcome, Outcome>("outcome", {
  id: uuid(({ id }) => id),
  status: text(({ status }) => status),
  end_to_end_id: text(({ endToEndId }) => endToEndId),
  paid_at: timestamptz(({ paidAt }) => paidAt),
  is_late: boolean(({ isLate }) => isLate),
  is_duplicate: boolean(({ isDuplicate }) => isDuplicate),
  removal: text(({ removal }) => removal),
})

/** One statement per batch, so that a seller's totals are always locked in one order. */
export async function updateChargeOutcomes(tx: Tx, outcomes: ChargeOutcome[], now: Date): Promise<void> {
  if (outcomes.length === 0) return
  await prepared("update-charge-outcomes")`
    update charges charge
    set status = outcome.status, end_to_end_id = outcome.end_to_end_id, paid_at = outcome.paid_at,
      is_late = outcome.is_late, is_duplicate = outcome.is_duplicate,
      removal = case when outcome.removal = 'due' then 'due' else charge.removal end, updated_at = ${now},
      removal_not_before = case when outcome.removal = 'due' and charge.status = 'creating'
        then ${removableWhenAnswered(now)} else charge.removal_not_before end
    from ${chargeOutcomes.of(outcomes)}
    where ${lookup("charge.id", "outcome.id")}`.execute(tx)
  if (outcomes.some(({ removal }) => removal === "due")) await publishRemovalsDue(tx)
}
