import { decodeBrCode } from "@tilinta/brcode/decode"
import type { ChargePageStatus } from "@tilinta/contract/vocabulary/charge-pages"
import type { ErrorCode } from "@tilinta/contract/vocabulary/error-codes"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import type { Logger } from "pino"
import { isDatabaseDown } from "#db/database-down"
import { type Db, executeOne, type LookupDb, type Tx } from "#db/transaction"
import { createRecentMap } from "#kit/caches"
import { type Clock, secondsAfter, type Times } from "#kit/clock"
import { DomainError, invariant } from "#kit/errors"
import { createMicroBatch } from "#kit/micro-batch"
import type { Admission } from "#kit/waiting-line"
import { claimIdempotencyKey } from "#platform/idempotency/claim"
import { type Psp, PspError } from "#psp/psp"
import { findPagesToChargeById } from "#selling/charge-pages/public-page"
import { type PageToCharge, statusAt } from "#selling/charge-pages/rules"
import { type DueCode, keepCode, type PricedInvoice, priceInvoice } from "#selling/invoices/change"
import {
  closeOpenCharges,
  createUnpaidCodes,
  type FailedCharge,
  failCharge,
  failUnopenedCharge,
  type UnpaidCodes,
} from "./end.ts"
import { findChargesByKeys, insertChargesOnce, type KeyOfPage, markChargesOpen } from "./new-charges-table.ts"
import { countEndedCodes, findChargeRow, findPageCharge, hasCodeEndingBy } from "./reads.ts"
import type { OpenCharge, PageCharge } from "./rules.ts"

export interface ProviderDeps {
  chargeSteps: ChargeSteps
  psp: Psp
  clock: Clock
  log: Logger
}

/**
 * Gets the code of a stored charge, unless it has one already. Null when the page was closed meanwhile. The provider is
 * called between two transactions: no lock ever waits for the network.
 */
export async function openAtProvider(
  deps: ProviderDeps,
  charge: PageCharge,
  due: DueCode | null = null,
): Promise<OpenCharge | null> {
  if (charge.status !== "creating") return asOpen(charge)
  const pixCode = await askProvider(deps, charge, due)
  const opened = await deps.chargeSteps.open({ charge, pixCode, now: deps.clock.now() })
  if (due !== null && opened !== null) {
    await deps.chargeSteps.keepCode({ pageId: charge.pageId, pixCode: opened.pixCode, revision: due.revision })
  }
  return opened
}

async function askProvider(deps: ProviderDeps, charge: PageCharge, due: DueCode | null): Promise<string> {
  // Computed from the creation time, so that a retried request is identical.
  const expiresInSeconds = Math.floor((charge.expiresAt.getTime() - charge.createdAt.getTime()) / 1000)
  if (expiresInSeconds < 1) throw new DomainError("public_charge_page_not_found")
  const pixCode = await requestPixCode(deps, charge, { expiresInSeconds, due })
  const problem = problemOfPixCode(pixCode, charge.amountCents)
  if (problem === null) {
    warnOfOddTexts(deps.log, pixCode)
    return pixCode
  }
  deps.log.error({ alarm: "bad_pix_code", chargeId: charge.id, problem }, "refused the provider's code")
  await giveUp(deps, charge, "due")
  throw new DomainError("psp_refused")
}

const warned = createRecentMap<string, true>(16)

/** Once for each kind, because all codes of a bank are alike. */
function warnOfOddTexts(log: Logger, pixCode: string): void {
  const odd = oddTextsOf(pixCode).join(" ")
  if (odd === "" || warned.get(odd) === true) return
  warned.set(odd, true)
  log.warn(
    { odd },
    "the provider writes texts of its codes, or their lengths, against the manual; the codes are shown all the same",
  )
}

interface Wanted {
  expiresInSeconds: number
  due: DueCode | null
}

async function requestPixCode(
  deps: ProviderDeps,
  charge: PageCharge,
  { expiresInSeconds, due }: Wanted,
): Promise<string> {
  const { txid, amountCents, pageTitle: description } = charge
  const { psp } = deps
  try {
    if (due === null) return (await psp.createCharge({ txid, amountCents, expiresInSeconds, description })).pixCode
    if (psp.dueCharges === null) throw new PspError("rejected", "the provider offers no charges with a due day")
    return (await psp.dueCharges.create({ txid, terms: due.terms, debtor: due.debtor, description })).pixCode
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    const isRefused = error.failure === "rejected"
    const alarm = isRefused ? { alarm: "charge_refused" } : {}
    deps.log.error({ err: error, chargeId: charge.id, failure: error.failure, ...alarm }, "the provider made no charge")
    // After 'unknown' the same key may retry under the same txid; a job ends charges that nobody finishes.
    if (error.failure !== "unknown") await giveUp(deps, charge, isRefused ? "due" : "none")
    // A refusal doesn't heal by itself: another try would get it again.
    throw new DomainError(isRefused ? "psp_refused" : "psp_unavailable", { cause: error })
  }
}

async function giveUp(deps: ProviderDeps, charge: PageCharge, removal: "none" | "due"): Promise<void> {
  await deps.chargeSteps.giveUp({ id: charge.id, pageId: charge.pageId, removal, now: deps.clock.now() })
}

interface CodeOfCharge {
  charge: PageCharge
  pixCode: string
  now: Date
}

/** Null when the page was closed while the provider worked: the code is never shown, and is removed. */
export async function openCharges(db: Db, codes: readonly CodeOfCharge[]): Promise<(OpenCharge | null)[]> {
  const wanted = new Map<string, CodeOfCharge>()
  for (const code of codes) {
    // Two concurrent requests with one key are one charge, requested twice from the provider.
    if (!wanted.has(code.charge.id)) wanted.set(code.charge.id, code)
  }
  const openings = [...wanted.values()].map(({ charge, pixCode, now }) => {
    return { id: charge.id, pageId: charge.pageId, pixCode, openedAt: now }
  })
  const opened = await executeOne(db, markChargesOpen(openings))
  const outcomes: (OpenCharge | null)[] = []
  for (const code of codes) {
    const { charge, pixCode, now } = code
    const isOpened = wanted.get(charge.id) === code && opened.has(charge.id)
    outcomes.push(isOpened ? { ...charge, status: "pending", pixCode, updatedAt: now } : await endUnopened(db, code))
  }
  return outcomes
}

/** Another request opened the charge, or it was ended meanwhile. */
async function endUnopened(db: Db, { charge, now }: CodeOfCharge): Promise<OpenCharge | null> {
  const current = await findChargeRow(db, charge.id)
  if (current !== null && current.pixCode !== null) {
    return asOpen({ ...current, pageId: charge.pageId, txid: charge.txid })
  }
  await db.transaction().execute((tx) => failUnopenedCharge(tx, { id: charge.id, pageId: charge.pageId, now }))
  return null
}

export function asOpen(charge: PageCharge): OpenCharge {
  invariant(charge.pixCode !== null, `charge ${charge.id} is ${charge.status} without a code`)
  return { ...charge, pixCode: charge.pixCode }
}

/** The draft, or what its key created before. A refusal does not affect the rest of the batch. */
export type StoredOrRefused = PageCharge | DomainError

/** Writes in one statement. Only drafts that it left out need further reads. */
export async function storeCharges(db: Db, drafts: readonly PageCharge[]): Promise<StoredOrRefused[]> {
  const stored = await executeOne(db, insertChargesOnce(drafts))
  const others = drafts.filter(({ id }) => !stored.has(id))
  if (others.length === 0) return [...drafts]
  const winners = await findWinners(db, others)
  const pages = await findPagesToChargeById(
    db,
    others.map(({ pageId }) => pageId),
  )
  const outcomes: StoredOrRefused[] = []
  for (const draft of drafts) {
    const page = pages[others.indexOf(draft)] ?? null
    outcomes.push(stored.has(draft.id) ? draft : await findStored(db, draft, { winners, page }))
  }
  return outcomes
}

async function findWinners(db: Db, drafts: readonly PageCharge[]): Promise<PageCharge[]> {
  const keys = drafts.flatMap(({ pageId, idempotencyKey }) =>
    idempotencyKey === null ? [] : [{ pageId, key: idempotencyKey }],
  )
  return keys.length === 0 ? [] : findChargesByKeys(db, keys)
}

interface Found {
  winners: readonly PageCharge[]
  page: PageToCharge | null
}

/**
 * Another request was faster with the same key, or this is the retry of a commit whose answer was lost. Otherwise it is
 * refused.
 */
async function findStored(db: Db, draft: PageCharge, { winners, page }: Found): Promise<StoredOrRefused> {
  const { pageId, idempotencyKey } = draft
  const winner = winners.find((one) => one.pageId === pageId && one.idempotencyKey === idempotencyKey)
  if (winner !== undefined) return sameRequest(winner, draft)
  const own = await findChargeRow(db, draft.id)
  return own?.status === "creating" ? draft : refusalOf(draft, page)
}

const refusalOfStatus = {
  active: "charge_page_changed",
  completed: "charge_page_already_paid",
  expired: "public_charge_page_not_found",
  cancelled: "public_charge_page_not_found",
} as const satisfies Record<ChargePageStatus, ErrorCode>

function refusalOf(draft: PageCharge, page: PageToCharge | null): DomainError {
  if (page?.isSuspended) return new DomainError("charge_page_suspended")
  return new DomainError(
    page === null ? "public_charge_page_not_found" : refusalOfStatus[statusAt(page, draft.createdAt)],
  )
}

export function sameRequest(known: PageCharge, draft: PageCharge): StoredOrRefused {
  return hasSameRequest(known, draft) ? known : new DomainError("idempotency_key_reused")
}

function hasSameRequest(known: PageCharge, draft: PageCharge): boolean {
  return draft.requestHash?.equals(known.requestHash ?? Buffer.alloc(0)) ?? false
}

/**
 * The problem of a provider's code; null without one. Our own decoder reads it before anybody sees it: a wrong CRC,
 * kind or amount is refused.
 */
export function problemOfPixCode(pixCode: string, amountCents: Cents): string | null {
  const decoded = decodeBrCode(pixCode)
  if (!decoded.valid) return decoded.error
  if (decoded.code.url === undefined) return "not a dynamic code"
  const codeCents = decoded.code.amountCents
  // Zero means that the amount is in the payload behind the URL.
  return codeCents === undefined || codeCents === 0 || codeCents === amountCents
    ? null
    : "the code asks for another amount"
}

const decorative = /^(name|city|text)-(chars|length)$|^byte-lengths$/

/** Deviations in the receiver's name, city and other texts, which payers' banks ignore: a reason to warn, not to refuse. */
export function oddTextsOf(pixCode: string): string[] {
  const decoded = decodeBrCode(pixCode)
  return decoded.valid ? decoded.code.lint.filter((lint) => decorative.test(lint)) : []
}

/** The receiver's name in the code; empty when unreadable. */
export function receiverNameOf(pixCode: string): string {
  const decoded = decodeBrCode(pixCode)
  return decoded.valid ? decoded.code.merchantName : ""
}

/** The steps of creating a charge, batched across payers who come at once. */
export interface ChargeSteps {
  /** Lets a creation begin, which costs more than a payment or ten polls: others wait or are refused. */
  admit: Admission["run"]
  findPage(id: string): Promise<PageToCharge | null>
  findByKey(query: KeyOfPage): Promise<PageCharge | null>
  /** The day's code of an invoice's page; null once nothing can be paid. */
  askForCode(invoice: { pageId: string; times: Times }): Promise<PricedInvoice | null>
  store(draft: PageCharge): Promise<StoredOrRefused>
  open(code: CodeOfCharge): Promise<OpenCharge | null>
  /** The code of an invoice's whole life, with the revision that it asks. */
  keepCode(code: { pageId: string; pixCode: string; revision: number }): Promise<void>
  giveUp(failed: FailedCharge): Promise<void>
  unpaidCodes: UnpaidCodes
  reuse(chargeId: string, draft: PageCharge): Promise<PageCharge | null>
}

/**
 * Larger batches would only add latency. Statements and a commit cost as much for one charge as for ten. So while payers come
 * at once, batches start some milliseconds apart, which a payer doesn't notice next to the bank's answer, and a second one starts
 * while the first runs only when that takes long: it waits for the disk or for a lock. Creations are admitted or refused before
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
    findPage: createMicroBatch<string, PageToCharge | null>({ ...usual, run: (ids) => findPagesToChargeById(db, ids) }),
    findByKey: createMicroBatch<KeyOfPage, PageCharge | null>({
      ...usual,
      async run(queries) {
        const found = await findChargesByKeys(db, queries)
        return queries.map(
          ({ pageId, key }) => found.find((one) => one.pageId === pageId && one.idempotencyKey === key) ?? null,
        )
      },
    }),
    askForCode: ({ pageId, times }) => db.transaction().execute((tx) => askForCode(tx, pageId, times)),
    store: createMicroBatch<PageCharge, StoredOrRefused>({ ...usual, run: (drafts) => storeCharges(db, drafts) }),
    open: createMicroBatch<CodeOfCharge, OpenCharge | null>({
      ...usual,
      // Each caller goes on to draw its QR image, and polls and payments would wait for those of a whole batch.
      perTurn: 8,
      run: (codes) => openCharges(db, codes),
    }),
    keepCode: (code) => db.transaction().execute((tx) => keepCode(tx, code)),
    unpaidCodes: createUnpaidCodes(),
    reuse: (chargeId, draft) => reuseCharge(db, chargeId, draft),
    giveUp: (failed) => db.transaction().execute((tx) => failCharge(tx, failed)),
  }
}

/** A code with less time than this left is not shown again, unless a new one would end as soon. */
const LEAST_SECONDS = 10 * 60

/**
 * Names the payer of a draft: the same data on the same page from the same network. Null when the data doesn't tell one
 * person from another: neighbours behind one address must never share a code.
 */
export function payerOf({ payer, requestHash }: PageCharge, network: string | null): string | null {
  const isOnePerson = [payer.email, payer.cpf, payer.cnpj, payer.phone].some((known) => known !== null && known !== "")
  return isOnePerson && network !== null && requestHash !== null ? `${network} ${requestHash.toString("hex")}` : null
}

/** The unpaid charge, if it is what the draft asks for; then the draft's key stands for it from now on. */
async function reuseCharge(db: Db, chargeId: string, draft: PageCharge): Promise<PageCharge | null> {
  const known = await findPageCharge(db, chargeId)
  if (known === null || !isSameCode(known, draft)) return null
  if (draft.idempotencyKey === null || draft.idempotencyKey === known.idempotencyKey) return known
  const firstId = await db.transaction().execute((tx) => claimKey(tx, draft, known))
  return firstId === known.id ? known : null
}

function isSameCode(known: PageCharge, draft: PageCharge): boolean {
  const lasts = known.expiresAt >= draft.expiresAt || known.expiresAt >= secondsAfter(draft.createdAt, LEAST_SECONDS)
  return (
    hasSameRequest(known, draft) &&
    lasts &&
    known.status === "pending" &&
    known.amountCents === draft.amountCents &&
    known.provider === draft.provider
  )
}

/** The request is what the charge's own hash covers, so that the key with other data is refused. */
async function claimKey(
  tx: Tx,
  { pageId, requestHash, idempotencyKey }: PageCharge,
  { id }: PageCharge,
): Promise<string> {
  const request = [requestHash?.toString("hex")]
  return claimIdempotencyKey(tx, { ownerId: pageId, key: idempotencyKey, request, resourceId: id })
}

/** A code that is about to end is no use to whoever asks for one now. */
const LEAST_LEFT_SECONDS = 5 * 60

/** The day's only code of an invoice, whoever asks for it. Those of other days and terms end before it is made. */
async function askForCode(tx: Tx, pageId: string, times: Times): Promise<PricedInvoice | null> {
  const { now } = times
  const invoice = await priceInvoice(tx, pageId, times)
  if (invoice === null) return null
  const isOutdated = invoice.isFirstOfDay || (await hasCodeEndingBy(tx, pageId, secondsAfter(now, LEAST_LEFT_SECONDS)))
  if (isOutdated) await closeOpenCharges(tx, { pageId, now })
  // A code that ended, as by a suspension, is followed by another one.
  return { ...invoice, key: `${invoice.key} ${await countEndedCodes(tx, pageId)}` }
}
