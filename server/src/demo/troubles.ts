import { type Cents, centsFromReais, noMoney } from "@tilinta/contract/vocabulary/money"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { secondsAfter } from "#kit/clock"
import { removeDueCharges } from "#money/payments/book"
import { findPaymentIdsOfCharge } from "#money/payments/reads"
import { settleRefunds } from "#money/refunds/settle"
import { acceptUnmatchedPayment } from "#money/unmatched-payments/accept"
import { listUnmatchedPayments } from "#money/unmatched-payments/list-reads"
import { returnUnmatchedPayment } from "#money/unmatched-payments/return"
import { failUnfinishedCharges } from "#selling/charges/end"
import type { OpenCharge } from "#selling/charges/rules"
import { createOrderPage } from "./open-shops.ts"
import { daysBefore, hoursBefore, inOfficeHours, minutesAfter, type Shop, type Story, unlessRefused } from "./story.ts"
import { askForPix, askOnAnyPage, forget, payInTime, refund } from "./trade.ts"

type Decision = "accept" | "return" | "leave"

/** Plans occasional problems, each so many days before the end, at a shop with an open page. */
export function planTroubles(story: Story, shops: readonly Shop[]): void {
  const troubles: [days: number, shop: number, happen: (shop: Shop) => Promise<unknown>][] = [
    [66, 0, (shop) => payLate(story, shop, "accept")],
    [58, 1, (shop) => payTwice(story, shop, "return")],
    [52, 5, (shop) => payOneOrderByTwoCodes(story, shop, "accept")],
    [47, 2, (shop) => payAnotherAmount(story, shop, "return")],
    [44, 0, () => payForNothing(story, "leave")],
    [38, 3, (shop) => askWhileTheBankIsDown(story, shop)],
    [33, 0, (shop) => bankTakesBack(story, shop)],
    [27, 4, (shop) => refundRefused(story, shop)],
    [24, 1, (shop) => refundAPart(story, shop)],
    [21, 8, (shop) => payAnotherAmount(story, shop, "accept")],
    [15, 0, (shop) => askWhileTheBankIsDown(story, shop)],
    [11, 5, (shop) => payOneOrderByTwoCodes(story, shop, "leave")],
    [6, 7, (shop) => payLate(story, shop, "leave")],
    [3, 8, (shop) => payTwice(story, shop, "leave")],
    [2, 0, (shop) => payAnotherAmount(story, shop, "leave")],
    [1, 0, () => payForNothing(story, "leave")],
    [0.2, 0, (shop) => askWhileTheBankIsDown(story, shop)],
  ]
  const plan = (at: Date, number: number, happen: (shop: Shop) => Promise<unknown>) => {
    const shop = shops[number]
    if (shop !== undefined) story.agenda.plan(at, async () => void (await happen(shop)))
  }
  for (const [days, number, happen] of troubles) plan(daysBefore(story, days), number, happen)
  // Real days even in a shorter history, because the daily close only compares those that have ended; and not at
  // night, when the close of the day before would find what the bank took back.
  plan(inOfficeHours(hoursBefore(story.end, 12 * 24)), 3, (shop) => bankTakesBackUnseen(story, shop))
  plan(hoursBefore(story.end, 4 * 24), 0, () => payUnreadably(story))
}

async function payLate(story: Story, shop: Shop, decision: Decision): Promise<void> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  forget(story, charge)
  story.agenda.plan(minutesAfter(charge.expiresAt, 47), () =>
    arrive(story, { charge, amountCents: charge.amountCents, note: "Desculpe o atraso" }, decision),
  )
}

/** The same code is paid again from another bank. */
async function payTwice(story: Story, shop: Shop, decision: Decision): Promise<void> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  story.agenda.plan(secondsAfter(charge.createdAt, 90), () => payInTime(story, charge))
  story.agenda.plan(secondsAfter(charge.createdAt, 400), () =>
    arrive(story, { charge, amountCents: charge.amountCents, note: "Pagamento" }, decision),
  )
}

/** Two people pay the same order; the second code is no longer valid. */
async function payOneOrderByTwoCodes(story: Story, shop: Shop, decision: Decision): Promise<void> {
  if (shop.seller.orders === undefined) return
  const { id } = await createOrderPage(story, shop, shop.seller.orders)
  const first = await askForPix(story, shop, { id, asks: "contact" })
  const second = await askForPix(story, shop, { id, asks: "contact" })
  if (first === null || second === null) return
  const { agenda } = story
  agenda.plan(secondsAfter(first.createdAt, 200), () => payInTime(story, first))
  agenda.plan(secondsAfter(first.createdAt, 420), () =>
    arrive(story, { charge: second, amountCents: second.amountCents, note: "Metade do presente" }, decision),
  )
}

async function payAnotherAmount(story: Story, shop: Shop, decision: Decision): Promise<void> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  forget(story, charge)
  const amountCents = centsFromReais(story.luck.between(20, 40))
  story.agenda.plan(secondsAfter(charge.createdAt, 500), () =>
    arrive(story, { charge, amountCents, note: "Entrada" }, decision),
  )
}

async function payForNothing(story: Story, decision: Decision): Promise<void> {
  await arrive(story, { charge: null, amountCents: centsFromReais(57.3), note: "Rifa da escola" }, decision)
}

interface Stray {
  charge: OpenCharge | null
  amountCents: Cents
  note: string
}

/** An admin decides some hours later, unless it is left to the demonstration's visitor. */
async function arrive(story: Story, { charge, amountCents, note }: Stray, decision: Decision): Promise<void> {
  const { deps, bank, agenda, admin, luck } = story
  const endToEndId = await bank.receive({ txid: charge?.txid ?? null, amountCents, note })
  await reconcileReceipts(deps)
  await removeDueCharges(deps)
  const { payments } = await listUnmatchedPayments(deps.db, { statuses: ["open"] }, { offset: 0, limit: 100 })
  const unmatched = payments.find((payment) => payment.endToEndId === endToEndId)
  if (unmatched === undefined || decision === "leave") return
  const decidedAt = inOfficeHours(minutesAfter(agenda.clock.now(), luck.between(90, 600)))
  agenda.plan(decidedAt, async () => {
    if (decision === "accept") {
      const adminNotes = "Conferido com o vendedor."
      await acceptUnmatchedPayment(deps, { id: unmatched.id, admin, adminNotes, sellerId: charge?.sellerId ?? null })
      return
    }
    await unlessRefused(
      returnUnmatchedPayment(deps, { id: unmatched.id, admin, adminNotes: "Devolvido a pedido do pagador." }),
    )
    agenda.plan(secondsAfter(decidedAt, 1), () => settleRefunds(deps))
    agenda.plan(secondsAfter(decidedAt, 5), () => settleRefunds(deps))
  })
}

async function askWhileTheBankIsDown(story: Story, shop: Shop): Promise<void> {
  const [page] = shop.pages
  if (page === undefined) return
  const { agenda, bank, deps } = story
  await bank.during({ falhaApi: "indisponivel" }, async () => void (await askForPix(story, shop, page)))
  agenda.plan(minutesAfter(agenda.clock.now(), 1), () => failUnfinishedCharges(deps))
}

async function bankTakesBack(story: Story, shop: Shop): Promise<void> {
  const charge = await bankTakesBackUnseen(story, shop)
  if (charge === null) return
  const { deps, agenda } = story
  agenda.plan(minutesAfter(charge.createdAt, takenBackAfterMinutes + 1), () => reconcileRefunds(deps))
}

const takenBackAfterMinutes = 3000

/** Only the daily close finds it. */
async function bankTakesBackUnseen(story: Story, shop: Shop): Promise<OpenCharge | null> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return null
  const { deps, bank, agenda } = story
  agenda.plan(secondsAfter(charge.createdAt, 120), () => payInTime(story, charge, { mayBeRefunded: false }))
  agenda.plan(minutesAfter(charge.createdAt, takenBackAfterMinutes), async () => {
    const [endToEndId] = await findPaymentIdsOfCharge(deps.db, charge.id)
    if (endToEndId !== undefined) await bank.takeBack(endToEndId, charge.amountCents)
  })
  return charge
}

/** The bank lists a receipt whose amount can't be read, so it waits for people, and its day differs. */
async function payUnreadably({ deps, bank }: Story): Promise<void> {
  const endToEndId = await bank.receive({ txid: null, amountCents: centsFromReais(132.5), note: "Inscrição" })
  await bank.spoil("recebimento-ilegivel", endToEndId)
  await reconcileReceipts(deps)
}

async function refundAPart(story: Story, shop: Shop): Promise<void> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  story.agenda.plan(secondsAfter(charge.createdAt, 60), () => payInTime(story, charge))
  story.agenda.plan(minutesAfter(charge.createdAt, 700), () => refund(story, charge, charge.feeCents))
}

async function refundRefused(story: Story, shop: Shop): Promise<void> {
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  const { deps, bank, agenda } = story
  agenda.plan(secondsAfter(charge.createdAt, 60), () => payInTime(story, charge))
  agenda.plan(minutesAfter(charge.createdAt, 800), () => refund(story, charge, noMoney))
  agenda.plan(secondsAfter(minutesAfter(charge.createdAt, 800), 1), () =>
    bank.during({ devolucoesRecusadas: true }, () => settleRefunds(deps)),
  )
}
