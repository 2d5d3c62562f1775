import { businessDayFrom } from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { type PaymentReceived, type PspAutomatic, type PspDebit, PspError, type PspRecurrence } from "#psp/psp"

type Attempt = PspDebit["attempts"][number]
type Call = Exclude<keyof PspAutomatic, "registerWebhooks">

let made = 0

/** A bank of authorisations in memory, which does what it is told and no more. */
export function openAutomaticBank(provider: string, now: () => Date) {
  const recurrences: PspRecurrence[] = []
  const debits = new Map<string, PspDebit>()
  const calls: string[] = []
  /** The next calls that fail: before they are carried out, or after. */
  const faults: { call: Call; is: "rejected" | "unknown" | "lost-answer" }[] = []

  const meet = async <Answer>(call: Call, subject: string, work: () => Answer): Promise<Answer> => {
    calls.push(`${call} ${subject}`)
    const at = faults.findIndex((fault) => fault.call === call)
    const [fault] = at < 0 ? [] : faults.splice(at, 1)
    if (fault?.is === "rejected") throw new PspError("rejected", "refused by a fault")
    if (fault?.is === "unknown") throw new PspError("unknown", "no answer by a fault")
    const answer = work()
    if (fault?.is === "lost-answer") throw new PspError("unknown", "the answer was lost")
    return answer
  }
  const recurrenceOf = (id: string) => recurrences.find(({ recurrenceId }) => recurrenceId === id) ?? null
  const debitOf = (txid: string) => {
    const debit = debits.get(txid)
    if (debit === undefined) throw new Error(`the bank has no debit ${txid}`)
    return debit
  }

  const automatic: PspAutomatic = {
    createRecurrence: (request) =>
      meet("createRecurrence", request.contract, () => {
        made += 1
        const recurrence: PspRecurrence = {
          recurrenceId: `RR${String(made).padStart(27, "0")}`,
          contract: request.contract,
          state: "created",
          ended: null,
          amountCents: request.amountCents,
          pixCode: null,
          journey: null,
          approvedAt: null,
        }
        recurrences.push(recurrence)
        return { ...recurrence }
      }),
    findRecurrence: (id, firstTxid) =>
      meet("findRecurrence", id, () => {
        const found = recurrenceOf(id)
        return found && { ...found, pixCode: `000201code${firstTxid ?? ""}` }
      }),
    findRecurrencesByContract: (contract) =>
      meet("findRecurrencesByContract", contract, () =>
        recurrences.filter((each) => each.contract === contract).map((each) => ({ ...each })),
      ),
    cancelRecurrence: (id) =>
      meet("cancelRecurrence", id, () => {
        const found = recurrenceOf(id)
        if (found === null) return "absent"
        if (found.state !== "created" && found.state !== "approved") return "ended"
        Object.assign(found, { state: "cancelled", ended: { by: "us", code: "SLCR" } })
        return "cancelled"
      }),
    createDebit: (request) =>
      meet("createDebit", request.txid, () => {
        const debit: PspDebit = debits.get(request.txid) ?? {
          txid: request.txid,
          recurrenceId: request.recurrenceId,
          state: "created",
          amountCents: request.amountCents,
          endedCode: null,
          attempts: [
            { kind: "first", day: businessDayFrom(request.dueDay), state: "requested", code: null, endToEndId: null },
          ],
          receipts: [],
        }
        debits.set(request.txid, debit)
        return { ...debit }
      }),
    findDebit: (txid) => meet("findDebit", txid, () => debits.get(txid) ?? null),
    cancelDebit: (txid) =>
      meet("cancelDebit", txid, () => {
        const debit = debits.get(txid)
        if (debit === undefined) return "absent"
        if (debit.state === "paid") return "paid"
        if (debit.state === "cancelled" || debit.state === "rejected") return "ended"
        Object.assign(debit, { state: "cancelled", endedCode: "SLCR" })
        return "cancelled"
      }),
    retryDebit: (txid, day) =>
      meet("retryDebit", txid, () => {
        const debit = debitOf(txid)
        if (!debit.attempts.some((attempt) => attempt.day === day)) {
          debit.attempts.push({ kind: "later_day", day, state: "requested", code: null, endToEndId: null })
          debit.state = "created"
        }
        return { ...debit }
      }),
    registerWebhooks: async () => undefined,
  }

  return {
    automatic,
    recurrences,
    debits,
    calls,
    fault: (call: Call, is: (typeof faults)[number]["is"]) => void faults.push({ call, is }),
    /** The payer's side. */
    approve: (contract: string) => {
      for (const each of recurrences) {
        if (each.contract === contract && each.state === "created")
          Object.assign(each, { state: "approved", approvedAt: now() })
      }
    },
    end: (contract: string, state: PspRecurrence["state"], ended: PspRecurrence["ended"]) => {
      for (const each of recurrences) if (each.contract === contract) Object.assign(each, { state, ended })
    },
    schedule: (txid: string) => Object.assign(debitOf(txid), { state: "scheduled" }),
    /** The money comes; the receipt is in the bank's lists, too. */
    pay(txid: string, amountCents?: Cents): PaymentReceived {
      const debit = debitOf(txid)
      made += 1
      const endToEndId = `E9999999920270101${String(made).padStart(15, "0")}`
      const receipt: PaymentReceived = {
        provider,
        endToEndId,
        txid,
        amountCents: amountCents ?? (debit.amountCents as Cents),
        paidAt: now(),
        refunds: [],
      }
      debit.state = "paid"
      debit.receipts.push(receipt)
      const last = debit.attempts.at(-1)
      if (last !== undefined) Object.assign(last, { state: "paid", endToEndId })
      return receipt
    },
    receiptsOf: (txid: string) => debitOf(txid).receipts,
    fail(txid: string, state: Attempt["state"], code: string | null) {
      const debit = debitOf(txid)
      const last = debit.attempts.at(-1)
      if (last !== undefined) Object.assign(last, { state, code })
    },
    set: (txid: string, change: Partial<PspDebit>) => void Object.assign(debitOf(txid), change),
  }
}
