import { formatDateTime, saoPauloDay } from "#format/dates.ts"
import { waitingTime } from "../withdrawals/withdrawal-steps.ts"

const calls: Readonly<Record<string, string>> = {
  createCharge: "Criar cobrança",
  removeCharge: "Remover cobrança",
  findReceiptsOfCharge: "Consultar pagamentos de uma cobrança",
  findReceipt: "Consultar pagamento",
  listReceipts: "Listar recebimentos",
  listRefundedReceipts: "Listar recebimentos estornados",
  registerWebhook: "Registrar webhook",
  requestRefund: "Pedir estorno",
  findRefund: "Consultar estorno",
  "payouts.send": "Enviar saque",
  "payouts.find": "Consultar saque",
  "payouts.list": "Listar saques enviados",
  "disputes.find": "Consultar contestação",
  "disputes.list": "Listar contestações",
  "disputes.defend": "Enviar defesa",
}

/** The failed call in words; an unknown call keeps its own name. */
export function callWords(call: string): string {
  return calls[call] ?? call
}

/** The day of a moment in São Paulo. */
export function dayText(moment: string): string {
  return new Date(moment).toLocaleDateString("pt-BR", { timeZone: "America/Sao_Paulo" })
}

/** "há 3 min · 14:18": the age first, then the moment for those who investigate; with its day unless that is today. */
export function momentText(moment: string | null, now: Date, never: string): string {
  if (moment === null) return never
  const isToday = saoPauloDay(new Date(moment)) === saoPauloDay(now)
  const text = formatDateTime(moment)
  const aheadMs = Date.parse(moment) - now.getTime()
  const age = aheadMs > 60_000 ? `daqui a ${durationText(aheadMs)}` : waitingTime(moment, now)
  return `${age} · ${isToday ? text.slice(-"14:18".length) : text}`
}

/** "350 ms", "1,2 s", "3 min" */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1).replace(".", ",")} s`
  return `${Math.round(ms / 60_000)} min`
}

export function sizeText(bytes: number): string {
  const unit = bytes < 1e6 ? "kB" : bytes < 1e9 ? "MB" : "GB"
  const size = bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit]
  return `${size.toLocaleString("pt-BR", { maximumFractionDigits: 1 })} ${unit}`
}
