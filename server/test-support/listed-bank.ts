import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import { createLog } from "#kit/log"
import { settleRefunds } from "#money/refunds/settle"
import { sendPayouts, settlePayouts } from "#money/withdrawals/pay"
import { connectSimulator } from "#psp/connect-psp"
import type { Psp, PspPayout, PspPayoutRequest, PspPayouts, PspRefund, PspRefundRequest } from "#psp/psp"
import type { TestApp } from "./test-app.ts"

/** A bank that pays at once whatever it is asked to, and keeps a list of what left. */
interface ListedBank {
  psp: Psp
  /** The payouts that left since `left` was last asked. */
  sent: PspPayoutRequest[]
  /** Runs right before the bank takes a payout, once. */
  whileSending(work: () => Promise<unknown>): void
  /** Runs when a worker has taken a payout and asks the bank whether it knows it, once. */
  whileAsking(work: () => Promise<unknown>): void
  /** One run of the job that sends payouts. */
  sendPayouts(site: Pick<TestApp, "db" | "clock">): Promise<void>
  /** One run of the job that asks about those without an outcome, and sends what the bank has never heard of. */
  settlePayouts(site: Pick<TestApp, "db" | "clock">): Promise<void>
  /** Runs the jobs that send; returns what left since the last time, as `payout 100 to ana@loja.example`. */
  left(site: Pick<TestApp, "db" | "clock">): Promise<string[]>
}

const log = createLog("silent")
const nowhere = { url: "http://127.0.0.1:9", clientId: "x", clientSecret: "x", receiverKey: "x" }

export function openListedBank(now: () => Date): ListedBank {
  const payouts: PspPayoutRequest[] = []
  const refunds: PspRefundRequest[] = []
  const sent: PspPayoutRequest[] = []
  const refunded: PspRefundRequest[] = []
  let meanwhile: (() => Promise<unknown>) | null = null
  let whenAsked: (() => Promise<unknown>) | null = null

  const paid = ({ payoutId, amountCents }: PspPayoutRequest): PspPayout => {
    const endToEndId = `E99999999202611211200${payoutId.slice(-11)}`
    return { state: "completed", amountCents, endToEndId, reason: null, settledAt: now() }
  }
  const returned = ({ pspRefundId, amountCents }: PspRefundRequest): PspRefund => {
    const returnId = `D99999999202611211200${pspRefundId.slice(-11)}`
    return { pspRefundId, state: "completed", amountCents, returnId, reason: null, settledAt: now() }
  }
  const listed: PspPayouts = {
    reportsReturns: true,
    async send(request) {
      const work = meanwhile
      meanwhile = null
      await work?.()
      payouts.push(request)
      sent.push(request)
      return paid(request)
    },
    async find(payoutId) {
      const work = whenAsked
      whenAsked = null
      await work?.()
      const known = payouts.find((request) => request.payoutId === payoutId)
      return known === undefined ? null : paid(known)
    },
    async *list() {},
  }
  const psp: Psp = {
    ...connectSimulator(nowhere, log),
    payouts: listed,
    async requestRefund(request) {
      refunds.push(request)
      refunded.push(request)
      return returned(request)
    },
    async findRefund({ pspRefundId }) {
      const known = refunds.find((request) => request.pspRefundId === pspRefundId)
      return known === undefined ? null : returned(known)
    },
  }

  return {
    psp,
    sent,
    whileSending: (work) => {
      meanwhile = work
    },
    whileAsking: (work) => {
      whenAsked = work
    },
    sendPayouts: ({ db, clock }) => sendPayouts({ db, clock, psp, log }),
    settlePayouts: ({ db, clock }) => settlePayouts({ db, clock, psp, log }),
    async left({ db, clock }) {
      await sendPayouts({ db, clock, psp, log })
      await settleRefunds({ db, clock, psp, log })
      const paidOut = sent.splice(0).map((each) => `payout ${reaisFromCents(each.amountCents)} to ${each.pixKey.key}`)
      const givenBack = refunded.splice(0).map((each) => `refund ${reaisFromCents(each.amountCents)}`)
      return [...paidOut, ...givenBack].toSorted()
    },
  }
}
