import { hash } from "node:crypto"
import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { digitsOf, payerDataProblem, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import type { Logger } from "pino"
import { type PageToCharge, visibleAt } from "#domain/selling/charge-pages/find-public-charge-page"
import { type Clock, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { isId, newId, newTxid } from "#kit/ids"
import { feeFromGross, noMoney, subtractCents } from "#kit/money"
import { type Psp, PspError } from "#psp/psp"
import type { AskedCharge, OpenCharge, PayerData } from "./charge.ts"
import type { ChargeSteps } from "./charge-steps.ts"
import { problemOfPixCode } from "./check-pix-code.ts"
import { asOpen } from "./open-charges.ts"
import { type StoredOrRefused, sameRequest } from "./store-charges.ts"

export interface CreateChargeDeps {
  chargeSteps: ChargeSteps
  psp: Psp
  clock: Clock
  log: Logger
}

export interface CreateChargeInput {
  pageId: string
  customerInfo: CustomerInfoBody | null
  /** The same key on the same page returns the same Pix. */
  idempotencyKey: string | null
}

/** The provider is called between two transactions: no lock ever waits for the network. */
export async function createCharge(deps: CreateChargeDeps, input: CreateChargeInput): Promise<OpenCharge> {
  const { chargeSteps: steps } = deps
  if (!isId(input.pageId)) throw new DomainError("public_charge_page_not_found")
  const shown = await steps.findPage(input.pageId)
  const now = deps.clock.now()
  const page = shown === null ? null : visibleAt(shown, now)
  if (page === null) throw new DomainError("public_charge_page_not_found")
  const draft = draftCharge(deps.psp.name, { page, now }, input)
  const charge = unlessRefused(page.status === "completed" ? await findMade(steps, draft) : await steps.store(draft))
  if (charge.status !== "creating") return asOpen(charge)
  const pixCode = await askProvider(deps, charge)
  const opened = await steps.open({ charge, pixCode, now: deps.clock.now() })
  if (opened === null) throw new DomainError("public_charge_page_not_found")
  return opened
}

/** A page that takes no more payments still returns what the key created before. */
async function findMade(steps: ChargeSteps, draft: AskedCharge): Promise<StoredOrRefused> {
  const { pageId, idempotencyKey } = draft
  const known = idempotencyKey === null ? null : await steps.findByKey({ pageId, key: idempotencyKey })
  return known === null ? new DomainError("charge_page_already_paid") : sameRequest(known, draft)
}

interface Facts {
  page: PageToCharge
  now: Date
}

function draftCharge(provider: string, { page, now }: Facts, input: CreateChargeInput): AskedCharge {
  const { feeBasisPoints, expirationMinutes } = page.terms
  const payer = payerDataFor(page, input.customerInfo)
  const latest = secondsAfter(now, expirationMinutes * 60)
  const feeCents = feeFromGross(page.amountCents, feeBasisPoints)
  return {
    id: newId(),
    sellerId: page.sellerId,
    pageId: page.id,
    txid: newTxid(now),
    provider,
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
    requestHash: hash("sha256", JSON.stringify([page.id, payer]), "buffer"),
    endToEndId: null,
    paidAt: null,
    isLate: false,
    isDuplicate: false,
    removal: "none",
    createdAt: now,
    updatedAt: now,
  }
}

/** Keeps only the data that the page asks for. */
function payerDataFor(page: PageToCharge, info: CustomerInfoBody | null): PayerData {
  if (page.allowAnonymous) return { name: null, email: null, cpf: null, phone: null }
  const sent = info ?? {}
  const problem = payerDataProblem(sent, requiredFields(page))
  if (problem !== null) throw brokenRule(`customerInfo.${problem.field}`, problem.message)
  return {
    name: page.requireName ? (sent.name ?? null) : null,
    email: page.requireEmail ? (sent.email ?? null) : null,
    cpf: page.requireCpf ? digitsOf(sent.cpf) : null,
    phone: page.requirePhone ? digitsOf(sent.phone) : null,
  }
}

function unlessRefused(outcome: StoredOrRefused): AskedCharge {
  if (outcome instanceof DomainError) throw outcome
  return outcome
}

async function askProvider(deps: CreateChargeDeps, charge: AskedCharge): Promise<string> {
  // Computed from the creation time, so that a retried request is identical.
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
    // After 'unknown' the same key may retry under the same txid; a job ends charges that nobody finishes.
    if (error.failure !== "unknown") await giveUp(deps, charge, error.failure === "rejected" ? "due" : "none")
    throw new DomainError("psp_unavailable", { cause: error })
  }
}

async function giveUp(deps: CreateChargeDeps, charge: AskedCharge, removal: "none" | "due"): Promise<void> {
  await deps.chargeSteps.giveUp({ id: charge.id, removal, now: deps.clock.now() })
}
