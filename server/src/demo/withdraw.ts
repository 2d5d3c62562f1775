import { parsePixKey } from "@tilinta/contract/vocabulary/pix-key"
import { readSellerBalance } from "#domain/money/payments/read-seller-balance"
import { getUser } from "#domain/people/users/get-user"
import { secondsAfter } from "#kit/clock"
import { invariant } from "#kit/invariant"
import { centsFromReais, reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { cancelWithdrawal } from "#money/withdrawals/account"
import { approveWithdrawal, completePaidByHand, rejectWithdrawal } from "#money/withdrawals/decide"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { requestWithdrawal } from "#money/withdrawals/request"
import type { Destination, Withdrawal } from "#money/withdrawals/withdrawal"
import { hoursBefore, inOfficeHours, minutesAfter, type Shop, type Story, unlessRefused } from "./story.ts"

type Decision = "none" | "approve" | "reject" | "cancel"

interface Wish {
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

export async function withdraw(story: Story, shop: Shop, wish: Wish): Promise<Withdrawal | null> {
  const { deps, agenda, luck } = story
  const balance = reaisFromCents(await readSellerBalance(deps.db, shop.actor.id))
  const reais = Math.floor((balance * wish.share) / 10) * 10
  if (reais < 20) return null
  const wanted = {
    seller: shop.actor,
    amountCents: centsFromReais(reais),
    destination: wish.destination ?? (await ownDestination(story, shop)),
    idempotencyKey: null,
  }
  const withdrawal = await unlessRefused(requestWithdrawal(deps, wanted))
  if (withdrawal === null) return null
  const at = inOfficeHours(minutesAfter(withdrawal.createdAt, luck.between(20, 600)))
  if (wish.decision !== "none") agenda.plan(at, () => decide(story, withdrawal, wish.decision))
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
