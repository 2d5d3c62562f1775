import type { DueTerms } from "@tilinta/contract/vocabulary/due-amount"
import { sentTermsOf } from "@tilinta/contract/vocabulary/invoices"
import { isLiveMandate, type MandateJourney, type RetryPolicy } from "@tilinta/contract/vocabulary/mandates"
import { cycleDayOf, FEWEST_LEAD_DAYS_OF_DEBITS, isLive } from "@tilinta/contract/vocabulary/subscriptions"
import type { Tx } from "#db/transaction"
import { type Day, dayText, dueToday, secondsAfter, type Times, timesOf } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId, randomAlphanumeric } from "#kit/ids"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { claimIdempotencyKey, isKeyClaimed } from "#platform/idempotency/claim"
import { createCharge } from "#selling/charges/create"
import { refusedSeller } from "#selling/charges/create-single"
import { closeOpenCharges } from "#selling/charges/end"
import type { ProviderDeps } from "#selling/charges/open"
import { becomeBank, lockInvoices } from "#selling/invoices/change"
import { findInvoiceOfLink } from "#selling/invoices/reads"
import type { Invoice } from "#selling/invoices/rules"
import { changeMethod, lockSubscription, requireLeadDays } from "#selling/subscriptions/manage"
import { findOpenOfSubscription, getOwnSubscription, getSubscription } from "#selling/subscriptions/reads"
import { type Plan, type Subscription, withNext } from "#selling/subscriptions/rules"
import { askBankOf, type BankDeps, LEASE_SECONDS } from "./ask.ts"
import { notifyOfRest } from "./mails.ts"
import {
  findCountingMandates,
  findDebitOfTxid,
  findDebitsOfInvoices,
  findLastDebits,
  findSettledDays,
  getMandate,
  getOwnMandate,
  listMandatesOf,
  mayUseAutomatic,
} from "./reads.ts"
import {
  authorisationPath,
  comingDayOf,
  type Debit,
  expiryOfWaiting,
  isPending,
  lastSendingOf,
  type Mandate,
} from "./rules.ts"
import { insertMandate, lockMandateRow, updateMandateRow } from "./table.ts"

type Deps = ProviderDeps & BankDeps

interface MandateRequest {
  subscriptionId: string
  seller: Actor
  journey: MandateJourney
  /** The first cycle that is debited; null for the next one that can be. */
  startsOn: Day | null
  retryPolicy: RetryPolicy
  idempotencyKey: string | null
}

/**
 * Asks the customer's bank for an authorisation, and for the code with which the customer gives it. One whose making the bank
 * doesn't answer is found by its contract before it is asked for again.
 * @throws automatic_pix_unavailable, idempotency_key_reused, mandate_waiting, subscription_ended, subscription_not_found, validation_failed
 */
export async function requestMandate(deps: Deps, request: MandateRequest): Promise<Mandate> {
  const sellerId = request.seller.id
  const subscription = await getOwnSubscription(deps.db, { id: request.subscriptionId, sellerId })
  const first = await deps.db.transaction().execute((tx) => findFirst(tx, request))
  if (first !== null) return getMandate(deps.db, first)
  await requireAutomatic(deps, sellerId)
  requireChargeable(subscription)
  const invoice = request.journey === 2 ? null : await findPayable(deps, subscription, request.journey)
  const startsOn = firstDebitDay(deps, subscription, { startsOn: request.startsOn, paid: invoice })
  const firstTxid = invoice && (await firstCodeOf(deps, invoice, request.journey))
  const id = await deps.db
    .transaction()
    .execute((tx) => store(tx, deps.psp.name, request, { startsOn, firstTxid }, timesOf(deps.clock)))
  await askBankOf(deps, id)
  return getMandate(deps.db, id)
}

/** @throws automatic_pix_unavailable */
async function requireAutomatic({ db, psp }: Pick<Deps, "db" | "psp">, sellerId: string): Promise<void> {
  if (!(await mayUseAutomatic(db, psp, sellerId))) throw new DomainError("automatic_pix_unavailable")
}

/** The amount of a debit is the authorised one: nothing may depend on the day. */
function problemOfFixedTerms(terms: DueTerms): string | null {
  const { fine, interest, discounts } = sentTermsOf(terms)
  const isFixed = !fine && !interest && discounts.length === 0
  return isFixed ? null : "Com débito automático não há multa, juros nem desconto: o valor é sempre o autorizado."
}

function requireChargeable({ status, customer, terms, leadDays }: Subscription): void {
  if (!isLive(status)) throw new DomainError("subscription_ended")
  if (!customer.document) throw brokenRule("customer.document", "CPF ou CNPJ é obrigatório")
  const problem = problemOfFixedTerms(terms)
  if (problem !== null) throw brokenRule("terms", problem)
  requireLeadDays(leadDays)
}

interface FirstDebit {
  /** As it was asked for; null for the next cycle that can be debited. */
  startsOn: Day | null
  /** The cycle that is paid with the authorisation is not debited, too. */
  paid: Invoice | null
}

function firstDebitDay(deps: Deps, subscription: Subscription, { startsOn, paid }: FirstDebit): Day {
  const { due } = timesOf(deps.clock)
  const paidDay = paid?.terms.dueDay ?? null
  if (startsOn === null) {
    const next = nextDebitDay(subscription, due, (day) => isFirstDay(subscription, day) && day > (paidDay ?? ""))
    if (next === null) throw brokenRule("startsOn", "Esta assinatura não tem mais cobranças.")
    return next
  }
  if (!isCycleDay(subscription, startsOn)) throw brokenRule("startsOn", "Informe o vencimento de um dos ciclos.")
  if (!isFirstDay(subscription, startsOn)) {
    const dayOfMonth = Number(subscription.terms.dueDay.slice(8))
    throw brokenRule("startsOn", `O banco repete o dia do primeiro débito: informe um vencimento do dia ${dayOfMonth}.`)
  }
  if (due >= lastSendingOf(startsOn)) {
    throw brokenRule("startsOn", "O banco precisa de alguns dias: informe um vencimento a partir de 4 dias.")
  }
  if (paidDay !== null && startsOn <= paidDay) {
    const message = `A cobrança de ${dayText(paidDay)} é paga junto: informe um vencimento depois dela.`
    throw brokenRule("startsOn", message)
  }
  return startsOn
}

/** The next cycle that the bank can still be told of. */
function nextDebitDay(subscription: Subscription, due: Date, mayBe: (day: Day) => boolean = () => true): Day | null {
  const { period, terms, position, issued } = subscription
  // The cycle that was charged last may still be debited.
  for (let at = Math.max(0, position - 1); ; at += 1) {
    const coming = { ...subscription, issued: issued + at - position }
    const day = at < position ? cycleDayOf(period, terms.dueDay, at) : withNext(coming, at).nextDueDay
    if (day === null) return null
    if (due < lastSendingOf(day) && mayBe(day)) return day
  }
}

/** Banks repeat the day of the first debit: after the 28th of a short month they refuse the 31st of each longer one. */
function isFirstDay({ period, terms }: Subscription, day: Day): boolean {
  return period === "weekly" || day.slice(8) === terms.dueDay.slice(8)
}

function isCycleDay({ period, terms }: Subscription, day: Day): boolean {
  let at = 0
  while (cycleDayOf(period, terms.dueDay, at) < day) at += 1
  return cycleDayOf(period, terms.dueDay, at) === day
}

/** The open invoice whose code is paid with the authorisation; in journey 4 one whose debit isn't under way. */
async function findPayable(deps: Deps, { id }: Subscription, journey: 3 | 4): Promise<Invoice> {
  if (journey === 4 && deps.psp.dueCharges === null) {
    throw brokenRule("journey", "O banco não oferece o código com vencimento. Use a jornada 3: paga e autoriza junto.")
  }
  const today = dueToday(deps.clock)
  const open = (await findOpenOfSubscription(deps.db, id)).filter(({ lastDay }) => lastDay >= today)
  const invoice = journey === 3 ? open[0] : open.find(({ debitFrom }) => debitFrom === null)
  if (invoice !== undefined) return invoice
  throw brokenRule("journey", "Não há cobrança em aberto para pagar junto. Use a jornada 2: só autorizar.")
}

/** Today's code, or in journey 4 that of the invoice's whole life. @throws psp_refused, psp_unavailable, validation_failed */
async function firstCodeOf(deps: Deps, { id, pageId }: Invoice, journey: MandateJourney): Promise<string> {
  if (journey === 4) await deps.db.transaction().execute((tx) => takeBankCode(tx, id, timesOf(deps.clock)))
  try {
    return (await createCharge(deps, { pageId, customerInfo: null, idempotencyKey: null })).txid
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "psp_refused")) throw error
    if (journey === 3) throw new DomainError("psp_refused", { message: refusedSeller, cause: error })
    // The job that asks for such codes is refused as well, and gives the invoice back its code of each day.
    throw brokenRule("journey", "O banco recusou o código com vencimento. Use a jornada 3: paga e autoriza junto.")
  }
}

/** A code that the bank keeps can't end when a debit goes out, so one is never both. */
async function takeBankCode(tx: Tx, id: string, times: Times): Promise<void> {
  const [invoice] = await lockInvoices(tx, [id])
  const debit = (await findDebitsOfInvoices(tx, [id])).get(id)
  if (invoice?.status !== "open" || (debit && debit.endedAt === null)) throw new DomainError("debit_under_way")
  if (invoice.mode === "bank") return
  await becomeBank(tx, invoice, times)
  await closeOpenCharges(tx, { pageId: invoice.pageId, now: times.now })
}

/** The id of what its key stands for: the given one, where the key is new. */
function claim(tx: Tx, request: MandateRequest, resourceId: string): Promise<string> {
  const { subscriptionId, seller, journey, retryPolicy, startsOn, idempotencyKey: key } = request
  const mandate = { subscriptionId, journey, retryPolicy, startsOn }
  return claimIdempotencyKey(tx, { ownerId: seller.id, key, request: { mandate }, resourceId })
}

/** The authorisation that an earlier request with its key made. */
async function findFirst(tx: Tx, request: MandateRequest): Promise<string | null> {
  const isRepeated = await isKeyClaimed(tx, request.seller.id, request.idempotencyKey)
  return isRepeated ? claim(tx, request, newId()) : null
}

async function store(
  tx: Tx,
  provider: string,
  request: MandateRequest,
  { startsOn, firstTxid }: Pick<Mandate, "startsOn" | "firstTxid">,
  times: Times,
): Promise<string> {
  const { subscriptionId, seller, journey, retryPolicy } = request
  const resourceId = newId()
  const id = await claim(tx, request, resourceId)
  if (id !== resourceId) return id
  const subscription = await lockSubscription(tx, subscriptionId)
  if (!isLive(subscription.status)) throw new DomainError("subscription_ended")
  if ((await listMandatesOf(tx, subscriptionId)).some(isPending)) throw new DomainError("mandate_waiting")
  const mandate: Mandate = {
    id,
    sellerId: seller.id,
    subscriptionId,
    uniqueLink: subscription.uniqueLink,
    provider,
    contract: randomAlphanumeric(20).toUpperCase(),
    journey,
    retryPolicy,
    amountCents: subscription.terms.amountCents,
    startsOn,
    firstTxid,
    recurrenceId: null,
    pixCode: null,
    status: "draft",
    endedCode: null,
    cancelSince: null,
    restsFor: null,
    expiresAt: expiryOfWaiting(times.now),
    missedAt: null,
    approvedAt: null,
    endedAt: null,
    createdAt: times.now,
    updatedAt: times.now,
  }
  // The job leaves it to this request, which asks next: making one isn't idempotent.
  await insertMandate(tx, mandate, secondsAfter(times.now, LEASE_SECONDS))
  await changeMethod(tx, subscription, "automatic", times)
  await record(tx, seller, "mandate.requested", mandate, times.now)
  return id
}

interface OwnCall {
  id: string
  /** The seller, or the API key that acts for them. */
  seller: Actor
}

/** Its debits that can still be called off are. @throws mandate_ended, mandate_not_found */
export async function cancelMandate(deps: Deps, call: OwnCall): Promise<Mandate> {
  await deps.db.transaction().execute((tx) => wantCancelled(tx, call, timesOf(deps.clock).now))
  await askBankOf(deps, call.id)
  return getMandate(deps.db, call.id)
}

async function wantCancelled(tx: Tx, { id, seller }: OwnCall, now: Date): Promise<void> {
  const mandate = await lockOwn(tx, { id, seller })
  if (mandate.cancelSince !== null) return
  await updateMandateRow(tx, { ...mandate, cancelSince: now, updatedAt: now }, now)
  await record(tx, seller, "mandate.cancelled", mandate, now)
}

/** An administrator's, as by order of the bank. @throws mandate_ended, mandate_not_found */
export async function cancelAnyMandate(
  deps: Deps,
  input: { id: string; admin: Actor; reason: string },
): Promise<Mandate> {
  await deps.db.transaction().execute((tx) => wantAnyCancelled(tx, input, timesOf(deps.clock).now))
  await askBankOf(deps, input.id)
  return getMandate(deps.db, input.id)
}

async function wantAnyCancelled(
  tx: Tx,
  { id, admin, reason }: { id: string; admin: Actor; reason: string },
  now: Date,
): Promise<void> {
  const mandate = await lockLive(tx, await getMandate(tx, id))
  if (mandate.cancelSince === null) {
    await updateMandateRow(tx, { ...mandate, cancelSince: now, updatedAt: now }, now)
  }
  await record(tx, admin, "mandate.cancelled", mandate, now, reason)
}

/** The seller has looked: cycles are debited again. @throws mandate_ended, mandate_not_found */
export async function resumeMandate({ db, clock }: Pick<Deps, "db" | "clock">, call: OwnCall): Promise<Mandate> {
  return db.transaction().execute((tx) => resume(tx, call, clock.now()))
}

async function resume(tx: Tx, call: OwnCall, now: Date): Promise<Mandate> {
  const mandate = await lockOwn(tx, call)
  if (mandate.restsFor === null) return mandate
  const after = { ...mandate, restsFor: null, updatedAt: now }
  await updateMandateRow(tx, after)
  await record(tx, call.seller, "mandate.resumed", after, now)
  return after
}

async function lockOwn(tx: Tx, { id, seller }: OwnCall): Promise<Mandate> {
  return lockLive(tx, await getOwnMandate(tx, { id, sellerId: seller.id }))
}

async function lockLive(tx: Tx, { id }: Mandate): Promise<Mandate> {
  await lockMandateRow(tx, id)
  const mandate = await getMandate(tx, id)
  if (!isLiveMandate(mandate.status)) throw new DomainError("mandate_ended")
  return mandate
}

/** The authorisation that goes on where this debit was made. Call it before the lock of the debit's payment. */
export async function lockMandateOfTxid(tx: Tx, txid: string): Promise<Mandate | null> {
  const debit = await findDebitOfTxid(tx, txid)
  const madeBy = debit && (await getMandate(tx, debit.mandateId))
  const [counting] = madeBy ? await findCountingMandates(tx, [madeBy.subscriptionId]) : []
  if (counting === undefined) return null
  await lockMandateRow(tx, counting.id)
  return getMandate(tx, counting.id)
}

/** Its customer disputes what a debit took: nothing more is debited until the seller has looked. Call it under its lock. */
export async function restMandateOfTxid(tx: Tx, txid: string, now: Date): Promise<void> {
  const mandate = await lockMandateOfTxid(tx, txid)
  if (mandate === null || !isLiveMandate(mandate.status)) return
  const after: Mandate = { ...mandate, restsFor: "disputed", updatedAt: now }
  await updateMandateRow(tx, after)
  await notifyOfRest(tx, after, txid, now)
}

type Action = "mandate.requested" | "mandate.cancelled" | "mandate.resumed"

async function record(tx: Tx, actor: Actor, action: Action, mandate: Mandate, now: Date, reason?: string) {
  const { id, sellerId, subscriptionId, status, amountCents, journey, retryPolicy, startsOn } = mandate
  await recordAudit(tx, {
    actor,
    happenedAt: now,
    action,
    entity: "mandate",
    entityId: id,
    before: null,
    after: { sellerId, subscriptionId, status, amountCents, journey, retryPolicy, startsOn, ...(reason && { reason }) },
  })
}

interface Debited {
  subscription: Subscription
  lastDebit: Debit | null
  /** The day of the cycle charged last, where nothing is left to pay of it. */
  settledDay: Day | null
  /** Whether its bank is sent debits now. */
  canDebit: boolean
}

interface NextDebit {
  lastDebit: Debit | null
  /** Also of a debit that is with the bank already; null where none comes. */
  nextDay: Day | null
}

/** By mandate. All are of one seller. */
export async function findNextDebits(
  { db, psp }: Pick<BankDeps, "db" | "psp">,
  found: readonly { mandate: Mandate; subscription: Subscription }[],
  due: Date,
): Promise<Map<string, NextDebit>> {
  const [sellerId] = found.map(({ mandate }) => mandate.sellerId)
  if (sellerId === undefined) return new Map()
  const mandateIds = found.map(({ mandate }) => mandate.id)
  const subscriptionIds = found.map(({ subscription }) => subscription.id)
  const [isOn, settledDays, lastDebits] = await Promise.all([
    mayUseAutomatic(db, psp, sellerId),
    findSettledDays(db, subscriptionIds),
    findLastDebits(db, mandateIds),
  ])
  return new Map(
    found.map(({ mandate, subscription }) => {
      const lastDebit = lastDebits.get(mandate.id) ?? null
      const settledDay = settledDays.get(subscription.id) ?? null
      const canDebit = isOn && mandate.provider === psp.name
      const nextDay = nextDebitOf(mandate, { subscription, lastDebit, settledDay, canDebit }, due)
      return [mandate.id, { lastDebit, nextDay }]
    }),
  )
}

function nextDebitOf(
  mandate: Mandate,
  { subscription, lastDebit, settledDay, canDebit }: Debited,
  due: Date,
): Day | null {
  const coming = lastDebit === null ? null : comingDayOf(lastDebit)
  if (coming !== null) return coming
  const isOn = mandate.status === "approved" && mandate.restsFor === null && mandate.cancelSince === null
  if (!canDebit || !isOn || mandate.amountCents !== subscription.terms.amountCents) return null
  // A cycle has one debit, and none once nothing is left to pay of it.
  const day = nextDebitDay(subscription, due, (each) => each > (lastDebit?.dueDay ?? "") && each > (settledDay ?? ""))
  if (day === null || !isLive(subscription.status) || subscription.status === "paused") return null
  return day < mandate.startsOn ? mandate.startsOn : day
}

/** A plan's page lets customers authorise with their first payment. */
export function offerOfPlans(deps: Deps) {
  return {
    isOffered: async ({ sellerId, terms, amountCents, daysAfterDue, leadDays }: Plan): Promise<boolean> => {
      const problem = problemOfFixedTerms({ ...terms, amountCents, daysAfterDue, dueDay: dueToday(deps.clock) })
      const isInTime = leadDays >= FEWEST_LEAD_DAYS_OF_DEBITS
      return isInTime && problem === null && (await mayUseAutomatic(deps.db, deps.psp, sellerId))
    },
    /** The page on which the customer of this invoice authorises; null where they pay by its link. */
    begin: (invoiceLink: string): Promise<string | null> => beginByCustomer(deps, invoiceLink),
  }
}

async function beginByCustomer(deps: Deps, invoiceLink: string): Promise<string | null> {
  const { sellerId, subscriptionId } = (await findInvoiceOfLink(deps.db, invoiceLink)) ?? {}
  if (!sellerId || !subscriptionId) return null
  const seller = { id: sellerId, address: null }
  const usual = { startsOn: null, retryPolicy: "three_in_seven_days", idempotencyKey: null, journey: 3 } as const
  try {
    return authorisationPath(await requestMandate(deps, { subscriptionId, seller, ...usual }))
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === "mandate_waiting") return authorisationPath(await getSubscription(deps.db, subscriptionId))
    // Its first payment is by the link, as without it.
    deps.log.warn({ err: error, subscriptionId }, "a customer can't authorise now")
    return null
  }
}
