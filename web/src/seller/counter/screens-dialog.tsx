import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { ScreenView } from "@tilinta/contract/screens"
import { useEffect } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { FormAlert } from "#ui/field.tsx"

const REFRESH_MS = 2000

const screensQuery = (shopId: string) =>
  queryOptions({
    queryKey: ["seller", "counter", "screens", shopId],
    queryFn: async ({ signal }) => (await call(heads.listScreens, { params: { id: shopId }, signal })).data.screens,
    refetchInterval: REFRESH_MS,
  })

interface Props {
  shopId: string
  /** The screen that shows this till's sales; null without one. */
  chosen: string | null
  onChoose: (screenId: string | null) => void
  onClose: () => void
}

/** Pairs a tablet or television that faces the payer, and says which of them this till speaks to. */
export function ScreensDialog({ shopId, chosen, onChoose, onClose }: Props) {
  const screens = useQuery(screensQuery(shopId))
  const queryClient = useQueryClient()
  const params = { id: shopId }
  const refreshed = () => queryClient.invalidateQueries({ queryKey: screensQuery(shopId).queryKey })
  const added = useMutation({
    mutationFn: async () => (await call(heads.addScreen, { params })).data.screen,
    onSuccess: refreshed,
  })
  const removed = useMutation({
    mutationFn: async (screenId: string) => {
      await call(heads.removeScreen, { params: { ...params, screenId } })
      if (screenId === chosen) onChoose(null)
    },
    onSettled: refreshed,
  })
  const paired = screens.data?.filter(({ pairedAt }) => pairedAt !== null) ?? []
  const { data: offered, reset } = added
  const isNewPaired = paired.some(({ _id }) => _id === offered?._id)
  // A code is shown once the list has it, and leaves the list when nobody used it in time.
  const isOver = screens.isSuccess && !screens.data.some(({ _id }) => _id === offered?._id)
  useEffect(() => {
    if (offered === undefined) return
    if (isNewPaired) onChoose(offered._id)
    if (isNewPaired || isOver) reset()
  }, [offered, isNewPaired, isOver, onChoose, reset])
  const failure = added.error ?? removed.error
  return (
    <Dialog title="Tela do cliente" onClose={onClose}>
      <div className="grid gap-4">
        {screens.isError && <QueryFailure query={screens} failed="As telas não foram carregadas." />}
        {paired.length > 0 && (
          <ul className="grid divide-y divide-line">
            {paired.map((screen) => (
              <PairedScreen
                key={screen._id}
                screen={screen}
                isChosen={screen._id === chosen}
                isBusy={removed.isPending}
                onChoose={() => onChoose(screen._id === chosen ? null : screen._id)}
                onRemove={() => removed.mutate(screen._id)}
              />
            ))}
          </ul>
        )}
        {offered !== undefined ? (
          <div
            role="status"
            className="grid justify-items-center gap-2 rounded-l border border-line bg-bg p-5 text-center"
          >
            <p className="text-label text-t2">No outro aparelho, abra {location.host}/tela e digite</p>
            <b className="counter-screen-code font-bold tabular-nums">{offered.code}</b>
            <p className="text-meta text-t3">Vale dez minutos e uma vez.</p>
          </div>
        ) : (
          <>
            {paired.length === 0 && screens.isSuccess && (
              <p className="text-t2">
                Um tablet ou uma TV virada para quem paga mostra o QR e o valor de cada venda, e nada mais.
              </p>
            )}
            <Button
              variant={paired.length === 0 ? "primary" : "ghost"}
              icon="plus"
              disabled={added.isPending}
              onClick={() => added.mutate()}
            >
              Ligar uma tela
            </Button>
          </>
        )}
        <FormAlert message={failure === null ? null : messageOf(failure, "Não deu certo. Tente de novo.")} />
      </div>
    </Dialog>
  )
}

interface PairedProps {
  screen: ScreenView
  isChosen: boolean
  isBusy: boolean
  onChoose: () => void
  onRemove: () => void
}

function PairedScreen({ screen, isChosen, isBusy, onChoose, onRemove }: PairedProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <label className="flex min-h-11 min-w-0 items-center gap-3">
        <input type="checkbox" checked={isChosen} onChange={onChoose} className="counter-check" />
        <span>
          Mostra as vendas deste balcão
          <span className="block text-meta text-t3">
            Ligada por {screen.createdBy.name} em {formatDateTime(screen.pairedAt ?? screen.createdAt)}
          </span>
        </span>
      </label>
      <Button variant="quiet-danger" disabled={isBusy} onClick={onRemove}>
        Desligar
      </Button>
    </li>
  )
}
