import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { daysAfter, saoPauloDay } from "#kit/clock"
import { bookPayments } from "#money/payments/book"
import { customerFieldsFrom } from "#selling/customers/rules"
import { setAutomaticPix } from "#selling/mandates/allow"
import { askAboutMandates } from "#selling/mandates/ask"
import { requestMandate } from "#selling/mandates/manage"
import { planDebits, runDebits } from "#selling/mandates/run"
import { createSubscription } from "#selling/subscriptions/manage"
import type { DemoAutomatic } from "./sellers.ts"
import { createLuck, dayOf, invitePayer, minutesAfter, type Shop, type Story } from "./story.ts"

/** A luck of its own leaves the rest of the story as it is. */
const seed = 20_251_102
const allowedOnDay = 17
const daysApart = 3
const cancelledOnDay = 83
/** Its code is still good when the story ends. */
const waitsMinutes = 5

/** Customers authorise debits. One never has the money, and one cancels at their bank while the next debit is scheduled. */
export function debitMonthly(story: Story, shop: Shop, { title, reais, customers }: DemoAutomatic): void {
  const luck = createLuck(seed)
  const at = (day: number, minutes: number) => minutesAfter(dayOf(story, day), minutes)
  story.agenda.plan(at(allowedOnDay, 600), async () => {
    const reason = "Alunos mensais, contrato conferido"
    await setAutomaticPix(story.deps, { id: shop.actor.id, admin: story.admin, enabled: true, reason })
  })
  for (const [number, fate] of customers.entries()) {
    const payer = invitePayer(luck)
    const begins = at(allowedOnDay + 1 + daysApart * number, 660 + 13 * number)
    story.agenda.plan(fate === "waits" ? minutesAfter(story.end, -waitsMinutes) : begins, async () => {
      const today = saoPauloDay(story.deps.clock.now())
      const { id } = await createSubscription(bankDepsOf(story), {
        seller: shop.actor,
        idempotencyKey: null,
        customer: customerFieldsFrom({ name: payer.name ?? "", document: payer.cpf, email: payer.email }),
        title,
        method: "automatic",
        period: "monthly",
        terms: { amountCents: centsFromReais(reais), dueDay: daysAfter(today, 2), daysAfterDue: 30 },
        endsOn: null,
        cycles: null,
        leadDays: 10,
      })
      const usual = { startsOn: null, retryPolicy: "three_in_seven_days", idempotencyKey: null, journey: 3 } as const
      const mandate = await requestMandate(bankDepsOf(story), { subscriptionId: id, seller: shop.actor, ...usual })
      const { pixCode, contract, recurrenceId } = mandate
      if (fate === "waits" || pixCode === null || recurrenceId === null) return
      if (fate === "has no money") await story.bank.spoil("sem-saldo", contract)
      await story.bank.pay(pixCode)
      await reconcileReceipts(story.deps)
      await story.notifyOfSales()
      if (fate !== "cancels") return
      story.agenda.plan(at(cancelledOnDay, 900), () => story.bank.cancelRecurrence(recurrenceId))
    })
  }
}

function bankDepsOf({ deps, payersUrl }: Pick<Story, "deps" | "payersUrl">) {
  return { ...deps, payersUrl }
}

/** Does the work of the jobs of Pix Automático. */
export async function workOnDebits(story: Pick<Story, "deps" | "payersUrl">): Promise<void> {
  const deps = bankDepsOf(story)
  await askAboutMandates(deps)
  await planDebits(deps)
  await runDebits({ ...deps, book: (payments) => bookPayments(deps, payments) })
}
