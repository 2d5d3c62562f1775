import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { UserView } from "@tilinta/contract/users"
import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk"
import { useEffect, useRef, useState } from "react"
import { logOut } from "#api/session.ts"
import type { MenuEntry } from "#app/sidebar.tsx"
import { countOf } from "#format/money-text.ts"
import { hiddenAmounts, Reais } from "#ui/amounts.tsx"
import { isTouch } from "#ui/browser-hooks.ts"
import { Dialog } from "#ui/dialog.tsx"
import { controlClass } from "#ui/field.tsx"
import { Icon } from "#ui/icon.tsx"
import {
  actionsOf,
  hitsQuery,
  isLongEnough,
  matchingEntries,
  type PaletteEntry,
  type PaletteGroup,
  screensOf,
} from "./palette-data.ts"

interface Props {
  user: UserView
  menu: readonly MenuEntry[]
  onShortcuts: () => void
  onClose: () => void
}

const restMs = 180

/** Finds screens and actions at once, and the server's hits once typing pauses. */
export function PaletteDialog({ user, menu, onShortcuts, onClose }: Props) {
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState("")
  const words = useRested(typed.trim())
  const hits = useQuery(hitsQuery(user.role, words))
  const act = useAct(onClose)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const toLogin = useNavigate()

  function type(text: string): void {
    setTyped(text)
    setChosen("")
  }

  function leave(): void {
    logOut()
    void toLogin({ to: "/login" })
  }

  const showShortcuts = isTouch() ? null : onShortcuts
  const actions = actionsOf(user, { leave, showShortcuts, toggleAmounts: hiddenAmounts.toggle })
  const asks = isLongEnough(typed.trim())
  const groups: PaletteGroup[] = [
    { heading: "Ir para", entries: matchingEntries(screensOf(user, menu), typed) },
    { heading: "Ações", entries: matchingEntries(actions, typed) },
    ...(asks ? (hits.data ?? []) : []),
  ].filter(({ entries }) => entries.length > 0)
  const ids = groups.flatMap(({ entries }) => entries.map(({ id }) => id))
  // Enter must always have a selected line, even when the hits change.
  const selected = ids.includes(chosen) ? chosen : (ids[0] ?? "")
  const isWaiting = asks && (words !== typed.trim() || hits.isFetching)
  return (
    <Dialog title="Buscar" variant="sheet" onClose={onClose}>
      <CommandRoot
        label="Buscar"
        shouldFilter={false}
        loop
        value={selected}
        onValueChange={setChosen}
        className="flex min-h-0 flex-1 flex-col"
      >
        <div className="relative border-b border-line px-4 pb-3">
          <Icon name="search" className="pointer-events-none absolute top-3 left-7 size-5 text-t3" />
          <CommandInput
            ref={input}
            value={typed}
            onValueChange={type}
            maxLength={200}
            placeholder={user.role === "admin" ? "Nome, e-mail, CPF, txid, tela…" : "Cobrança, pagador, txid, tela…"}
            className={`${controlClass} h-11 pr-3.5 pl-11`}
          />
        </div>
        <CommandList label="Resultados" className="min-h-0 flex-1 overflow-y-auto px-2 py-2">
          {groups.map(({ heading, entries }) => (
            <CommandGroup
              key={heading}
              heading={<span className="block px-3 py-1.5 text-meta font-semibold text-t3">{heading}</span>}
            >
              {entries.map((entry) => (
                <EntryItem key={entry.id} entry={entry} onSelect={() => act(entry)} />
              ))}
            </CommandGroup>
          ))}
        </CommandList>
        <Outcome typed={typed.trim()} count={ids.length} waits={isWaiting} fails={hits.isError && asks} />
      </CommandRoot>
    </Dialog>
  )
}

function EntryItem({ entry, onSelect }: { entry: PaletteEntry; onSelect: () => void }) {
  const { id, icon, label, note, amount } = entry
  return (
    <CommandItem
      value={id}
      onSelect={onSelect}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-m px-3 py-1.5 text-t2 data-[selected=true]:bg-s3 data-[selected=true]:text-t1"
    >
      <Icon name={icon} className="size-5 flex-none text-t3" />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium text-t1">{label}</span>
        {note !== undefined && <span className="block truncate text-meta text-t3">{note}</span>}
      </span>
      {amount !== undefined && (
        <span className="flex-none font-semibold tabular-nums">
          <Reais>{amount}</Reais>
        </span>
      )}
    </CommandItem>
  )
}

interface OutcomeProps {
  typed: string
  count: number
  waits: boolean
  fails: boolean
}

/** The search's outcome for screen readers, visible only when there are no hits. */
function Outcome({ typed, count, waits, fails }: OutcomeProps) {
  const isEmpty = count === 0 && !waits && !fails
  const said = fails
    ? "Não foi possível buscar. Confira a conexão e tente de novo."
    : waits && count === 0
      ? "Buscando..."
      : isEmpty
        ? `Nada encontrado para “${typed}”. Procure por nome, título, txid ou endToEndId.`
        : countOf(count, "resultado", "resultados")
  return (
    <p role="status" className={count > 0 && !fails ? "sr-only" : "px-5 pt-4 pb-6 text-center text-t2 break-words"}>
      {said}
    </p>
  )
}

/** Closes the dialog first, so that its focus restoration can't take the focus from what opens next. */
function useAct(onClose: () => void): (entry: PaletteEntry) => void {
  const navigate = useNavigate()
  return ({ act }) => {
    onClose()
    if (typeof act === "function") act()
    else void navigate(act)
  }
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
