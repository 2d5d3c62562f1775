import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import type { ChangedTransaction, TransactionsChanged } from "@tilinta/contract/vocabulary/events"
import { useEffect } from "react"
import { currentToken } from "#api/session-token.ts"
import { moneyKeys } from "../money-keys.ts"
import { announcePayments } from "./announce-payments.ts"
import { setLive } from "./live-store.ts"
import { openOneStream } from "./one-stream.ts"
import { paymentSound, playPaymentSound } from "./payment-sound.ts"

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
      const isNews = announcePayments(transactions.filter(isPaidNow))
      if (isNews && isLeader && paymentSound.isOn()) playPaymentSound()
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
