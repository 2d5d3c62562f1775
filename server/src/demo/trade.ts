import type { CustomerInfoBody } from "@tilinta/contract/payments"
import { type Cents, centsFromReais, noMoney, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { reconcileReceipts, reconcileRefunds } from "#bank/reconciliation/reconcile"
import { secondsAfter } from "#kit/clock"
import { invariant } from "#kit/errors"
import { defendDispute, sendDefences } from "#money/disputes/defend"
import { listDisputesOfPayment } from "#money/disputes/list-reads"
import { reconcileDisputes } from "#money/disputes/record"
import { findPaymentIdsOfCharge, readSellerBalance } from "#money/payments/reads"
import { requestRefund } from "#money/refunds/request"
import { settleRefunds } from "#money/refunds/settle"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { approveWithdrawal, completePaidByHand, rejectWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Destination, Withdrawal } from "#money/withdrawals/withdrawal"
import { getUser } from "#people/users/reads"
import { createCharge } from "#selling/charges/create"
import { expireCharges } from "#selling/charges/end"
import type { OpenCharge } from "#selling/charges/rules"
import {
  daysBefore,
  hoursBefore,
  inOfficeHours,
  invitePayer,
  minutesAfter,
  type Shop,
  type ShopPage,
  type Story,
  unlessRefused,
} from "./story.ts"

/** A payer opens the page and asks for a Pix; null when the page takes no more payments. */
export async function askForPix(story: Story, shop: Shop, { id, asks }: ShopPage): Promise<OpenCharge | null> {
  const { deps, luck, openings } = story
  const opened = luck.between(1, 3)
  for (let count = 0; count < opened; count += 1) openings.count(shop.actor.id)
  const customerInfo = dataFor(invitePayer(luck), asks)
  return unlessRefused(createCharge(deps, { pageId: id, customerInfo, idempotencyKey: null }))
}

/** The code is never paid and expires. */
export function forget({ agenda, deps }: Story, charge: OpenCharge): void {
  agenda.plan(secondsAfter(charge.expiresAt, 4), () => expireCharges(deps))
}

function dataFor(payer: ReturnType<typeof invitePayer>, asks: ShopPage["asks"]): CustomerInfoBody | null {
  if (asks === "nothing") return null
  const { name, email, phone } = payer
  return { name: { name }, contact: { name, email, phone }, everything: payer }[asks]
}

/** A code is generated and mostly paid within a few minutes, sometimes never. */
export async function sell(story: Story, shop: Shop, page: ShopPage): Promise<void> {
  const charge = await askForPix(story, shop, page)
  const { luck, agenda } = story
  if (charge === null) return
  if (luck.isTrue(0.16)) return forget(story, charge)
  agenda.plan(secondsAfter(charge.createdAt, luck.between(25, 900)), () => payInTime(story, charge))
}

/** The bank refuses when the page was closed meanwhile. */
export async function payInTime(
  story: Story,
  charge: OpenCharge,
  { mayBeRefunded } = { mayBeRefunded: true },
): Promise<void> {
  if (!(await story.bank.pay(charge.pixCode))) return
  await reconcileReceipts(story.deps)
  await story.notifyOfSales()
  if (mayBeRefunded) considerRefund(story, charge)
}

export async function askOnAnyPage(story: Story, shop: Shop): Promise<OpenCharge | null> {
  const [page] = shop.pages
  return page === undefined ? null : askForPix(story, shop, page)
}

const reasons = ["Cliente desistiu da compra.", "Produto esgotado.", "Horário cancelado.", "Pagamento em duplicidade."]

/** A few payers ask for a refund some days later, in full or in part. */
function considerRefund(story: Story, charge: OpenCharge): void {
  const { luck, agenda } = story
  if (!luck.isTrue(0.035)) return
  const part = luck.isTrue(0.4) ? charge.feeCents : noMoney
  agenda.plan(inOfficeHours(minutesAfter(agenda.clock.now(), luck.between(300, 5000))), () =>
    refund(story, charge, part),
  )
}

/** `part`: zero refunds all that is left. */
export async function refund(story: Story, charge: OpenCharge, part: Cents): Promise<void> {
  const { deps, agenda, luck } = story
  const requested = await unlessRefused(
    requestRefund(deps, {
      chargeId: charge.id,
      actor: { id: charge.sellerId, address: null },
      origin: "seller",
      amountCents: part === noMoney ? null : part,
      reason: luck.pick(reasons),
      idempotencyKey: null,
    }),
  )
  if (requested === null) return
  agenda.plan(secondsAfter(requested.createdAt, 1), () => settleRefunds(deps))
  agenda.plan(secondsAfter(requested.createdAt, 5), () => settleRefunds(deps))
}

type Decision = "none" | "approve" | "reject" | "cancel"

interface WithdrawInput {
  /** Share of the balance, rounded to whole tens of reais. */
  share: number
  decision: Decision
  destination?: Destination
}

const rejections = ["Chave Pix de outro titular.", "Dados bancários incompletos.", "Confirme seus dados com o suporte."]

/** Withdraws a part of the balance about every week, from the second one on. */
export function withdrawNowAndThen(story: Story, shop: Shop): void {
  const { agenda, luck, end } = story
  for (let day = luck.between(8, 12); ; day += luck.between(7, 11)) {
    const at = inOfficeHours(minutesAfter(agenda.clock.now(), day * 24 * 60 + luck.between(-60, 600)))
    if (at > hoursBefore(end, 60)) return
    const decision = luck.isTrue(0.08) ? "reject" : luck.isTrue(0.08) ? "cancel" : "approve"
    const share = luck.between(4, 8) / 10
    agenda.plan(at, async () => void (await withdraw(story, shop, { share, decision })))
  }
}

export async function withdraw(story: Story, shop: Shop, input: WithdrawInput): Promise<Withdrawal | null> {
  const { deps, agenda, luck } = story
  const balance = reaisFromCents(await readSellerBalance(deps.db, shop.actor.id))
  const reais = Math.floor((balance * input.share) / 10) * 10
  if (reais < 20) return null
  const wanted = {
    seller: shop.actor,
    amountCents: centsFromReais(reais),
    destination: input.destination ?? (await ownDestination(story, shop)),
    idempotencyKey: null,
  }
  const withdrawal = await unlessRefused(requestWithdrawal(deps, wanted))
  if (withdrawal === null) return null
  const at = inOfficeHours(minutesAfter(withdrawal.createdAt, luck.between(20, 600)))
  if (input.decision !== "none") agenda.plan(at, () => decide(story, withdrawal, input.decision))
  return withdrawal
}

async function ownDestination({ deps }: Story, { actor }: Shop): Promise<Destination> {
  const { bankAccount } = await getUser(deps.db, actor.id)
  const pixKey = parsePixKey(bankAccount.pixKey ?? "")
  if (pixKey !== null) return { method: "pix", pixKey }
  const { bank, agency, account } = bankAccount
  invariant(bank !== undefined && agency !== undefined && account !== undefined, `${actor.id} has no account`)
  return { method: "bank_transfer", bankData: { bank, agency, account, accountType: "corrente" } }
}

export async function decide(story: Story, { id, sellerId }: Withdrawal, decision: Decision): Promise<void> {
  const { deps, admin, luck } = story
  if (decision === "cancel") {
    await unlessRefused(cancelWithdrawal(deps, { id, seller: { id: sellerId, address: null } }))
  } else if (decision === "reject") {
    await unlessRefused(rejectWithdrawal(deps, { id, admin, adminNotes: luck.pick(rejections) }))
  } else {
    await approve(story, id)
  }
}

export async function approve(story: Story, id: string): Promise<void> {
  const { deps, admin, agenda, luck, bank } = story
  const approved = await unlessRefused(approveWithdrawal(deps, { id, admin, adminNotes: "" }))
  if (approved === null) return
  const now = agenda.clock.now()
  if (approved.withdrawal.destination.method === "pix") {
    agenda.plan(secondsAfter(now, 1), () => sendPayouts(deps))
    agenda.plan(secondsAfter(now, 5), () => settlePayouts(deps))
    return
  }
  const receipt = { id, admin, adminNotes: "TED feita pelo internet banking." }
  const doneAt = inOfficeHours(minutesAfter(now, luck.between(60, 1440)))
  agenda.plan(doneAt, async () => {
    const done = await unlessRefused(completePaidByHand(deps, receipt))
    if (done !== null) await bank.transfer(done.withdrawal.amountCents)
  })
}

type Outcome = "ACEITA" | "REJEITADA" | "CANCELADA_EFI"

interface Course {
  situation: string
  comment: string
  /** Hours after the payment. */
  openedAfter: number
  defence?: { text: string; after: number }
  outcome?: { status: Outcome; after: number }
}

const unknownShop = "Paguei por uma oferta que vi numa rede social e ninguém respondeu mais."
const otherPhone = "Meu celular foi roubado e fizeram este Pix."
const delivered = "O pedido foi entregue em mãos. Nota fiscal 1.482 e conversa com o cliente guardadas."

/** Payers contest a few payments; some disputes are decided, and some are left to the demonstration's visitor. */
export function planDisputes(story: Story, shops: readonly Shop[]): void {
  const courses: [days: number, shop: number, course: Course][] = [
    [
      54,
      0,
      {
        situation: "golpe",
        comment: unknownShop,
        openedAfter: 30,
        defence: { text: delivered, after: 42 },
        outcome: { status: "REJEITADA", after: 120 },
      },
    ],
    [
      37,
      2,
      {
        situation: "acesso fraudulento",
        comment: otherPhone,
        openedAfter: 12,
        outcome: { status: "ACEITA", after: 150 },
      },
    ],
    [
      23,
      5,
      {
        situation: "golpe",
        comment: "Não reconheço a compra.",
        openedAfter: 50,
        outcome: { status: "CANCELADA_EFI", after: 71 },
      },
    ],
    [
      13,
      0,
      {
        situation: "aquisição da conta",
        comment: "Entraram na minha conta.",
        openedAfter: 8,
        outcome: { status: "ACEITA", after: 28 },
      },
    ],
    [
      7,
      1,
      {
        situation: "golpe",
        comment: unknownShop,
        openedAfter: 5,
        defence: { text: "Quatro sessões de treino realizadas, com lista de presença.", after: 9 },
      },
    ],
    [5, 0, { situation: "golpe", comment: unknownShop, openedAfter: 14 }],
  ]
  for (const [days, number, course] of courses) {
    const shop = shops[number]
    if (shop !== undefined) story.agenda.plan(daysBefore(story, days), () => contest(story, shop, course))
  }
}

/** The payer contests what a seller has already withdrawn, so the balance is below zero. */
export function planDebt(story: Story, shop: Shop): void {
  story.agenda.plan(hoursBefore(story.end, 3), () =>
    contest(story, shop, { situation: "coerção", comment: otherPhone, openedAfter: 2.99 }),
  )
}

async function contest(story: Story, shop: Shop, course: Course): Promise<void> {
  const { agenda, deps, bank } = story
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  const { createdAt } = charge
  agenda.plan(secondsAfter(createdAt, 80), () => payInTime(story, charge, { mayBeRefunded: false }))
  agenda.plan(minutesAfter(createdAt, 60 * course.openedAfter), async () => {
    const [endToEndId] = await findPaymentIdsOfCharge(deps.db, charge.id)
    if (endToEndId === undefined) return
    const { situation, comment } = course
    const disputeId = await bank.dispute({ endToEndId, situation, comment })
    await reconcileDisputes(deps)
    planCourse(story, shop, { endToEndId, disputeId, createdAt, course })
  })
}

interface Contested {
  endToEndId: string
  disputeId: string
  createdAt: Date
  course: Course
}

function planCourse(story: Story, { actor }: Shop, { endToEndId, disputeId, createdAt, course }: Contested): void {
  const { agenda, deps, bank } = story
  const { defence, outcome } = course
  if (defence !== undefined) {
    agenda.plan(minutesAfter(createdAt, 60 * defence.after), async () => {
      const [dispute] = await listDisputesOfPayment(deps.db, endToEndId)
      if (dispute === undefined) return
      await defendDispute(deps, { disputeId: dispute.id, actor, origin: "seller", text: defence.text })
      await sendDefences(deps)
      await reconcileDisputes(deps)
    })
  }
  if (outcome === undefined) return
  const decidedAt = minutesAfter(createdAt, 60 * outcome.after)
  agenda.plan(decidedAt, () => bank.decideDispute(disputeId, outcome.status))
  // The bank books its debit a moment after its decision.
  agenda.plan(secondsAfter(decidedAt, 30), async () => {
    await reconcileDisputes(deps)
    await reconcileRefunds(deps)
  })
}
