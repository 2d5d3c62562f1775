import type { AdminWithdrawalView, approveWithdrawalsEndpoint } from "@tilinta/contract/admin-withdrawals"
import * as heads from "@tilinta/contract/heads"
import { useCallback, useRef, useState } from "react"
import { call, createSubmissions, type ReplyOf } from "#api/client.ts"
import { countOf } from "#format/money-text.ts"
import { pick } from "#ui/row-keys.tsx"

/** Adds up in centavos: reais as floats don't add up exactly. */
export function sumOf(withdrawals: readonly Pick<AdminWithdrawalView, "amount">[]): number {
  return withdrawals.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100
}

/** The consequences of approving them, shown before confirmation. */
export function batchConsequences(withdrawals: readonly Pick<AdminWithdrawalView, "paidByHand" | "paymentMethod">[]) {
  const byHand = withdrawals.filter(({ paidByHand, paymentMethod }) => paidByHand || paymentMethod !== "pix").length
  const sent = withdrawals.length - byHand
  return [
    sent === 0
      ? ""
      : `${countOf(sent, "Pix é enviado", "Pix são enviados")} ao banco em seguida: isto não pode ser desfeito.`,
    byHand === 0
      ? ""
      : `${countOf(byHand, "saque espera", "saques esperam")} que você pague no seu banco e marque como pago.`,
  ].filter((line) => line !== "")
}

export type BatchReply = ReplyOf<typeof approveWithdrawalsEndpoint>
export type ApproveBatch = (batch: { ids: string[]; adminNotes: string }) => Promise<BatchReply>

/** The same batch keeps its idempotency key until an answer arrives, so a retry approves nothing twice. */
export function useApproveBatch(): ApproveBatch {
  const submissions = useRef(createSubmissions())

  return async (body) => {
    const reply = await call(heads.approveWithdrawals, {
      body,
      headers: { "Idempotency-Key": submissions.current(body).key },
    })
    submissions.current = createSubmissions()
    return reply
  }
}

export interface Selection<Row> {
  /** Selected rows that are still on the screen. */
  chosen: readonly Row[]
  isChosen: (row: Row) => boolean
  toggle: (row: Row, isRange: boolean) => void
  /** Selects every selectable row, or none. */
  toggleAll: () => void
  clear: () => void
}

/** Keeps only selectable rows: a row that stops being selectable drops out. */
export function useSelection<Row extends { _id: string }>(selectable: readonly Row[]): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const chosen = selectable.filter(({ _id }) => ids.has(_id))
  const clear = useCallback(() => {
    last.current = null
    setIds(new Set())
  }, [])
  return {
    chosen,
    isChosen: ({ _id }) => ids.has(_id),
    toggle({ _id }, isRange) {
      const order = selectable.map((row) => row._id)
      setIds(pick(new Set(chosen.map((row) => row._id)), { ids: order, id: _id, from: isRange ? last.current : null }))
      last.current = _id
    },
    toggleAll() {
      setIds(new Set(chosen.length === selectable.length ? [] : selectable.map(({ _id }) => _id)))
    },
    clear,
  }
}
