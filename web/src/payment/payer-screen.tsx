import type { CurrentScreenView } from "@tilinta/contract/screens"
import { COUNTER_MINUTES, shopColorCodes } from "@tilinta/contract/vocabulary/shops"
import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { bankNameOf } from "#format/bank-name.ts"
import { formatReais } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { pairScreen, storedSecret, storeSecret, useCurrentScreen } from "./screen-data.ts"
import "#styles/screen.css"

/** A tablet or television that faces the payer. It needs no account, and has none. */
export function PayerScreen() {
  const [secret, setSecret] = useState(storedSecret)
  const [hasEnded, setHasEnded] = useState(false)
  function pair(next: string): void {
    storeSecret(next)
    setSecret(next)
  }
  const end = useCallback(() => {
    storeSecret(null)
    setSecret(null)
    setHasEnded(true)
  }, [])
  return (
    <main id="main" tabIndex={-1} className="screen grid min-h-dvh">
      {secret === null ? <Pairing hasEnded={hasEnded} onPair={pair} /> : <Paired secret={secret} onEnd={end} />}
    </main>
  )
}

function Pairing({ hasEnded, onPair }: { hasEnded: boolean; onPair: (secret: string) => void }) {
  const [code, setCode] = useState("")
  const { submit, busy, failure } = useSubmit(
    async () => onPair(await pairScreen(code)),
    (error) => messageOf(error, "A tela não foi ligada. Tente de novo."),
  )
  function send(event: FormEvent): void {
    event.preventDefault()
    void submit()
  }
  return (
    <form onSubmit={send} className="m-auto grid w-full max-w-md gap-5 p-6">
      <PageTitle title="Tela do cliente" />
      <p className="text-t2">
        {hasEnded
          ? "Esta tela foi desligada. Para ligar de novo, peça outro código no balcão."
          : "No balcão, toque no QR ao lado do total do dia e digite aqui o código que aparece."}
      </p>
      <Field label="Código">
        {(control) => (
          <TextInput
            {...control}
            value={code}
            placeholder="XXXX-XXXX"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={12}
            className="screen-code text-center font-semibold uppercase"
            onChange={({ target }) => setCode(target.value)}
          />
        )}
      </Field>
      <FormAlert message={failure} />
      <Button type="submit" variant="primary" disabled={code.trim() === ""} aria-disabled={busy || undefined}>
        {busy ? "Ligando..." : "Ligar a tela"}
      </Button>
    </form>
  )
}

function Paired({ secret, onEnd }: { secret: string; onEnd: () => void }) {
  const { view, isSilent } = useCurrentScreen(secret, onEnd)
  useAwake()
  const sale = useUnexpired(view?.sale ?? null)
  if (view === null) {
    return (
      <p role="status" className="m-auto p-6 text-t2">
        {isSilent ? "Sem internet. Tentando de novo…" : "Ligando…"}
      </p>
    )
  }
  return (
    <>
      {sale === null ? (
        <Idle shop={view.shop} />
      ) : sale.status === "pago" ? (
        <Paid amount={sale.amount} shop={view.shop} />
      ) : (
        <Waiting sale={sale} shop={view.shop} />
      )}
      {isSilent && (
        <p role="status" className="screen-bar bg-amber-bg p-3 text-center text-amber">
          Sem internet: esta tela pode estar atrasada. Confira no balcão.
        </p>
      )}
    </>
  )
}

type Shop = CurrentScreenView["shop"]
type Sale = NonNullable<CurrentScreenView["sale"]>

function Idle({ shop }: { shop: Shop }) {
  return (
    <div className="m-auto grid justify-items-center gap-6 p-6 text-center">
      <Face shop={shop} />
      <h1 className="screen-name font-bold text-balance">{shop.name}</h1>
      <p className="screen-hint text-t2">Pague aqui com Pix</p>
    </div>
  )
}

function Waiting({ sale, shop }: { sale: Sale; shop: Shop }) {
  const bank = bankNameOf(sale.pixCode)
  const amount = formatReais(sale.amount)
  const size = amount.length > "R$ 1.234,56".length ? "screen-amount screen-amount-long" : "screen-amount"
  return (
    <div className="screen-sale m-auto grid items-center justify-items-center gap-6 p-6 text-center">
      <img
        src={`data:image/png;base64,${sale.pixQrCodeBase64}`}
        alt={`QR code Pix de ${amount}`}
        className="screen-qr rounded-l"
      />
      <div className="screen-facts grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3">
        <p className="screen-hint flex items-center gap-3 font-semibold">
          <Face shop={shop} className="screen-face screen-face-small" />
          {shop.name}
        </p>
        <div role="status">
          <h1 className={`${size} leading-tight font-bold tabular-nums`}>{amount}</h1>
        </div>
        <p className="screen-hint text-t2">Abra o app do seu banco, escolha Pix e aponte a câmera.</p>
        {bank !== "" && (
          <p className="screen-hint">
            No app do banco aparece <b>{bank}</b>
          </p>
        )}
      </div>
    </div>
  )
}

function Paid({ amount, shop }: { amount: number; shop: Shop }) {
  return (
    <div className="grid content-center justify-items-center gap-4 bg-mint p-6 text-center text-mint-ink">
      <div role="alert">
        <h1 className="screen-amount leading-tight font-bold tabular-nums">Pago: {formatReais(amount)}</h1>
      </div>
      <p className="screen-hint">Obrigado! {shop.name}</p>
    </div>
  )
}

/** A logo by its path, which is the same on each of our hosts; without one, the shop's colour. */
function Face({
  shop: { color, logoUrl, name },
  className = "screen-face",
}: {
  shop: Shop
  className?: string
}): ReactNode {
  if (logoUrl !== undefined)
    return <img src={new URL(logoUrl).pathname} alt="" className={`flex-none rounded-l ${className}`} />
  return (
    <span
      aria-hidden="true"
      className={`grid flex-none place-items-center rounded-l font-bold ${className}`}
      style={{ backgroundColor: shopColorCodes[color] }}
    >
      {name.slice(0, 1)}
    </span>
  )
}

/**
 * Hides a code that can't be paid any more, also while nothing answers. Counted from when it came: a television's clock may
 * be wrong.
 */
function useUnexpired(sale: Sale | null): Sale | null {
  const [expired, setExpired] = useState<string | null>(null)
  const code = sale?.status === "pendente" ? sale.pixCode : null
  useEffect(() => {
    if (code === null) return
    const timer = setTimeout(() => setExpired(code), COUNTER_MINUTES * 60_000)
    return () => clearTimeout(timer)
  }, [code])
  return code !== null && code === expired ? null : sale
}

/** Keeps the device from going dark, if its browser can. */
function useAwake(): void {
  useEffect(() => {
    const stay = () => {
      if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => undefined)
    }
    stay()
    document.addEventListener("visibilitychange", stay)
    return () => document.removeEventListener("visibilitychange", stay)
  }, [])
}
