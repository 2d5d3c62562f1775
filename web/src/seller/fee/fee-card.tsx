import { queryOptions, useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { type FeeRule, feeOf, grossForNet, percentFee } from "@tilinta/contract/vocabulary/fee"
import {
  centsFromReais,
  percentageFromBasisPoints,
  reaisFromCents,
  subtractCents,
} from "@tilinta/contract/vocabulary/money"
import { call } from "#api/client.ts"
import { useActingShop } from "#api/session.ts"

const defaultPercentage = 15

export const defaultFee: FeeRule = percentFee(defaultPercentage)

/** A failed read counts as the default rate; 0 is a rate like any other. */
const feeQuery = queryOptions({
  queryKey: ["public", "fee"],
  queryFn: () =>
    call(heads.getPublicSetting, { params: { key: "TRANSACTION_FEE_PERCENTAGE" } }).then(
      ({ data }) => feeRuleFrom(data.setting.value),
      () => defaultFee,
    ),
  staleTime: 60_000,
})

/** The shop's own fee, else the platform's; undefined while that is read. */
export function useFee(): FeeRule | undefined {
  const own = useActingShop()?.feePercentage ?? null
  const { data } = useQuery({ ...feeQuery, enabled: own === null })
  return own === null ? data : percentFee(own)
}

export function feeRuleFrom(value: unknown): FeeRule {
  const percentage = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return percentFee(typeof percentage === "number" && Number.isFinite(percentage) ? percentage : defaultPercentage)
}

interface Breakdown {
  gross: number
  fee: number
  net: number
}

/** Computed as the server will book it, to the centavo. */
export function breakdownOf(reais: number | null, rule: FeeRule): Breakdown {
  const gross = centsFromReais(reais ?? 0)
  const fee = feeOf(rule, gross)
  return { gross: reaisFromCents(gross), fee: reaisFromCents(fee), net: reaisFromCents(subtractCents(gross, fee)) }
}

/** The amount to charge so that at least `reais` arrive; null when none does. */
export function chargeFor(reais: number, rule: FeeRule): number | null {
  const gross = grossForNet(centsFromReais(reais), rule)
  return gross === null ? null : reaisFromCents(gross)
}

const percentFormat = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2 })

/** "15%", for people. */
export function feeText({ basisPoints }: FeeRule): string {
  return `${percentFormat.format(percentageFromBasisPoints(basisPoints))}%`
}

export function FeeCard() {
  const fee = useFee()
  if (fee === undefined) return null
  return (
    <div className="rounded-l border border-line px-4 py-3.5 text-t2">
      <p className="text-[12.5px] font-semibold text-t3">Sua taxa</p>
      <p className="text-meta tabular-nums">
        <b className="text-section font-bold tracking-[-0.01em] text-t1">{feeText(fee)}</b> por cobrança paga
      </p>
      <p className="mt-1 text-[12.5px] text-t3">Sem mensalidade. Você só paga quando recebe.</p>
    </div>
  )
}
