import { debitFailureOf, type MandateStatus, restLabels } from "@tilinta/contract/vocabulary/mandates"
import { reaisText } from "@tilinta/contract/vocabulary/money"
import type { Tx } from "#db/transaction"
import { dayText, type Times } from "#kit/clock"
import { enqueueMails, notifyOwner } from "#platform/mails/notify-owner"
import { readOperator } from "#platform/settings/reads"
import { checkoutPath } from "#selling/charge-pages/rules"
import type { Invoice } from "#selling/invoices/rules"
import { subscriptionMail } from "#selling/subscriptions/mails"
import { getSubscription } from "#selling/subscriptions/reads"
import { type Debit, failureCodeOf, type Mandate } from "./rules.ts"

export interface Notifying {
  payersUrl: string
  times: Times
}

const noticeTitles: Partial<Record<MandateStatus, string>> = {
  approved: "Débito automático autorizado",
  rejected: "Cliente recusou o débito automático",
  expired: "A autorização do débito automático venceu",
  cancelled_by_payer: "Cliente cancelou o débito automático",
  cancelled_by_bank: "O banco cancelou um débito automático",
}

/** The customer hears what they authorised, and that it is over; the seller, what somebody else did. */
export async function notifyOfMandate(
  tx: Tx,
  mandate: Mandate,
  status: MandateStatus,
  notifying: Notifying,
): Promise<void> {
  const { payersUrl, times } = notifying
  const subscription = await getSubscription(tx, mandate.subscriptionId)
  const isApproved = status === "approved"
  if (isApproved || mandate.approvedAt !== null) {
    const { legalName } = await readOperator(tx)
    const mail = await subscriptionMail(tx, subscription, {
      change: isApproved ? "authorised" : "authorisation_ended",
      amountCents: mandate.amountCents,
      debit: { inFavourOf: legalName },
      payersUrl,
      key: `${mandate.id}:${status}`,
    })
    if (mail !== null) await enqueueMails(tx, [mail], times.now)
  }
  const title = noticeTitles[status]
  if (title === undefined) return
  const next = isApproved ? "" : "As próximas cobranças vão por link."
  await notifySeller(tx, mandate, { dedupeKey: `${mandate.id}:${status}`, title, next }, times.now)
}

/** Paid, and not authorised: the money is never given back by ourselves. */
export async function notifyOfUnfinished(tx: Tx, mandate: Mandate, now: Date): Promise<void> {
  const title = "Primeiro pagamento recebido, autorização não concluída"
  const next = "Envie um novo convite para o cliente autorizar, ou estorne o pagamento."
  await notifySeller(tx, mandate, { dedupeKey: `${mandate.id}:unfinished`, title, next }, now)
}

export async function notifyOfRest(tx: Tx, mandate: Mandate, txid: string, now: Date): Promise<void> {
  const next = mandate.restsFor === null ? "" : restLabels[mandate.restsFor]
  const title = "Débito automático parado"
  await notifySeller(tx, mandate, { dedupeKey: `${mandate.id}:rests:${txid}`, title, next }, now)
}

interface SellerNotice {
  dedupeKey: string
  title: string
  next: string
}

export async function notifySeller(
  tx: Tx,
  mandate: Mandate,
  { dedupeKey, title, next }: SellerNotice,
  now: Date,
): Promise<void> {
  const { id, customer, title: name } = await getSubscription(tx, mandate.subscriptionId)
  const text = `${customer.name}: ${name}. ${next}`.trim()
  const notice = { kind: "automatic_pix", subscriptionId: id, title, text } as const
  await notifyOwner(tx, { userId: mandate.sellerId, dedupeKey, notice }, now)
}

/** Once for each debit, each day on which it failed, and its end; the seller also hears of each day that is planned. */
export async function notifyOfDebit(
  tx: Tx,
  { debit, mandate, invoice }: { debit: Debit; mandate: Mandate; invoice: Invoice },
  step: "debit_coming" | "debit_failed" | "debit_given_up",
  { payersUrl, times }: Notifying,
): Promise<void> {
  const subscription = await getSubscription(tx, mandate.subscriptionId)
  const { legalName } = await readOperator(tx)
  const change = step === "debit_coming" ? step : "debit_failed"
  // A debit that is given up didn't fail for the reason of the attempt before.
  const code = step === "debit_given_up" ? (debit.endedCode ?? "SLCR") : failureCodeOf(debit)
  const problem = change === "debit_failed" ? debitFailureOf(code).text : undefined
  const mail = await subscriptionMail(tx, subscription, {
    change,
    amountCents: debit.amountCents,
    debit: {
      day: debit.dueDay,
      inFavourOf: legalName,
      ...(problem !== undefined && { problem, ...(debit.retryDay !== null && { retryDay: debit.retryDay }) }),
    },
    ...(change === "debit_failed" && { path: checkoutPath(invoice.uniqueLink) }),
    payersUrl,
    key: `${debit.id}:${step}:${debit.attempts.length}`,
  })
  if (mail !== null) await enqueueMails(tx, [mail], times.now)
  if (problem === undefined) return
  const next = debit.retryDay === null ? "O cliente paga pelo link." : `Nova tentativa em ${dayText(debit.retryDay)}.`
  const title = `Débito não feito: ${reaisText(debit.amountCents)}`
  const dedupeKey = `${debit.id}:${debit.attempts.length}:${debit.retryDay ?? step}`
  const shown = { dedupeKey, title, next: `${problem} ${next}` }
  await notifySeller(tx, mandate, shown, times.now)
}
