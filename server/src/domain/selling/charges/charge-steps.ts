import { isDatabaseDown } from "#db/database-down"
import type { LookupDb } from "#db/transaction"
import { findPagesToChargeById, type PageToCharge } from "#domain/selling/charge-pages/find-public-charge-page"
import type { Admission } from "#kit/admission"
import { createMicroBatch } from "#kit/micro-batch"
import type { AskedCharge, OpenCharge } from "./charge.ts"
import { type FailedCharge, failCharge } from "./fail-charges.ts"
import { findChargesByKeys, type KeyOfPage } from "./new-charges-repository.ts"
import { type CodeOfCharge, openCharges } from "./open-charges.ts"
import { reuseCharge } from "./reuse-charge.ts"
import { type StoredOrRefused, storeCharges } from "./store-charges.ts"
import { createUnpaidCodes, type UnpaidCodes } from "./unpaid-codes.ts"

/** The steps of creating a charge, batched across payers who come at once. */
export interface ChargeSteps {
  /** Lets a creation begin, which costs more than a payment or ten polls: others wait or are refused. */
  admit: Admission["run"]
  findPage(id: string): Promise<PageToCharge | null>
  findByKey(asked: KeyOfPage): Promise<AskedCharge | null>
  store(draft: AskedCharge): Promise<StoredOrRefused>
  open(code: CodeOfCharge): Promise<OpenCharge | null>
  giveUp(failed: FailedCharge): Promise<void>
  unpaidCodes: UnpaidCodes
  reuse(chargeId: string, draft: AskedCharge): Promise<AskedCharge | null>
}

/**
 * Larger batches would only add latency. Statements and a commit cost as much for one charge as for ten. So while payers come
 * at once, batches start some milliseconds apart, which a payer doesn't notice beside the bank's answer, and a second one starts
 * beside the first only when that takes long: it waits for the disk or for a lock. Creations are admitted or refused before
 * the first step: a later refusal would only waste the earlier ones.
 */
const usual = {
  most: 100,
  slots: 2,
  patienceMs: 20,
  spacingMs: 10,
  failsAll: isDatabaseDown,
  callers: "admitted",
} as const

/** Created once in a process, so that all creations share its batches. */
export function createChargeSteps(db: LookupDb, admission?: Admission): ChargeSteps {
  return {
    admit: admission?.run ?? ((work) => work()),
    findPage: createMicroBatch<string, PageToCharge | null>({
      ...usual,
      run: (ids) => findPagesToChargeById(db, ids),
    }),
    findByKey: createMicroBatch<KeyOfPage, AskedCharge | null>({
      ...usual,
      async run(asked) {
        const found = await findChargesByKeys(db, asked)
        return asked.map(
          ({ pageId, key }) => found.find((one) => one.pageId === pageId && one.idempotencyKey === key) ?? null,
        )
      },
    }),
    store: createMicroBatch<AskedCharge, StoredOrRefused>({
      ...usual,
      run: (drafts) => storeCharges(db, drafts),
    }),
    open: createMicroBatch<CodeOfCharge, OpenCharge | null>({
      ...usual,
      // Each caller goes on to draw its QR image, and polls and payments would wait for those of a whole batch.
      perTurn: 8,
      run: (codes) => openCharges(db, codes),
    }),
    unpaidCodes: createUnpaidCodes(),
    reuse: (chargeId, draft) => reuseCharge(db, chargeId, draft),
    giveUp: (failed) => db.transaction().execute((tx) => failCharge(tx, failed)),
  }
}
