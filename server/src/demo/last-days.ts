import { noMoney } from "@tilinta/contract/vocabulary/money"
import { secondsAfter } from "#kit/clock"
import { removeDueCharges } from "#money/payments/book"
import { settleRefunds } from "#money/refunds/settle"
import { delayAfterRecovery } from "#money/withdrawals/account"
import { returnWithdrawal } from "#money/withdrawals/came-back"
import { approveWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { logIn } from "#people/users/log-in"
import { createUser } from "#people/users/sign-up"
import { markNoticesRead } from "#platform/mails/notices"
import { inactivateSeller } from "#selling/closings/closings"
import { leaveByHand } from "./by-hand.ts"
import { emailOf } from "./open-shops.ts"
import { hoursBefore, minutesAfter, noSecrets, type Shop, type Story, unlessRefused } from "./story.ts"
import { approve, askForPix, decide, payInTime, planDebt, refund, withdraw } from "./trade.ts"

/** Leaves something in every state and something to do for the first visitor. */
export function planLastDays(story: Story, shops: readonly Shop[]): void {
  const [ana, carlos, mariana, joao, fernanda, rafael, luciana, thiago, patricia, andre, camila, marcos] = shops
  if (ana === undefined) return
  const { agenda, end } = story
  const before = (hours: number, shop: Shop | undefined, happen: (shop: Shop) => Promise<void>) => {
    if (shop !== undefined) agenda.plan(hoursBefore(end, hours), () => happen(shop))
  }
  before(50, joao, (shop) => withdrawAndDecide(story, shop, "reject"))
  before(46, mariana, (shop) => withdrawAndDecide(story, shop, "cancel"))
  before(40, rafael, (shop) => withdrawTo(story, shop, "conta-recusada@banco.example"))
  before(94, camila, (shop) => withdrawTo(story, shop, "conta-devolvida@banco.example"))
  before(70, andre, (shop) => withdrawAndReturn(story, shop))
  before(62, mariana, (shop) => withdrawWithoutAnswer(story, shop))
  before(30, luciana, (shop) => withdrawForApproval(story, shop))
  before(27, carlos, (shop) => leaveByHand(story, shop, "confirmed_by_person"))
  before(26, joao, (shop) => leaveByHand(story, shop, "confirmed_by_bank"))
  before(25, camila, (shop) => leaveByHand(story, shop, "other"))
  before(24, rafael, (shop) => leaveByHand(story, shop, "statement"))
  before(22, patricia, (shop) => ask(story, shop))
  before(16, thiago, (shop) => ask(story, shop))
  before(9, fernanda, (shop) => ask(story, shop))
  before(3, carlos, (shop) => ask(story, shop))
  before(131, marcos, (shop) => sellTheFirst(story, shop))
  before(130, marcos, (shop) => inactivate(story, shop))
  if (patricia !== undefined) planEmptyAccount(story, patricia)
  before(20, ana, () => inviteSomebody(story))
  agenda.plan(hoursBefore(end, 14), () => readNotices(story, shops))
  for (const hours of [51, 3.2]) before(hours, ana, (shop) => openSession(story, shop))
  for (const hours of [3.1, 2.4, 1.9, 1.1]) before(hours, ana, (shop) => sellTheFirst(story, shop))
  for (const minutes of [52, 31, 14, 4]) before(minutes / 60, ana, (shop) => leaveOpen(story, shop))
  before(0.6, ana, (shop) => refundSlowly(story, shop))
  before(0.01, ana, (shop) => paySlowly(story, shop))
}

async function withdrawAndDecide(story: Story, shop: Shop, decision: "reject" | "cancel"): Promise<void> {
  const withdrawal = await withdraw(story, shop, { share: 0.4, decision: "none" })
  if (withdrawal !== null) {
    story.agenda.plan(minutesAfter(withdrawal.createdAt, 75), () => decide(story, withdrawal, decision))
  }
}

/** The sandbox's bank refuses some keys, and sends back what it paid to others. */
async function withdrawTo(story: Story, shop: Shop, key: string): Promise<void> {
  const pixKey = { kind: "email", key } as const
  await withdraw(story, shop, { share: 0.3, decision: "approve", destination: { method: "pix", pixKey } })
}

/** The transfer by hand can't be made. */
async function withdrawAndReturn(story: Story, shop: Shop): Promise<void> {
  const withdrawal = await withdraw(story, shop, { share: 0.3, decision: "none" })
  if (withdrawal === null) return
  const { agenda, deps, admin } = story
  const { id, createdAt } = withdrawal
  const decidedAt = minutesAfter(createdAt, 50)
  agenda.plan(decidedAt, async () => void (await unlessRefused(approveWithdrawal(deps, { id, admin, adminNotes: "" }))))
  const reason = "O banco recusou a TED: a conta informada está encerrada."
  agenda.plan(minutesAfter(createdAt, 190), async () => {
    await unlessRefused(returnWithdrawal({ ...deps, psp: deps.psp }, { id, admin, reason }))
  })
}

/** The bank never says what became of it, so people may settle it by hand after a day. */
async function withdrawWithoutAnswer(story: Story, shop: Shop): Promise<void> {
  const key = "mariana@confeitariaprado.example"
  await story.bank.spoil("envio-sem-desfecho", key)
  await withdrawTo(story, shop, key)
}

/** Contested right after everything was withdrawn, in the last minute: no sale comes between, and the balance falls below zero. */
function planEmptyAccount(story: Story, shop: Shop): void {
  const { agenda, end } = story
  planDebt(story, shop)
  agenda.plan(hoursBefore(end, 0.011), async () => {
    const withdrawal = await withdraw(story, shop, { share: 1, decision: "none" })
    if (withdrawal !== null) await approve(story, withdrawal.id)
  })
}

/** Leaves an approved withdrawal whose transfer a person has yet to make. */
async function withdrawForApproval(story: Story, shop: Shop): Promise<void> {
  const withdrawal = await withdraw(story, shop, { share: 0.5, decision: "none" })
  const { agenda, deps, admin } = story
  if (withdrawal === null) return
  const decision = { id: withdrawal.id, admin, adminNotes: "Transferir até amanhã." }
  const decidedAt = minutesAfter(withdrawal.createdAt, 60)
  agenda.plan(decidedAt, async () => void (await unlessRefused(approveWithdrawal(deps, decision))))
}

async function ask(story: Story, shop: Shop): Promise<void> {
  await withdraw(story, shop, { share: 0.6, decision: "none" })
}

/** An approved payout of the seller waits until the account is active again. */
async function inactivate(story: Story, shop: Shop): Promise<void> {
  const { deps, admin } = story
  const withdrawal = await withdraw(story, shop, { share: 0.5, decision: "none" })
  if (withdrawal !== null) await approveWithdrawal(deps, { id: withdrawal.id, admin, adminNotes: "" })
  await inactivateSeller(
    { ...story.deps, onRecovery: delayAfterRecovery("relaxed") },
    { id: shop.actor.id, admin: story.admin },
  )
  await removeDueCharges(story.deps)
}

/** Leaves unread what came since the evening. */
async function readNotices({ deps, admin }: Story, shops: readonly Shop[]): Promise<void> {
  for (const { id } of [admin, ...shops.map(({ actor }) => actor)]) {
    await markNoticesRead(deps, { userId: id, ids: null })
  }
}

async function inviteSomebody({ deps, admin }: Story): Promise<void> {
  const newUser = { name: "Beatriz Hoffmann", email: "beatriz@papelariahoffmann.example", role: "user" } as const
  await createUser(deps, { admin, newUser: { ...newUser, active: true, anyName: false }, idempotencyKey: null })
}

const devices = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 15; SM-A556E) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
] as const

async function openSession({ deps, luck, password }: Story, { seller }: Shop): Promise<void> {
  const origin = { address: `203.0.113.${luck.between(1, 250)}`, userAgent: luck.pick(devices) }
  await logIn({ ...deps, secretKeys: noSecrets }, { email: emailOf(seller), password, origin })
}

async function sellTheFirst(story: Story, shop: Shop): Promise<void> {
  const [page] = shop.pages
  const charge = page === undefined ? null : await askForPix(story, shop, page)
  if (charge !== null) story.agenda.plan(secondsAfter(charge.createdAt, 140), () => payInTime(story, charge))
}

async function leaveOpen(story: Story, shop: Shop): Promise<void> {
  const page = story.luck.pick(shop.pages.slice(0, 2))
  await askForPix(story, shop, page)
}

/** The bank delays settlement, so the refund is still under way for the first visitor. */
const slow = { liquidacaoMs: 540_000 }

async function refundSlowly(story: Story, shop: Shop): Promise<void> {
  const [page] = shop.pages
  const charge = page === undefined ? null : await askForPix(story, shop, page)
  if (charge === null) return
  const { agenda, bank, deps, end } = story
  agenda.plan(secondsAfter(charge.createdAt, 60), () => payInTime(story, charge))
  agenda.plan(hoursBefore(end, 0.02), async () => {
    await refund(story, charge, noMoney)
    await bank.during(slow, () => settleRefunds(deps))
  })
}

async function paySlowly(story: Story, shop: Shop): Promise<void> {
  const { bank, deps } = story
  const withdrawal = await withdraw(story, shop, { share: 0.2, decision: "none" })
  if (withdrawal === null) return
  await approve(story, withdrawal.id)
  await bank.during(slow, async () => {
    await sendPayouts(deps)
    await settlePayouts(deps)
  })
}
