import { queryOptions } from "@tanstack/react-query"
import type { getPublicSettingEndpoint } from "@tilinta/contract/api/settings-endpoints"
import { type FeeRule, feeOf, grossForNet, percentFee } from "@tilinta/contract/vocabulary/fee"
import {
  centsFromReais,
  percentageFromBasisPoints,
  reaisFromCents,
  subtractCents,
} from "@tilinta/contract/vocabulary/money"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const defaultPercentage = 15

export const defaultFee: FeeRule = percentFee(defaultPercentage)

const getPublicSetting = leanEndpoint<typeof getPublicSettingEndpoint>("GET", "/api/v1/public/settings/:key")

/** A failed read counts as the default rate; 0 is a rate like any other. */
export const feeQuery = queryOptions({
  queryKey: ["public", "fee"],
  queryFn: () =>
    call(getPublicSetting, { params: { key: "TRANSACTION_FEE_PERCENTAGE" } }).then(
      ({ data }) => feeRuleFrom(data.setting.value),
      () => defaultFee,
    ),
  staleTime: 60_000,
})

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
