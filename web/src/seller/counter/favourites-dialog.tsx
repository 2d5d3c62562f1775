import { useQueryClient } from "@tanstack/react-query"
import type { FavouriteView } from "@tilinta/contract/charges"
import * as heads from "@tilinta/contract/heads"
import { FAVOURITE_NAME_MAX, MOST_FAVOURITES } from "@tilinta/contract/vocabulary/shops"
import { type FormEvent, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { Button, IconButton } from "#ui/button.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { FormAlert, TextInput } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { counterDayQuery } from "./counter-data.ts"

interface Row {
  key: number
  name: string
  amount: number | null
}

const isTyped = ({ name, amount }: Row) => name.trim() !== "" || amount !== null

/** Rows without a name and a price are left out. */
export function FavouritesDialog({
  favourites,
  onClose,
}: {
  favourites: readonly FavouriteView[]
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [rows, setRows] = useState<readonly Row[]>(() => [
    ...favourites.map((each, key) => ({ key, ...each })),
    ...(favourites.length === 0 ? [{ key: 0, name: "", amount: null }] : []),
  ])
  const change = (key: number, part: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  const { submit, busy, failure, setFailure } = useSubmit(
    async () => {
      const sent = rows.filter(isTyped).map(({ name, amount }) => ({ name, amount: amount ?? 0 }))
      await call(heads.saveFavourites, { body: { favourites: sent } })
      await queryClient.invalidateQueries({ queryKey: counterDayQuery.queryKey })
      onClose()
    },
    (error) => messageOf(error, "Os favoritos não foram salvos. Tente de novo."),
  )
  function send(event: FormEvent): void {
    event.preventDefault()
    const half = rows.findIndex((row) => isTyped(row) && (row.name.trim() === "" || (row.amount ?? 0) < 1))
    if (half === -1) void submit()
    else setFailure(`Favorito ${half + 1}: informe o nome e um preço de R$ 1,00 ou mais.`)
  }
  return (
    <FormDialog title="Favoritos" verb={busy ? "Salvando..." : "Salvar"} busy={busy} onSubmit={send} onClose={onClose}>
      <p className="text-t2">Nome e preço do que você vende toda hora: um toque no balcão preenche a venda.</p>
      <ul className="grid gap-3">
        {rows.map(({ key, name, amount }, at) => (
          <li key={key} className="counter-favourite grid items-center gap-2">
            <TextInput
              aria-label={`Nome do favorito ${at + 1}`}
              placeholder="Pão na chapa"
              value={name}
              maxLength={FAVOURITE_NAME_MAX}
              autoComplete="off"
              onChange={({ target }) => change(key, { name: target.value })}
            />
            <MoneyInput
              aria-label={`Preço do favorito ${at + 1}`}
              value={amount}
              onChange={(next) => change(key, { amount: next })}
            />
            <IconButton
              icon="trash"
              label={`Tirar o favorito ${at + 1}`}
              onClick={() => setRows(rows.filter((row) => row.key !== key))}
            />
          </li>
        ))}
      </ul>
      {rows.length < MOST_FAVOURITES && (
        <Button
          icon="plus"
          onClick={() =>
            setRows([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, name: "", amount: null }])
          }
        >
          Outro favorito
        </Button>
      )}
      <FormAlert message={failure} />
    </FormDialog>
  )
}
