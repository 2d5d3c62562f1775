import { withLocalTimes } from "./answer-quirks.ts"
import type { Bank } from "./bank.ts"
import type { Occasion } from "./fault-rules.ts"

const longestHoldMs = 60_000
/** Delay long enough for the notice before it to have arrived. */
const afterTheOtherMs = 500

type OwedNotice = { occasion: Occasion; now: number; dueAt?: number }

/** Stores the notice in the write that it reports: it is owed until delivered, unless a fault changes that. */
export function oweNotice(bank: Bank, pix: object, { occasion, now, dueAt = now }: OwedNotice): void {
  const { receiverKey } = bank.account
  if (!bank.faults.current().webhooksAtivos || bank.webhooks.find(receiverKey) === undefined) return
  const strike = (kind: Parameters<typeof bank.faultRules.strike>[0]) => bank.faultRules.strike(kind, occasion)

  const told = strike("horario-local") === undefined ? pix : withLocalTimes(pix)
  const body = JSON.stringify(strike("webhook-lista") === undefined ? { pix: [told] } : [told])
  const suffix = strike("webhook-sem-sufixo") === undefined ? "/pix" : ""
  const notice = { receiverKey, body, suffix, now, dueAt: dueAt + (strike("webhook-atrasado") ?? 0) }

  if (strike("webhook-perdido") !== undefined)
    return bank.webhooks.owe({ ...notice, lostBecause: "perdido de propósito" })
  if (strike("webhook-fora-de-ordem") !== undefined) {
    return bank.webhooks.owe({ ...notice, heldFor: heldNameOf(bank, occasion), dueAt: notice.dueAt + longestHoldMs })
  }
  const times = 1 + (strike("webhook-repetido") ?? 0)
  for (let time = 0; time < times; time++) bank.webhooks.owe(notice)
  for (const name of ["*", ...occasion.names]) bank.webhooks.releaseHeld(name, notice.dueAt + afterTheOtherMs)
}

/** The name of the notice that this one waits for: the fault's target, or any. */
function heldNameOf(bank: Bank, { names }: Occasion): string {
  const rule = bank.faultRules.all().find(({ tipo, alvo }) => tipo === "webhook-fora-de-ordem" && names.has(alvo ?? ""))
  return rule?.alvo ?? "*"
}
