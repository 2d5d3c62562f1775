import { reconcileRefunds } from "#domain/bank/reconciliation/reconcile-refunds"
import { defendDispute } from "#domain/money/disputes/defend-dispute"
import { listDisputesOf } from "#domain/money/disputes/list-disputes"
import { reconcileDisputes } from "#domain/money/disputes/reconcile-disputes"
import { sendDefences } from "#domain/money/disputes/send-defences"
import { listPaymentsOfCharge } from "#domain/money/payments/list-payments-of-charge"
import { secondsAfter } from "#kit/clock"
import { askOnAnyPage, payInTime } from "./sell.ts"
import { daysBefore, hoursBefore, minutesAfter, type Shop, type Story } from "./story.ts"

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
        ...{ situation: "golpe", comment: unknownShop, openedAfter: 30 },
        defence: { text: delivered, after: 42 },
        outcome: { status: "REJEITADA", after: 120 },
      },
    ],
    [
      37,
      2,
      {
        ...{ situation: "acesso fraudulento", comment: otherPhone, openedAfter: 12 },
        outcome: { status: "ACEITA", after: 150 },
      },
    ],
    [
      23,
      5,
      {
        ...{ situation: "golpe", comment: "Não reconheço a compra.", openedAfter: 50 },
        outcome: { status: "CANCELADA_EFI", after: 71 },
      },
    ],
    [
      13,
      0,
      {
        ...{ situation: "aquisição da conta", comment: "Entraram na minha conta.", openedAfter: 8 },
        outcome: { status: "ACEITA", after: 28 },
      },
    ],
    [
      7,
      1,
      {
        ...{ situation: "golpe", comment: unknownShop, openedAfter: 5 },
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
    contest(story, shop, { situation: "coerção", comment: otherPhone, openedAfter: 2.7 }),
  )
}

async function contest(story: Story, shop: Shop, course: Course): Promise<void> {
  const { agenda, deps, bank } = story
  const charge = await askOnAnyPage(story, shop)
  if (charge === null) return
  const { createdAt } = charge
  agenda.plan(secondsAfter(createdAt, 80), () => payInTime(story, charge, { mayBeRefunded: false }))
  agenda.plan(minutesAfter(createdAt, 60 * course.openedAfter), async () => {
    const [endToEndId] = await listPaymentsOfCharge(deps.db, charge.id)
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
      const [dispute] = await listDisputesOf(deps.db, endToEndId)
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
