import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { ChangedTransaction, TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { useEffect } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { currentToken } from "#api/session-token.ts"
import { shownReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { toast } from "#ui/toast.ts"
import { moneyKeys } from "../seller-data.ts"
import { openOneStream } from "./follow-seller.ts"
import { markFresh, setLive } from "./live-store.ts"
import { paymentSound, playPaymentSound } from "./payment-sound.tsx"

interface ReceivedPayment {
  _id: string
  grossAmount: number
  payerName: string
  checkoutPage: { _id: string | null }
}

const announced = new Set<string>()
const eachUpTo = 2

/** Announces each payment once, whichever source reports it first. Returns whether any was new. */
export function announcePayments(payments: readonly ReceivedPayment[]): boolean {
  const fresh = payments.filter(({ _id }) => !announced.has(_id))
  for (const { _id } of fresh) announced.add(_id)
  if (fresh.length === 0) return false
  markFresh(fresh.flatMap(({ _id, checkoutPage }) => [_id, ...(checkoutPage._id === null ? [] : [checkoutPage._id])]))
  if (fresh.length > eachUpTo) {
    const total = fresh.reduce((sum, { grossAmount }) => sum + Math.round(grossAmount * 100), 0) / 100
    toast.success(`${fresh.length} pagamentos recebidos`, `${shownReais(total)} no total`)
    return true
  }
  for (const { payerName, grossAmount } of fresh) {
    toast.success("Pagamento recebido", `${payerName || "Seu cliente"} pagou ${shownReais(grossAmount)}`)
  }
  return true
}

const legalQuery = queryOptions({
  queryKey: ["seller", "legal-texts"],
  queryFn: async ({ signal }) => (await call(heads.listMyLegalTexts, { signal })).data.legalTexts,
  staleTime: 5 * 60_000,
})

/** Stands above every screen until the seller has accepted the versions in force. Nothing else waits for it. */
export function LegalNotice() {
  const queryClient = useQueryClient()
  const texts = useQuery(legalQuery)
  const waiting = texts.data?.filter(({ acceptedAt }) => acceptedAt === null) ?? []
  const agree = useMutation({
    mutationFn: () =>
      call(heads.acceptLegalTexts, { body: { versions: waiting.map(({ kind, version }) => ({ kind, version })) } }),
    onSuccess: ({ data }) => queryClient.setQueryData(legalQuery.queryKey, data.legalTexts),
    onError: (error) => {
      toast.error(messageOf(error, "Não foi possível registrar o aceite"), detailOf(error))
      return queryClient.invalidateQueries({ queryKey: legalQuery.queryKey })
    },
  })
  if (waiting.length === 0) return null

  return (
    <section
      aria-label="Termos e privacidade"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-m border border-line-2 bg-s2 px-4 py-3"
    >
      <Icon name="info" className="size-5 flex-none text-mint" />
      <p className="min-w-0 flex-1 basis-64 text-label">
        <b>Há um texto novo para você aceitar.</b> Leia{" "}
        {waiting.map(({ kind, title, path, version }, at) => (
          <span key={kind}>
            {at > 0 && " e "}
            <a href={path} target="_blank" rel="noreferrer" className="underline underline-offset-4">
              {title} (versão {version})
            </a>
          </span>
        ))}
        . Suas vendas continuam enquanto isso.
      </p>
      <Button disabled={agree.isPending} onClick={() => agree.mutate()}>
        {agree.isPending ? "Aceitando..." : "Aceitar"}
      </Button>
    </section>
  )
}

/** Keeps every seller screen current while the session lives. Renders nothing. */
export function LiveUpdates() {
  const queryClient = useQueryClient()

  useEffect(() => {
    const token = currentToken()
    if (token === null) return
    const refresh = createRefresh(queryClient)
    let wasLost = false
    const close = openOneStream(token, { onLive: live, onChange: change })
    return () => {
      close()
      refresh.stop()
      setLive(false)
    }

    /** Catches up on changes missed while disconnected. */
    function live(isLive: boolean): void {
      setLive(isLive)
      if (isLive && wasLost) refresh.soon()
      wasLost = !isLive
    }

    function change({ transactions }: TransactionsChanged, isLeader: boolean): void {
      const isFresh = announcePayments(transactions.filter(isPaidNow))
      if (isFresh && isLeader && paymentSound.isOn()) playPaymentSound()
      refresh.soon()
    }
  }, [queryClient])

  return null
}

function isPaidNow({ status, refundedAmount }: ChangedTransaction): boolean {
  return status === "pago" && refundedAmount === 0
}

const refreshEveryMs = 1000

/** Refreshes at once after the first change, then at most once a second. */
function createRefresh(queryClient: QueryClient) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isDue = false

  function refresh(): void {
    isDue = false
    for (const queryKey of moneyKeys) void queryClient.invalidateQueries({ queryKey })
    timer = setTimeout(() => {
      timer = null
      if (isDue) refresh()
    }, refreshEveryMs)
  }

  return {
    soon(): void {
      if (timer === null) refresh()
      else isDue = true
    },
    stop(): void {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
