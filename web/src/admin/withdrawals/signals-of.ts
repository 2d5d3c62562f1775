import type { AdminWithdrawalView } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import { countOf } from "#format/count.ts"
import { waitingTime } from "./waiting-time.ts"

const day = 86_400_000
const lately = 7 * day
/** From this many times the usual amount on, the withdrawal is flagged. */
const unusual = 3

type Asked = Pick<AdminWithdrawalView, "amount" | "facts"> &
  Partial<Pick<AdminWithdrawalView, "approvals" | "approvalsNeeded">>

/** Warning signs to check before money leaves. */
export function signalsOf({ amount, facts, approvals = 0, approvalsNeeded = 1 }: Asked, now: Date): string[] {
  if (facts === null) return []
  const { usualAmount, profileChangedAt, openRefunds, sellerSince } = facts
  const times = usualAmount === null || usualAmount === 0 ? 0 : amount / usualAmount
  const isRecent = (at: string | null): at is string => at !== null && now.getTime() - Date.parse(at) < lately
  return [
    approvalsNeeded > 1 ? `${approvals} de ${approvalsNeeded} aprovações` : "",
    facts.destination === "changed" ? "Outro destino" : "",
    isRecent(profileChangedAt) ? `Dados bancários mudados ${waitingTime(profileChangedAt, now)}` : "",
    times >= unusual ? `${Math.floor(times).toLocaleString("pt-BR")}× o usual` : "",
    facts.balanceAfter < 0 ? "Saldo negativo" : "",
    openRefunds.count > 0 ? countOf(openRefunds.count, "estorno em andamento", "estornos em andamento") : "",
    facts.paidCount === 0 ? "Primeiro saque" : "",
    isRecent(sellerSince) ? `Conta nova, ${waitingTime(sellerSince, now)}` : "",
  ].filter((signal) => signal !== "")
}
