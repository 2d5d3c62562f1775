import { hash } from "node:crypto"
import type { CustomerInfoBody } from "@tilinta/contract/api/payments-endpoints"
import { digitsOf, payerDataProblem, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { isPhone, phoneDigitsOf } from "@tilinta/contract/vocabulary/phone"
import { hasVisible } from "@tilinta/contract/vocabulary/readable-text"
import type { Logger } from "pino"
import { type PageToCharge, visibleAt } from "#domain/selling/charge-pages/find-public-charge-page"
import { type Clock, secondsAfter } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/domain-error"
import { isId, newId, newTxid } from "#kit/ids"
import { feeFromGross, noMoney, subtractCents } from "#kit/money"
import { createRecentMap } from "#kit/recent-map"
import { type Psp, PspError } from "#psp/psp"
import type { AskedCharge, OpenCharge, PayerData } from "./charge.ts"
import type { ChargeSteps } from "./charge-steps.ts"
import { oddNamesOf, problemOfPixCode } from "./check-pix-code.ts"
import { asOpen } from "./open-charges.ts"
import { payerOf } from "./reuse-charge.ts"
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
  /** The payer's network, from which an unpaid code is shown again instead of a new one. */
  network?: string
  /** Asked before the bank is asked for a new code; what is shown again costs nothing. */
  refuseNew?: () => DomainError | null
}

/** A payer never hears of a page that its seller saves meanwhile, and gets the Pix of the new one. */
const mostTries = 3

export async function createCharge(deps: CreateChargeDeps, input: CreateChargeInput): Promise<OpenCharge> {
  if (!isId(input.pageId)) throw new DomainError("public_charge_page_not_found")
  return deps.chargeSteps.admit(() => createAdmitted(deps, input))
}

async function createAdmitted(deps: CreateChargeDeps, input: CreateChargeInput): Promise<OpenCharge> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const opened = await createOnce(deps, input)
    if (opened !== null) return opened
  }
  throw new DomainError("charge_page_changed")
}

/**
 * Null when the page changed meanwhile, or no longer takes payments, which the next reading decides. The provider is
 * called between two transactions: no lock ever waits for the network.
 */
async function createOnce(deps: CreateChargeDeps, input: CreateChargeInput): Promise<OpenCharge | null> {
  const { chargeSteps: steps } = deps
  const shown = await steps.findPage(input.pageId)
  const now = deps.clock.now()
  const page = shown === null ? null : visibleAt(shown, now)
  if (page === null) throw new DomainError("public_charge_page_not_found")
  const draft = draftCharge(deps.psp.name, { page, now }, input)
  if (page.status === "completed") return finish(deps, await findMade(steps, draft))
  const payer = payerOf(draft, input.network ?? null)
  if (payer === null) return createNew(deps, draft, input)
  return steps.unpaidCodes.afterOthers(payer, () => reuseOrCreate(deps, { draft, payer }, input))
}

/** A payer who asks again, in another tab or after a reload, gets the code that they have not paid yet. */
async function reuseOrCreate(
  deps: CreateChargeDeps,
  { draft, payer }: { draft: AskedCharge; payer: string },
  input: CreateChargeInput,
): Promise<OpenCharge | null> {
  const { unpaidCodes, reuse } = deps.chargeSteps
  const unpaid = unpaidCodes.find(payer)
  if (unpaid !== undefined) {
    const made = await findByKey(deps.chargeSteps, draft)
    const known = made === null ? await reuse(unpaid, draft) : unlessRefused(made)
    if (known !== null && known.status !== "creating") return asOpen(known)
  }
  const created = await createNew(deps, draft, input)
  if (created !== null) unpaidCodes.remember(payer, created.id)
  return created
}

async function createNew(
  deps: CreateChargeDeps,
  draft: AskedCharge,
  { refuseNew }: CreateChargeInput,
): Promise<OpenCharge | null> {
  const refusal = refuseNew?.() ?? null
  if (refusal === null) return finish(deps, await deps.chargeSteps.store(draft))
  const made = unlessRefused((await findByKey(deps.chargeSteps, draft)) ?? refusal)
  if (made === null || made.status === "creating") throw refusal
  return asOpen(made)
}

async function finish(deps: CreateChargeDeps, outcome: StoredOrRefused): Promise<OpenCharge | null> {
  const charge = unlessRefused(outcome)
  if (charge === null) return null
  if (charge.status !== "creating") return asOpen(charge)
  const pixCode = await askProvider(deps, charge)
  return deps.chargeSteps.open({ charge, pixCode, now: deps.clock.now() })
}

/** A page that takes no more payments still returns what the key created before. */
async function findMade(steps: ChargeSteps, draft: AskedCharge): Promise<StoredOrRefused> {
  return (await findByKey(steps, draft)) ?? new DomainError("charge_page_already_paid")
}

/** Null when the key is new. */
async function findByKey(steps: ChargeSteps, draft: AskedCharge): Promise<StoredOrRefused | null> {
  const { pageId, idempotencyKey } = draft
  const known = idempotencyKey === null ? null : await steps.findByKey({ pageId, key: idempotencyKey })
  return known === null ? null : sameRequest(known, draft)
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
  if (page.requireName && !hasVisible(sent.name ?? "")) throw brokenRule("customerInfo.name", "Nome é obrigatório")
  if (page.requirePhone && !isPhone(sent.phone ?? "")) {
    throw brokenRule("customerInfo.phone", "Informe o telefone com DDD")
  }
  return {
    name: page.requireName ? (sent.name ?? null) : null,
    email: page.requireEmail ? (sent.email ?? null) : null,
    cpf: page.requireCpf ? digitsOf(sent.cpf) : null,
    phone: page.requirePhone ? phoneDigitsOf(sent.phone ?? "") : null,
  }
}

function unlessRefused(outcome: StoredOrRefused): AskedCharge | null {
  if (!(outcome instanceof DomainError)) return outcome
  if (outcome.code === "charge_page_changed") return null
  throw outcome
}

async function askProvider(deps: CreateChargeDeps, charge: AskedCharge): Promise<string> {
  // Computed from the creation time, so that a retried request is identical.
  const expiresInSeconds = Math.floor((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000)
  if (expiresInSeconds < 1) throw new DomainError("public_charge_page_not_found")
  const pixCode = await requestPixCode(deps, charge, expiresInSeconds)
  const problem = problemOfPixCode(pixCode, charge.amountCents)
  if (problem === null) {
    warnOfOddNames(deps.log, pixCode)
    return pixCode
  }
  deps.log.error({ alarm: "bad_pix_code", chargeId: charge.id, problem }, "refused the provider's code")
  await giveUp(deps, charge, "due")
  throw new DomainError("psp_unavailable")
}

const warned = createRecentMap<string, true>(16)

/** Once for each kind, because all codes of a bank are alike. */
function warnOfOddNames(log: Logger, pixCode: string): void {
  const odd = oddNamesOf(pixCode).join(" ")
  if (odd === "" || warned.get(odd) === true) return
  warned.set(odd, true)
  log.warn(
    { odd },
    "the provider writes the receiver's name or city against the manual; its codes are shown all the same",
  )
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
