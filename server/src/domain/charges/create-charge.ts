import { createHash } from "node:crypto"
import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { digitsOf, payerDataProblem } from "@tilinta/contract/vocabulary/payer-data"
import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import { statusAt } from "#domain/charge-pages/charge-page"
import { findPublicChargePageById, type PublicChargePage } from "#domain/charge-pages/find-public-charge-page"
import { holdChargePageForCharge } from "#domain/charge-pages/hold-charge-page"
import { readFeeBasisPoints, readPixExpirationMinutes } from "#domain/settings/read-setting"
import { holdActiveUser } from "#domain/users/hold-active-user"
import { type Clock, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { isId, newId, newTxid } from "#kit/ids"
import { invariant } from "#kit/invariant"
import { feeFromGross, noMoney, subtractCents } from "#kit/money"
import { type Psp, PspError } from "#psp/psp"
import type { AskedCharge, PayerData } from "./charge.ts"
import {
  findChargeByKey,
  findChargeRow,
  insertChargeOnce,
  markChargeFailed,
  markChargeOpen,
} from "./charges-repository.ts"
import { problemOfPixCode } from "./check-pix-code.ts"

export interface CreateChargeDeps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
}

export interface CreateChargeInput {
  pageId: string
  customerInfo: CustomerInfoBody | null
  /** The same key on the same page answers the same Pix. */
  idempotencyKey: string | null
}

export type OpenCharge = AskedCharge & { pixCode: string }

/** The provider is called between two transactions: no lock ever waits for the network. */
export async function createCharge(deps: CreateChargeDeps, input: CreateChargeInput): Promise<OpenCharge> {
  const shown = isId(input.pageId) ? await findPublicChargePageById(deps.db, deps.clock, input.pageId) : null
  if (shown === null) throw new DomainError("public_charge_page_not_found")
  const draft = await draftCharge(deps, shown, input)
  const known = await findSameRequest(deps.db, draft)
  if (known !== null && known.status !== "creating") return asOpen(known)
  if (known === null && shown.page.status === "completed") throw new DomainError("charge_page_already_paid")
  const charge = known ?? (await deps.db.transaction().execute((tx) => storeCharge(tx, draft)))
  if (charge.status !== "creating") return asOpen(charge)
  const pixCode = await askProvider(deps, charge)
  const opened = await deps.db.transaction().execute((tx) => openCharge(tx, charge, pixCode, deps.clock.now()))
  if (opened === null) throw new DomainError("public_charge_page_not_found")
  return opened
}

async function draftCharge(
  deps: CreateChargeDeps,
  { page }: PublicChargePage,
  input: CreateChargeInput,
): Promise<AskedCharge> {
  const payer = payerDataFor(page, input.customerInfo)
  const [feeBasisPoints, minutes] = await Promise.all([readFeeBasisPoints(deps.db), readPixExpirationMinutes(deps.db)])
  const now = deps.clock.now()
  const latest = secondsAfter(now, minutes * 60)
  const feeCents = feeFromGross(page.amountCents, feeBasisPoints)
  return {
    id: newId(),
    sellerId: page.sellerId,
    pageId: page.id,
    txid: newTxid(now),
    provider: deps.psp.name,
    status: "creating",
    amountCents: page.amountCents,
    feeBasisPoints,
    feeCents,
    netCents: subtractCents(page.amountCents, feeCents),
    refundedCents: noMoney,
    refundedFeeCents: noMoney,
    pageTitle: page.title,
    description: page.description || page.title,
    pixCode: null,
    openedAt: null,
    expiresAt: page.expiresAt !== null && page.expiresAt < latest ? page.expiresAt : latest,
    payer,
    idempotencyKey: input.idempotencyKey,
    requestHash: createHash("sha256")
      .update(JSON.stringify([page.id, payer]))
      .digest(),
    endToEndId: null,
    paidAt: null,
    isLate: false,
    isDuplicate: false,
    removal: "none",
    createdAt: now,
    updatedAt: now,
  }
}

/** Only what the page asks for is kept; what else was sent is dropped. */
function payerDataFor(page: PublicChargePage["page"], info: CustomerInfoBody | null): PayerData {
  if (page.allowAnonymous) return { name: null, email: null, cpf: null, phone: null }
  const sent = info ?? {}
  const problem = payerDataProblem(sent, page)
  if (problem !== null) throw brokenRule(`customerInfo.${problem.field}`, problem.message)
  return {
    name: page.requireName ? (sent.name ?? null) : null,
    email: page.requireEmail ? (sent.email ?? null) : null,
    cpf: page.requireCpf ? digitsOf(sent.cpf) : null,
    phone: page.requirePhone ? digitsOf(sent.phone) : null,
  }
}

async function findSameRequest(db: Db, draft: AskedCharge): Promise<AskedCharge | null> {
  if (draft.idempotencyKey === null) return null
  const known = await findChargeByKey(db, draft.pageId, draft.idempotencyKey)
  if (known === null) return null
  if (!draft.requestHash?.equals(known.requestHash ?? Buffer.alloc(0))) throw new DomainError("idempotency_key_reused")
  return known
}

async function storeCharge(tx: Tx, draft: AskedCharge): Promise<AskedCharge> {
  // The seller before the page: an inactivation locks in this order, and closes every charge that came before it.
  const isSellerActive = await holdActiveUser(tx, draft.sellerId)
  const page = isSellerActive ? await holdChargePageForCharge(tx, draft.pageId) : null
  if (page === null) throw new DomainError("public_charge_page_not_found")
  const status = statusAt(page, draft.createdAt)
  if (status === "completed") throw new DomainError("charge_page_already_paid")
  if (status !== "active") throw new DomainError("public_charge_page_not_found")
  if (page.amountCents !== draft.amountCents) throw new DomainError("psp_unavailable")
  if (await insertChargeOnce(tx, draft)) return draft
  const winner = await findSameRequest(tx, draft)
  if (winner === null) throw new DomainError("psp_unavailable")
  return winner
}

async function askProvider(deps: CreateChargeDeps, charge: AskedCharge): Promise<string> {
  // Counted from the creation, so that a repeated request is the same to the letter.
  const expiresInSeconds = Math.floor((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000)
  if (expiresInSeconds < 1) throw new DomainError("public_charge_page_not_found")
  const pixCode = await requestPixCode(deps, charge, expiresInSeconds)
  const problem = problemOfPixCode(pixCode, charge.amountCents)
  if (problem === null) return pixCode
  deps.log.error({ alarm: "bad_pix_code", chargeId: charge.id, problem }, "refused the provider's code")
  await giveUp(deps, charge, "due")
  throw new DomainError("psp_unavailable")
}

async function requestPixCode(deps: CreateChargeDeps, charge: AskedCharge, expiresInSeconds: number): Promise<string> {
  try {
    const { pixCode } = await deps.psp.createCharge({
      txid: charge.txid,
      amountCents: charge.amountCents,
      expiresInSeconds,
      description: charge.pageTitle,
    })
    return pixCode
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    deps.log.error({ err: error, chargeId: charge.id, failure: error.failure }, "the provider made no charge")
    // After 'unknown' the same key may try again under the same txid; a job ends what nobody finishes.
    if (error.failure !== "unknown") await giveUp(deps, charge, error.failure === "rejected" ? "due" : "none")
    throw new DomainError("psp_unavailable", { cause: error })
  }
}

async function giveUp(deps: CreateChargeDeps, charge: AskedCharge, removal: "none" | "due"): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction().execute((tx) => markChargeFailed(tx, charge.id, removal, now))
}

/** Null when the page was closed while the provider worked: the code is never shown, and is removed. */
async function openCharge(tx: Tx, charge: AskedCharge, pixCode: string, now: Date): Promise<OpenCharge | null> {
  const page = await holdChargePageForCharge(tx, charge.pageId)
  const isWanted = page !== null && statusAt(page, now) === "active"
  if (isWanted && (await markChargeOpen(tx, charge.id, pixCode, now))) {
    return { ...charge, status: "pending", pixCode, updatedAt: now }
  }
  const current = await findChargeRow(tx, charge.id)
  if (current !== null && current.pixCode !== null)
    return asOpen({ ...current, pageId: charge.pageId, txid: charge.txid })
  await markChargeFailed(tx, charge.id, "due", now)
  return null
}

function asOpen(charge: AskedCharge): OpenCharge {
  invariant(charge.pixCode !== null, `charge ${charge.id} is ${charge.status} without a code`)
  return { ...charge, pixCode: charge.pixCode }
}
