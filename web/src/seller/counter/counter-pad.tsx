import type { CounterDayView } from "@tilinta/contract/charges"
import { type MouseEvent, useEffect } from "react"
import { formatReais, splitReais } from "#format/money-text.ts"
import { BigAmount } from "#ui/amounts.tsx"
import { Button, IconButton } from "#ui/button.tsx"
import { FormAlert, TextInput } from "#ui/field.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import type { OpenSale } from "./counter-data.ts"

const MOST_CENTS = 999_999_999
const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0"] as const

interface Props {
  sale: OpenSale
  day: CounterDayView | undefined
  isBusy: boolean
  failure: string | null
  onChange: (part: Pick<OpenSale, "cents"> & Partial<Pick<OpenSale, "note">>) => void
  onAsk: () => void
  onLeave: () => void
  onDay: () => void
  onScreens: () => void
  /** Null where one's role doesn't name them. */
  onFavourites: (() => void) | null
}

export function CounterPad({
  sale,
  day,
  isBusy,
  failure,
  onChange,
  onAsk,
  onLeave,
  onDay,
  onScreens,
  onFavourites,
}: Props) {
  const { cents, note } = sale
  const press = (digits: string) => {
    const next = Number(`${cents}${digits}`)
    if (next <= MOST_CENTS) onChange({ cents: next })
  }
  const erase = () => onChange({ cents: Math.floor(cents / 10) })
  useTypedDigits({ press, erase, ask: () => cents > 0 && onAsk() })
  return (
    <div className="mx-auto counter-pad grid gap-4 p-4">
      <header className="flex items-center justify-between gap-3">
        <IconButton icon="arrowLeft" label="Sair do balcão" onClick={onLeave} />
        <PageTitle title="Balcão" />
        <span className="flex items-center">
          <IconButton icon="qr" label="Tela do cliente" onClick={onScreens} />
          <Button variant="ghost" onClick={onDay}>
            Hoje: {formatReais(day?.amount ?? 0)}
          </Button>
        </span>
      </header>
      <div className="counter-content grid content-center gap-4">
        <div role="status" aria-label="Valor" className="text-center">
          <BigAmount parts={splitReais(cents / 100)} />
        </div>
        <Picks day={day} onPick={onChange} onEdit={onFavourites} />
        <TextInput
          aria-label="Observação"
          placeholder="Observação (opcional)"
          value={note}
          maxLength={100}
          autoComplete="off"
          onChange={({ target }) => onChange({ cents, note: target.value })}
        />
      </div>
      <div className="counter-keys grid gap-3">
        <div className="grid grid-cols-3 gap-2" onClick={leaveToEnter}>
          {keys.map((digits) => (
            <button key={digits} type="button" onClick={() => press(digits)} className={padClass}>
              {digits}
            </button>
          ))}
          <button type="button" onClick={erase} className={padClass}>
            Apagar
          </button>
        </div>
        <FormAlert message={failure} />
        <Button
          variant="primary"
          className="counter-ask"
          disabled={cents === 0}
          aria-disabled={isBusy || undefined}
          onClick={onAsk}
        >
          {isBusy ? "Gerando..." : failure === null ? "Gerar QR" : "Tentar novamente"}
        </Button>
      </div>
    </div>
  )
}

/** After a tap the Enter of a keyboard means the code, not the same button again. */
function leaveToEnter({ detail, target }: MouseEvent): void {
  const isTap = detail > 0
  if (isTap && target instanceof HTMLElement) target.closest("button")?.blur()
}

const padClass = "counter-key rounded-l border border-line bg-s1 font-semibold tabular-nums hover:bg-s2"

const MOST_RECENT = 6

interface QuickSale {
  amount: number
  note: string
}

/** One tap for what is sold again and again: the shop's favourites, then what was sold last. */
function Picks({
  day,
  onPick,
  onEdit,
}: {
  day: CounterDayView | undefined
  onPick: Props["onChange"]
  onEdit: Props["onFavourites"]
}) {
  const favourites = day?.favourites ?? []
  const keyOf = ({ amount, note }: QuickSale) => `${amount} ${note}`
  const known = new Map<string, QuickSale>()
  for (const { name, amount } of favourites) known.set(keyOf({ amount, note: name }), { amount, note: name })
  for (const { amount, description } of day?.sales ?? []) {
    const pick = { amount, note: description === defaultNote ? "" : description }
    if (known.size < Math.max(MOST_RECENT, favourites.length)) known.set(keyOf(pick), known.get(keyOf(pick)) ?? pick)
  }
  if (known.size === 0 && onEdit === null) return null
  return (
    <ul aria-label="Favoritos e últimos valores" className="counter-picks gap-2" onClick={leaveToEnter}>
      {[...known].map(([key, { amount, note }]) => (
        <li key={key}>
          <Button className="counter-pick" onClick={() => onPick({ cents: Math.round(amount * 100), note })}>
            {formatReais(amount)}
            {note !== "" && <span className="max-w-full truncate text-meta text-t3">{note}</span>}
          </Button>
        </li>
      ))}
      {onEdit !== null && day !== undefined && (
        <li>
          <Button variant="ghost" icon={favourites.length === 0 ? "plus" : "edit"} onClick={onEdit}>
            Favoritos
          </Button>
        </li>
      )}
    </ul>
  )
}

/** The server's title of a sale without a note. */
const defaultNote = "Venda no balcão"

interface Typing {
  press: (digits: string) => void
  erase: () => void
  ask: () => void
}

function useTypedDigits({ press, erase, ask }: Typing): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      // A dialog above the pad has its own Enter.
      if (document.querySelectorAll("dialog[open]").length > 1) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === "Enter" && !(event.target instanceof HTMLButtonElement)) ask()
      if (event.target instanceof HTMLInputElement) return
      if (/^\d$/.test(event.key)) {
        press(event.key)
        if (event.target instanceof HTMLButtonElement) event.target.blur()
      }
      if (event.key === "Backspace") erase()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  })
}
