import { queryOptions } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import { withdrawalsKey } from "#admin/withdrawals/withdrawals-data.ts"
import { ApiError } from "#api/api-error.ts"
import { call } from "#api/client.ts"

const BATCH_MAX = 200

/** The oldest approved withdrawals that people pay by hand. */
export const payableQuery = queryOptions({
  queryKey: [...withdrawalsKey, "by-hand"],
  queryFn: async ({ signal }) => {
    const query = { status: "approved", order: "oldest", limit: String(BATCH_MAX) } as const
    const { data } = await call(heads.listAllWithdrawals, { query, signal })
    return data.withdrawals.filter(({ paidByHand }) => paidByHand)
  },
  refetchInterval: 15_000,
})

/** Why this administrator can't pay it now; null when they can. */
export function obstacleOf(
  {
    waitsBecause,
    user,
    claim,
    remittance,
  }: Pick<AdminWithdrawalView, "waitsBecause" | "user" | "claim" | "remittance">,
  adminId: string | undefined,
): string | null {
  if (waitsBecause === "not_authentic") return "Não é como foi aprovado: não pague"
  if (waitsBecause === "account_frozen") return "Conta congelada: não pague"
  if (waitsBecause === "not_own") return "Destino de outra pessoa: não pague"
  if (waitsBecause !== null) return "Ainda espera, por segurança"
  if (user._id === adminId) return "É seu: outro administrador paga"
  if (remittance !== null) return `Na remessa ${remittance.sequence}, à espera do retorno`
  if (claim !== null && claim.by._id !== adminId) return `${claim.by.name} está pagando`
  return null
}

export interface Attempt {
  at: number
  checked: boolean
  /** As the bank's app shows the receiver. */
  holder: { name: string; document: string } | null
}

/** Never asked again by itself: each answer keeps others away for ten minutes. */
export function claimQuery(id: string, attempt: Attempt) {
  return queryOptions({
    queryKey: ["admin", "payout-claim", id, attempt],
    queryFn: async () =>
      (
        await call(heads.claimWithdrawal, {
          params: { id },
          body: { checked: attempt.checked, holder: attempt.holder },
        })
      ).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
}

export function release(id: string) {
  return call(heads.releaseWithdrawal, { params: { id } })
}

/** A first answer may have been lost on its way: what is paid by now is no failure. */
export async function markPaid(id: string, bankId: string): Promise<void> {
  try {
    await call(heads.completeWithdrawal, { params: { id }, body: { bankId } })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "withdrawal_not_completable")) throw error
    const { data } = await call(heads.getAnyWithdrawal, { params: { id } })
    if (data.withdrawal.status !== "completed") throw error
  }
}
