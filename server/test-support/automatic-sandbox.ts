import { dueTermsOf, type SentTerms } from "@tilinta/contract/vocabulary/invoices"
import type { MandateJourney, RetryPolicy } from "@tilinta/contract/vocabulary/mandates"
import type { SubscriptionPeriod } from "@tilinta/contract/vocabulary/subscriptions"
import { expect } from "vitest"
import { secondsAfter } from "#kit/clock"
import { verifyLedger } from "#ledger/reads"
import { bookPayments } from "#money/payments/book"
import { findPaymentDifferences } from "#money/payments/verify-reads"
import { createCharge } from "#selling/charges/create"
import { customerFieldsFrom } from "#selling/customers/rules"
import { findInvoiceDifferences } from "#selling/invoices/reads"
import { askAboutMandates } from "#selling/mandates/ask"
import { requestMandate } from "#selling/mandates/manage"
import { findDebitsOfInvoices, getMandate } from "#selling/mandates/reads"
import { planDebits, runDebits } from "#selling/mandates/run"
import { issueCycles } from "#selling/subscriptions/issue"
import { createSubscription } from "#selling/subscriptions/manage"
import { listCycles } from "#selling/subscriptions/reads"
import { openAutomaticBank } from "./automatic-bank.ts"
import { createSeller, openSandbox, receiptOf } from "./sandbox.ts"
import { saveSetting } from "./save-setting.ts"
import { withSharedClock } from "./shared-clock.ts"

export const refusedAs = (code: string) => expect.objectContaining({ code })

export interface SubscriptionInput {
  terms?: Partial<SentTerms>
  cycles?: number
  period?: SubscriptionPeriod
  leadDays?: number
}

export interface MandateInput {
  journey?: MandateJourney
  retryPolicy?: RetryPolicy
  startsOn?: string
  idempotencyKey?: string
}

/** As both jobs do it. */
export async function workOnDebits(deps: Parameters<typeof runDebits>[0]) {
  await planDebits(deps)
  await runDebits(deps)
}

const start = "2026-12-01T12:00:00-03:00"

/** A seller who may ask for authorisations, a bank that gives them, and a clock that stands still. */
export async function openAutomaticSandbox() {
  let now = new Date(start)
  const shared = withSharedClock(await openSandbox(), { now: () => now })
  const alarms: string[] = []
  const bank = openAutomaticBank(shared.psp.name, () => now)
  const log = {
    ...shared.log,
    warn: () => undefined,
    error: (facts: { alarm?: string }) => void alarms.push(facts.alarm ?? "?"),
  } as unknown as typeof shared.log
  const sandbox = { ...shared, log, psp: { ...shared.psp, automatic: bank.automatic } }
  const deps = { ...sandbox, book: (payments: Parameters<typeof bookPayments>[1]) => bookPayments(sandbox, payments) }
  let sellerId: string

  async function begin() {
    now = new Date(start)
    sellerId = await createSeller(sandbox)
    alarms.length = 0
    bank.calls.length = 0
    await saveSetting(sandbox.db, "AUTOMATIC_PIX", true)
    await saveSetting(sandbox.db, "LEGAL_NAME", "Tilinta Pagamentos Ltda")
    await saveSetting(sandbox.db, "LEGAL_CNPJ", "11222333000181")
    await sandbox.db
      .insertInto("automatic_sellers")
      .values({ seller_id: sellerId, reason: "x", enabled_by: sellerId, enabled_at: now })
      .execute()
  }

  async function end() {
    const checks = [findInvoiceDifferences(sandbox.db), findPaymentDifferences(sandbox.db), verifyLedger(sandbox.db)]
    expect((await Promise.all<unknown[]>(checks)).flat()).toEqual([])
    await sandbox.close()
  }

  const at = (day: string, hour = "12:00") => {
    now = new Date(`${day}T${hour}:00-03:00`)
  }
  const later = (seconds: number) => {
    now = secondsAfter(now, seconds)
  }
  const seller = () => ({ id: sellerId, address: "127.0.0.1" })
  const own = ({ id }: { id: string }) => ({ id, seller: seller() })

  function subscribe({ terms = {}, ...given }: SubscriptionInput = {}) {
    return createSubscription(sandbox, {
      seller: seller(),
      idempotencyKey: null,
      customer: customerFieldsFrom({ name: "Bruno Lima", document: "52998224725", email: "bruno@exemplo.com.br" }),
      title: "Mensalidade",
      method: "automatic",
      period: given.period ?? "monthly",
      terms: dueTermsOf({ amount: 100, dueDate: "2026-12-31", daysAfterDue: 30, ...terms }),
      endsOn: null,
      cycles: given.cycles ?? null,
      leadDays: given.leadDays ?? 10,
    })
  }

  const request = (subscription: { id: string }, asked: MandateInput = {}) =>
    requestMandate(sandbox, {
      subscriptionId: subscription.id,
      seller: seller(),
      journey: asked.journey ?? 2,
      startsOn: asked.startsOn ?? null,
      retryPolicy: asked.retryPolicy ?? "three_in_seven_days",
      idempotencyKey: asked.idempotencyKey ?? null,
    })

  const mandateOf = ({ id }: { id: string }) => getMandate(sandbox.db, id)

  async function approve(mandate: { id: string; contract: string }) {
    bank.approve(mandate.contract)
    await sandbox.db.updateTable("mandates").set({ ask_at: now }).where("id", "=", mandate.id).execute()
    await askAboutMandates(sandbox)
    return mandateOf(mandate)
  }

  async function askSoon() {
    await sandbox.db.updateTable("mandates").set({ ask_at: now }).execute()
    await askAboutMandates(sandbox)
  }

  /** As the jobs do it: cycles are charged, debits made, the bank asked. */
  async function run() {
    await issueCycles(sandbox)
    await sandbox.db.updateTable("debits").set({ ask_at: now }).where("ended_at", "is", null).execute()
    await workOnDebits(deps)
  }

  async function debitOf(subscription: { id: string }, number = 1) {
    const cycles = await listCycles(sandbox.db, subscription.id, { before: 1000, limit: 100 })
    const invoice = cycles.find((cycle) => cycle.number === number)?.invoice
    if (invoice === undefined) throw new Error("this cycle is not charged yet")
    const debit = (await findDebitsOfInvoices(sandbox.db, [invoice.id])).get(invoice.id) ?? null
    return { invoice, debit }
  }

  /** A subscription whose first cycle, of 31/12, is with the bank. */
  async function withDebit(given: SubscriptionInput & MandateInput = {}) {
    const subscription = await subscribe(given)
    const mandate = await approve(await request(subscription, given))
    at("2026-12-24")
    await run()
    const { invoice, debit } = await debitOf(subscription)
    if (debit === null) throw new Error("no debit was made")
    return { subscription, mandate, invoice, debit }
  }

  const codeOf = ({ pageId }: { pageId: string }) =>
    createCharge(sandbox, { pageId, customerInfo: null, idempotencyKey: null })

  async function payByLink(invoice: { pageId: string }) {
    const code = await codeOf(invoice)
    await bookPayments(sandbox, [{ ...receiptOf(code.txid, code.amountCents), paidAt: now }])
    return code
  }

  const eventsOf = async (subjectId: string) =>
    (
      await sandbox.db
        .selectFrom("event_drafts")
        .select("type")
        .where("subject_id", "=", subjectId)
        .orderBy("id")
        .execute()
    ).map(({ type }) => type)

  return {
    sandbox,
    deps,
    bank,
    alarms,
    begin,
    end,
    at,
    later,
    own,
    subscribe,
    request,
    mandateOf,
    approve,
    askSoon,
    run,
    debitOf,
    withDebit,
    codeOf,
    payByLink,
    eventsOf,
    now: () => now,
    sellerId: () => sellerId,
  }
}
