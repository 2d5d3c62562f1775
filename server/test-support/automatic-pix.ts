import { businessDayFrom } from "@tilinta/contract/vocabulary/due-amount"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { saoPauloDay } from "#kit/clock"
import { randomAlphanumeric } from "#kit/ids"
import type { Psp, PspDebitRequest, PspRecurrenceRequest } from "#psp/psp"
import type { TestBank } from "../../simulator/test-support/test-bank.ts"

/** Recurrences and debits at a simulated bank whose payer's side the test plays. */
export function automaticTools(bank: TestBank, { automatic }: Psp) {
  // Nine days ahead at most, where a long weekend lies before it: banks take debits from ten days ahead.
  const firstDay = businessDayFrom(saoPauloDay(new Date(Date.now() + 5 * 86_400_000)))
  return {
    firstDay,
    async openRecurrence(changes: Partial<PspRecurrenceRequest> = {}) {
      if (automatic === null) throw new Error("no Pix Automático")
      const recurrence = await automatic.createRecurrence({
        contract: `m-${randomAlphanumeric(20)}`,
        object: "Assinatura",
        debtor: { name: "Bruno Lima", document: "52998224725" },
        amountCents: 4_990 as Cents,
        period: "monthly",
        firstDay,
        lastDay: null,
        retryPolicy: "three_in_seven_days",
        firstTxid: null,
        ...changes,
      })
      return { ...recurrence, firstDay }
    },
    debitOf: (recurrenceId: string, changes: Partial<PspDebitRequest> = {}): PspDebitRequest => ({
      txid: randomAlphanumeric(32),
      recurrenceId,
      amountCents: 4_990 as Cents,
      dueDay: firstDay,
      description: "Assinatura de março",
      ...changes,
    }),
    payer: (method: string, path: string, body?: unknown) => bank.call(method, `/simulador/api${path}`, body),
    goTo: (day: string, time: string) =>
      bank.call("PUT", "/simulador/api/controle/relogio", {
        adiantadoMs: Date.parse(`${day}T${time}:00-03:00`) - Date.now(),
      }),
  }
}
