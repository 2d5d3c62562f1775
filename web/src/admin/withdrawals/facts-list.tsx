import type { WithdrawalFacts } from "@tilinta/contract/api/admin-withdrawals-endpoints"
import type { KeyHolder } from "@tilinta/contract/vocabulary/withdrawal-holds"
import { formatCount } from "#format/count.ts"
import { formatDateTime } from "#format/date.ts"
import { Fact, Facts } from "#ui/facts.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { Signals } from "./signals.tsx"

const destinations = {
  first: "Nenhum saque pago antes",
  same: "O mesmo do último saque pago",
  changed: "Diferente do último saque pago",
} as const satisfies Record<WithdrawalFacts["destination"], string>

const holders = {
  seller: "CPF ou CNPJ do vendedor",
  checked_by_bank: "O banco confere ao pagar",
  unchecked: "Titular não conferido",
} as const satisfies Record<KeyHolder, string>

interface Props {
  facts: WithdrawalFacts
  keyHolder: KeyHolder | null
  signals: readonly string[]
}

/** Facts that an admin would otherwise look up before deciding. */
export function FactsList({ facts, keyHolder, signals }: Props) {
  return (
    <section aria-label="Para decidir" className="grid gap-3">
      <Signals signals={signals} />
      <Facts>
        <Fact term="Saldo depois do saque">
          <b className="font-[650] text-t1">
            <Reais>{facts.balanceAfter}</Reais>
          </b>
        </Fact>
        <Fact term="Saques pagos antes">{formatCount(facts.paidCount)}</Fact>
        {facts.usualAmount !== null && (
          <Fact term="Valor usual">
            <Reais>{facts.usualAmount}</Reais>
          </Fact>
        )}
        <Fact term="Destino">{destinations[facts.destination]}</Fact>
        {keyHolder !== null && <Fact term="De quem é o destino">{holders[keyHolder]}</Fact>}
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
