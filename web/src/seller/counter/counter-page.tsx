import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { OwnShopView } from "@tilinta/contract/users"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react"
import { mayAs } from "#api/acting-shop.ts"
import { ApiError, isWorthRetrying, messageOf, offlineError } from "#api/api-error.ts"
import { session, useActingShop, useSession } from "#api/session.ts"
import { viewedUntil } from "#api/session-token.ts"
import { pauseOrOnline } from "#seller/live/follow-seller.ts"
import { lazyDialog } from "#ui/lazy-part.tsx"
import {
  counterDayQuery,
  keepCounter,
  type OpenSale,
  sell,
  showOnScreen,
  storedSale,
  storedScreen,
  storedShop,
  storeSale,
  storeScreen,
  storeShop,
} from "./counter-data.ts"
import { CounterDay } from "./counter-day.tsx"
import { CounterPad } from "./counter-pad.tsx"
import { CounterSale } from "./counter-sale.tsx"
import "#styles/counter.css"

const FavouritesDialog = lazyDialog(() => import("./favourites-dialog.tsx"), "FavouritesDialog")
const ScreensDialog = lazyDialog(() => import("./screens-dialog.tsx"), "ScreensDialog")

const noSale: OpenSale = { cents: 0, note: "", key: "", charge: null }
const offline = "Sem internet: o código ainda não foi gerado."
const LEAST_CENTS = 100
const SHOW_AGAIN_MS = 3000
const RETURN_MS = 15_000

/** Fills the screen, above the menu: nothing else is done at a counter. */
export function CounterPage() {
  const ref = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()
  const [showsDay, setShowsDay] = useState(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // Typed digits mean the amount, not the first button.
    dialog?.focus()
    return () => dialog?.close()
  }, [])
  const { shop, isOffline } = useShop()
  // A cashier has no dashboard.
  const isManager = shop !== null && mayAs(shop.role, managers)
  const leave = () => {
    // Nothing else opens without a network: the worker says so.
    if (isOffline) location.assign("/dashboard")
    else void navigate({ to: isManager ? "/dashboard" : "/profile" })
  }
  return (
    <dialog
      ref={ref}
      aria-label="Balcão"
      tabIndex={-1}
      onCancel={(event) => {
        // React hands on what a dialog inside was asked.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (showsDay) setShowsDay(false)
        else leave()
      }}
      className="m-0 counter h-dvh max-h-none overflow-y-auto bg-bg text-t1"
    >
      {showsDay ? (
        <CounterDay choosesDay={isManager} onClose={() => setShowsDay(false)} />
      ) : (
        shop !== null && <Till shop={shop} isOffline={isOffline} onLeave={leave} onDay={() => setShowsDay(true)} />
      )}
    </dialog>
  )
}

/** The acting shop; after a start without a network the one that this browser knows, until the server answers. */
function useShop() {
  const acting = useActingShop()
  const isOffline = useSession().status === "offline"
  const [known] = useState(storedShop)
  if (isOffline && known === null) throw offlineError()
  const written = acting === null ? null : JSON.stringify(acting)
  useEffect(() => {
    if (written === null || viewedUntil() !== null) return
    storeShop(written)
    void keepCounter()
  }, [written])
  return { shop: isOffline ? known : acting, isOffline }
}

/** Asks again who it is, which draws the counter anew: not while a sale is asked for. */
function useReturn(mayReturn: boolean): void {
  useEffect(() => {
    if (!mayReturn) return
    const end = new AbortController()
    void comeBack(end.signal)
    return () => end.abort()
  }, [mayReturn])
}

async function comeBack(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pauseOrOnline(RETURN_MS, signal)
    if (!signal.aborted) await session.start()
  }
}

interface TillProps {
  shop: OwnShopView
  isOffline: boolean
  onLeave: () => void
  onDay: () => void
}

/** One sale after the other. Nothing is ever paid that the server hasn't said. */
function Till({ shop, isOffline, onLeave, onDay }: TillProps) {
  const [sale, setSale] = useState<OpenSale>(() => storedSale(shop._id) ?? noSale)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(isOffline && sale.cents > 0 ? offline : null)
  const [namesFavourites, setNamesFavourites] = useState(false)
  const isManager = mayAs(shop.role, managers)
  const screen = useScreen(shop._id, sale.charge?._id ?? null)
  const day = useQuery(counterDayQuery)
  const queryClient = useQueryClient()

  function change(next: OpenSale): void {
    setSale(next)
    storeSale(shop._id, next.cents === 0 && next.note === "" ? null : next)
  }

  /** Another amount is another sale. */
  function type(part: Partial<OpenSale>): void {
    setFailure(null)
    change({ ...sale, ...part, key: "" })
  }

  async function ask(): Promise<void> {
    if (isBusy) return
    if (sale.cents < LEAST_CENTS) return setFailure("O valor mínimo da cobrança é R$ 1,00")
    const wanted = sale.key === "" ? { ...sale, key: newKey() } : sale
    change(wanted)
    setIsBusy(true)
    setFailure(null)
    try {
      change({ ...wanted, charge: await sell(wanted) })
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
      // After a clear refusal the next try is another sale; else the code may exist, and is asked for again.
      if (isRefused) change({ ...wanted, key: "" })
      setFailure(
        error instanceof ApiError && error.status === 0 ? offline : messageOf(error, "O código não foi gerado."),
      )
    } finally {
      setIsBusy(false)
    }
  }

  function startOver(): void {
    setFailure(null)
    change(noSale)
    void queryClient.invalidateQueries({ queryKey: counterDayQuery.queryKey })
  }

  // A key without a code: the answer was lost, and is wanted for as soon as the network is back.
  const isLost = sale.key !== "" && sale.charge === null && !isBusy
  useReturn(isOffline && !isLost && !isBusy)
  const askAgain = useEffectEvent(() => void ask())
  useEffect(() => {
    if (!isLost) return
    const again = () => askAgain()
    window.addEventListener("online", again)
    return () => window.removeEventListener("online", again)
  }, [isLost])

  if (sale.charge !== null) return <CounterSale charge={sale.charge} shop={shop.name} onEnd={startOver} />
  return (
    <>
      <CounterPad
        sale={sale}
        day={day.data}
        isBusy={isBusy}
        failure={failure}
        onChange={type}
        onAsk={() => void ask()}
        onLeave={onLeave}
        onDay={onDay}
        onScreens={screen.open}
        onFavourites={isManager ? () => setNamesFavourites(true) : null}
      />
      {namesFavourites && (
        <FavouritesDialog favourites={day.data?.favourites ?? []} onClose={() => setNamesFavourites(false)} />
      )}
      {screen.isOpen && (
        <ScreensDialog shopId={shop._id} chosen={screen.chosen} onChoose={screen.choose} onClose={screen.close} />
      )}
    </>
  )
}

/**
 * Shows the sale on the chosen screen, and nothing between sales. A sale never waits for it; what fails is tried again, and
 * ends with the next change, which it must not overtake.
 */
function useScreen(shopId: string, chargeId: string | null) {
  const [chosen, setChosen] = useState(() => storedScreen(shopId))
  const [isOpen, setIsOpen] = useState(false)
  const choose = useCallback(
    (screenId: string | null) => {
      storeScreen(shopId, screenId)
      setChosen(screenId)
    },
    [shopId],
  )
  useEffect(() => {
    if (chosen === null) return
    const change = new AbortController()
    const shown = { shopId, screenId: chosen, transactionId: chargeId }
    void keepShowing(shown, change.signal).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "screen_not_found") choose(null)
    })
    return () => change.abort()
  }, [shopId, chosen, chargeId, choose])
  return { chosen, isOpen, choose, open: () => setIsOpen(true), close: () => setIsOpen(false) }
}

async function keepShowing(shown: Parameters<typeof showOnScreen>[0], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await showOnScreen(shown, signal)
    } catch (error) {
      if (!isWorthRetrying(error)) throw error
    }
    await pauseOrOnline(SHOW_AGAIN_MS, signal)
  }
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
