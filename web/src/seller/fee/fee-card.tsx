import { queryOptions, useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import {
  basisPointsFromPercentage,
  centsFromReais,
  feeFromGross,
  grossForNet,
  reaisFromCents,
} from "@tilinta/contract/vocabulary/money"
import { call } from "#api/client.ts"

export const defaultFeePercentage = 15

/** A failed read counts as the default rate; 0 is a rate like any other. */
export const feeQuery = queryOptions({
  queryKey: ["public", "fee"],
  queryFn: () =>
    call(heads.getPublicSetting, { params: { key: "TRANSACTION_FEE_PERCENTAGE" } }).then(
      ({ data }) => feePercentageFrom(data.setting.value),
      () => defaultFeePercentage,
    ),
  staleTime: 60_000,
})

export function feePercentageFrom(value: unknown): number {
  const percentage = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof percentage === "number" && Number.isFinite(percentage) ? percentage : defaultFeePercentage
}

interface Breakdown {
  gross: number
  fee: number
  net: number
}

/** Computed as the server will book it, to the centavo. */
export function breakdownOf(reais: number | null, feePercentage: number): Breakdown {
  const gross = centsFromReais(reais ?? 0)
  const fee = feeFromGross(gross, basisPointsFromPercentage(feePercentage))
  return { gross: reaisFromCents(gross), fee: reaisFromCents(fee), net: (gross - fee) / 100 }
}

/** The amount to charge so that at least `reais` arrive; null when none does. */
export function chargeFor(reais: number, feePercentage: number): number | null {
  const gross = grossForNet(centsFromReais(reais), basisPointsFromPercentage(feePercentage))
  return gross === null ? null : reaisFromCents(gross)
}

const percentFormat = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 2 })

export function formatPercentage(percentage: number): string {
  return `${percentFormat.format(percentage)}%`
}

export function FeeCard() {
  const { data: percentage } = useQuery(feeQuery)
  if (percentage === undefined) return null
  return (
    <div className="rounded-l border border-line px-4 py-3.5 text-t2">
      <p className="text-[12.5px] font-semibold text-t3">Sua taxa</p>
      <p className="text-meta tabular-nums">
        <b className="text-section font-bold tracking-[-0.01em] text-t1">{formatPercentage(percentage)}</b> por cobrança
        paga
      </p>
      <p className="mt-1 text-[12.5px] text-t3">Sem mensalidade. Você só paga quando recebe.</p>
    </div>
  )
}
