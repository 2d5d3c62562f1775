import type { AdminWithdrawalView, WithdrawalFacts } from "@tilinta/contract/admin-withdrawals"
import { type WithdrawalWait, waitReasonLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { settlementWait } from "#admin/hand-settlements/settle-words.ts"
import { formatDateTime } from "#format/dates.ts"
import { countOf, formatCount } from "#format/money-text.ts"
import { methodLabels } from "#format/withdrawal-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { AmountFact, Fact, Facts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { waitingTime } from "./withdrawal-steps.ts"

const labels: Readonly<Record<string, string>> = { ...methodLabels, ted: "TED", doc: "DOC" }

/** Covers payout methods of older rows too. */
export function payoutMethodLabel(method: string): string {
  return labels[method] ?? method
}

/** The reason for which an approved withdrawal is not sent, and what ends the wait. */
export const waitReasons = {
  not_authentic:
    "Não pague: os dados deste saque não são os que a plataforma registrou. Alguém os mudou no banco de dados. Compare com a auditoria e com o vendedor, e devolva o valor ao saldo.",
  withdrawals_disabled:
    "Este saque espera: os saques estão suspensos (configuração WITHDRAWALS_ENABLED). Ele é enviado quando forem ativados.",
  held: "Este saque espera, por segurança: não pague antes do prazo.",
  account_frozen:
    "O titular congelou os saques desta conta: não pague. Este saque espera até ela ser liberada. Se o extrato do banco não o mostra pago, você pode devolver o valor ao saldo.",
  not_own:
    "O destino é de outra pessoa, e só se paga ao próprio vendedor (configuração OWN_NAME_ONLY): não pague. Devolva o valor ao saldo, ou confirme o titular.",
  seller_inactive: "Este saque espera: a conta do vendedor está inativa. Ele é enviado quando a conta for reativada.",
} as const satisfies Record<WithdrawalWait, string>

type Waiting = Pick<AdminWithdrawalView, "waitsBecause" | "settleable" | "handSettlement">

/** The note next to the status in the list: what keeps it from ending; empty when nothing does. */
export function stateNote(withdrawal: Waiting): string {
  const { waitsBecause } = withdrawal
  return settlementWait(withdrawal) || (waitsBecause === null ? "" : shortReason(waitsBecause))
}

function shortReason(wait: WithdrawalWait): string {
  return wait === "held" ? "Em espera" : waitReasonLabels[wait]
}

const day = 86_400_000
const lately = 7 * day
/** From this many times the usual amount on, the withdrawal is flagged. */
const unusual = 3

type SignalInput = Pick<AdminWithdrawalView, "amount" | "facts"> &
  Partial<Pick<AdminWithdrawalView, "approvals" | "approvalsNeeded" | "owner">>

/** Warning signs to check before money leaves. */
export function signalsOf(
  { amount, facts, approvals = 0, approvalsNeeded = 1, owner }: SignalInput,
  now: Date,
): string[] {
  if (facts === null) return []
  const { usualAmount, profileChangedAt, openRefunds, sellerSince } = facts
  const times = usualAmount === null || usualAmount === 0 ? 0 : amount / usualAmount
  const isRecent = (at: string | null): at is string => at !== null && now.getTime() - Date.parse(at) < lately
  return [
    approvalsNeeded > 1 ? `${approvals} de ${approvalsNeeded} aprovações` : "",
    owner === "other" ? waitReasonLabels.not_own : "",
    facts.destination === "changed" ? "Outro destino" : "",
    isRecent(profileChangedAt) ? `Dados bancários mudados ${waitingTime(profileChangedAt, now)}` : "",
    times >= unusual ? `${Math.floor(times).toLocaleString("pt-BR")}× o usual` : "",
    facts.balanceAfter < 0 ? "Saldo negativo" : "",
    openRefunds.count > 0 ? countOf(openRefunds.count, "estorno em andamento", "estornos em andamento") : "",
    facts.paidCount === 0 ? "Primeiro saque" : "",
    isRecent(sellerSince) ? `Conta nova, ${waitingTime(sellerSince, now)}` : "",
  ].filter((signal) => signal !== "")
}

interface Props {
  signals: readonly string[]
  /** In a row: as many as fit, and how many more there are. */
  shown?: number
}

/** Warning signs to check before money leaves. */
export function Signals({ signals, shown = signals.length }: Props) {
  if (signals.length === 0) return null
  const rest = signals.slice(shown)
  return (
    <ul aria-label="Sinais de atenção" className="flex min-w-0 flex-wrap gap-1">
      {signals.slice(0, shown).map((signal, index) => (
        <li key={signal} title={signal} className="flex max-w-full min-w-0 items-center gap-1">
          <span className="inline-flex min-w-0 items-center gap-1 rounded-s bg-amber-bg px-1.5 text-[12.5px] font-semibold text-amber">
            <Icon name="alert" className="size-3.5 flex-none stroke-2" />
            <span className="truncate">{signal}</span>
          </span>
          {index === shown - 1 && rest.length > 0 && <More signals={rest} />}
        </li>
      ))}
    </ul>
  )
}

function More({ signals }: { signals: readonly string[] }) {
  const text = signals.join(", ")
  return (
    <span title={text} className="flex-none text-[12.5px] font-semibold text-amber">
      <span aria-hidden="true">+{signals.length}</span>
      <span className="sr-only">, {text}</span>
    </span>
  )
}

const destinations = {
  first: "Nenhum saque pago antes",
  same: "O mesmo do último saque pago",
  changed: "Diferente do último saque pago",
} as const satisfies Record<WithdrawalFacts["destination"], string>

interface FactsListProps {
  facts: WithdrawalFacts
  signals: readonly string[]
}

/** Facts that an admin would otherwise check before deciding. */
export function FactsList({ facts, signals }: FactsListProps) {
  return (
    <section aria-label="Para decidir" className="grid gap-3">
      <Signals signals={signals} />
      <Facts>
        <AmountFact term="Saldo depois do saque" reais={facts.balanceAfter} strong />
        <Fact term="Saques pagos antes">{formatCount(facts.paidCount)}</Fact>
        {facts.usualAmount !== null && <AmountFact term="Valor usual" reais={facts.usualAmount} />}
        <Fact term="Destino">{destinations[facts.destination]}</Fact>
        <Fact term="No perfil do vendedor">{facts.inProfile ? "Sim, o mesmo destino" : "Não, outro destino"}</Fact>
        {facts.profileChangedAt !== null && (
          <Fact term="Dados bancários alterados">{formatDateTime(facts.profileChangedAt)}</Fact>
        )}
        {facts.openRefunds.count > 0 && (
          <Fact term="Estornos em andamento">
            {formatCount(facts.openRefunds.count)} · <Reais>{facts.openRefunds.amount}</Reais>
          </Fact>
        )}
        <Fact term="Conta criada em">{formatDateTime(facts.sellerSince)}</Fact>
      </Facts>
    </section>
  )
}
