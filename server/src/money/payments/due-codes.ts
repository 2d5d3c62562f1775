import type { Logger } from "pino"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { type Psp, PspError } from "#psp/psp"
import { lockPagesOfCharges } from "#selling/charge-pages/change"
import { createCharge } from "#selling/charges/create"
import { closeOpenCharges } from "#selling/charges/end"
import type { ChargeSteps } from "#selling/charges/open"
import { findOpenCode } from "#selling/charges/reads"
import { becomeDaily, claimUnsentTerms, debtorOf, keepCode } from "#selling/invoices/change"
import { findInvoiceOfPage } from "#selling/invoices/reads"
import type { Invoice } from "#selling/invoices/rules"
import { bookPayments } from "./book.ts"

interface Deps {
  db: Db
  psp: Psp
  clock: Clock
  log: Logger
  chargeSteps: ChargeSteps
}

/** Banks take a few calls at once. */
const AT_ONCE = 8

/** Gives invoices in mode `bank` their code, and tells the bank of the terms that were changed. */
export async function sendTerms(deps: Deps): Promise<void> {
  for (;;) {
    const claim = { now: deps.clock.now(), atMost: AT_ONCE }
    const claimed = await deps.db.transaction().execute((tx) => claimUnsentTerms(tx, claim))
    await Promise.all(claimed.map(({ pageId }) => sendUnlessSilent(deps, pageId)))
    if (claimed.length < AT_ONCE) return
  }
}

/** At once, for whoever waits for it; what the bank doesn't answer is left to the job. */
export async function sendTermsOf(deps: Deps, { id, mode }: Pick<Invoice, "id" | "mode">): Promise<void> {
  if (mode !== "bank") return
  const claim = { now: deps.clock.now(), atMost: 1, id }
  const claimed = await deps.db.transaction().execute((tx) => claimUnsentTerms(tx, claim))
  for (const { pageId } of claimed) await sendUnlessSilent(deps, pageId)
}

async function sendUnlessSilent(deps: Deps, pageId: string): Promise<void> {
  try {
    await send(deps, pageId)
  } catch (error) {
    const refusal = refusalIn(error)
    if (refusal !== null) return refuse(deps, pageId, refusal)
    deps.log.warn({ err: error, pageId }, "the bank doesn't know the terms of an invoice yet")
  }
}

/** The bank's reason; null where it may still do it. */
function refusalIn(error: unknown): string | null {
  const cause = error instanceof DomainError ? error.cause : error
  if (cause instanceof PspError) return cause.failure === "rejected" ? cause.message : null
  return error instanceof DomainError && error.code === "psp_refused" ? "o código do banco não serve" : null
}

async function send(deps: Deps, pageId: string): Promise<void> {
  const { db, psp } = deps
  const [invoice, code] = await Promise.all([findInvoiceOfPage(db, pageId), findOpenCode(db, pageId)])
  if (invoice === null || invoice.mode !== "bank" || invoice.status !== "open") return
  if (code === null) {
    await createCharge(deps, { pageId, customerInfo: null, idempotencyKey: null })
    return
  }
  if (psp.dueCharges === null) throw new PspError("rejected", "the provider offers no charges with a due day")
  const { revision, terms, description } = invoice
  const debtor = await debtorOf(db, invoice)
  const { txid, pixCode } = code
  // A bank that is new here doesn't know the code of the one before.
  const isOurs = code.provider === psp.name
  const outcome = isOurs ? await psp.dueCharges.revise({ txid, terms, debtor, description }) : "ended"
  if (outcome === "paid") return bookPayments(deps, await psp.findReceiptsOfCharge(txid))
  if (outcome === "revised") return db.transaction().execute((tx) => keepCode(tx, { pageId, pixCode, revision }))
  await db.transaction().execute((tx) => endCode(tx, pageId, deps.clock.now()))
}

/** The next run makes another one. */
async function endCode(tx: Tx, pageId: string, now: Date): Promise<void> {
  await lockPagesOfCharges(tx, [pageId])
  await closeOpenCharges(tx, { pageId, now })
}

async function refuse({ db, clock, log }: Deps, pageId: string, refusal: string): Promise<void> {
  log.warn({ pageId, refusal }, "the bank refused an invoice's code: each day has one of its own")
  await db.transaction().execute((tx) => fallBack(tx, pageId, refusal.slice(0, 200), clock.now()))
}

async function fallBack(tx: Tx, pageId: string, refusal: string, now: Date): Promise<void> {
  await lockPagesOfCharges(tx, [pageId])
  await becomeDaily(tx, pageId, refusal, now)
  await closeOpenCharges(tx, { pageId, now })
}
