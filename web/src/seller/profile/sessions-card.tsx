import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { deviceName } from "@tilinta/contract/vocabulary/people"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader, QueryFailure } from "#ui/card.tsx"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { toast } from "#ui/toast.ts"
import { endSessions, type OpenSession, sessionsQuery } from "./security-data.ts"

export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const [asking, setAsking] = useState(false)
  const end = useEndSessions(() => setAsking(false))
  const others = sessions.data?.filter(({ current }) => !current).length ?? 0

  return (
    <Card aria-labelledby="sessions" className="p-5">
      <CardHeader id="sessions" title="Sessões" />
      <p className="mt-0.5 text-label text-t3">Onde a sua conta está aberta.</p>
      <QueryFailure query={sessions} failed={sellerTexts.sessionsFailed} detailed className="mt-4" />
      {sessions.isPending && <Waiting />}
      <ul className="mt-2">
        {sessions.data?.map((session) => (
          <SessionRow key={session._id} session={session} busy={end.isPending} onEnd={() => end.mutate(session._id)} />
        ))}
      </ul>
      {others > 0 && (
        <Button variant="quiet-danger" className="mt-2 w-full" onClick={() => setAsking(true)}>
          Encerrar todas as outras
        </Button>
      )}
      {asking && (
        <ConfirmDialog
          title="Encerrar as outras sessões?"
          verb="Encerrar sessões"
          busy={end.isPending}
          onConfirm={() => end.mutate(null)}
          onClose={() => setAsking(false)}
        >
          <p>
            {others === 1 ? "Um dispositivo terá" : `${others} dispositivos terão`} que entrar de novo. Você continua
            aqui.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}

function useEndSessions(onSettled: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: endSessions,
    onSuccess: (_, id) => toast.success(id === null ? sellerTexts.otherSessionsEnded : sellerTexts.sessionEnded),
    onError: (error) => toast.error(messageOf(error, sellerTexts.sessionNotEnded), detailOf(error)),
    onSettled: () => {
      onSettled()
      return queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
}

interface RowProps {
  session: OpenSession
  busy: boolean
  onEnd: () => void
}

function SessionRow({ session, busy, onEnd }: RowProps) {
  const device = deviceName(session.userAgent)
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-3 last:border-0">
      <div className="min-w-0">
        <p className="font-semibold">{device}</p>
        <p className="text-meta text-t3 tabular-nums">
          {session.current ? "Esta sessão" : `Usada em ${formatDateTime(session.lastUsedAt)}`}
        </p>
        <p className="text-meta text-t3 tabular-nums">Aberta em {formatDateTime(session.createdAt)}</p>
        {session.address !== "" && <p className="text-meta break-words text-t3 tabular-nums">{addressesOf(session)}</p>}
      </div>
      {!session.current && (
        <Button
          variant="ghost"
          className="flex-none px-3"
          aria-label={`Encerrar ${device}, aberta em ${formatDateTime(session.createdAt)}`}
          onClick={onEnd}
          disabled={busy}
        >
          Encerrar
        </Button>
      )}
    </li>
  )
}

/** A session that moved shows both: the owner knows which places are theirs. */
function addressesOf({ address, lastAddress }: OpenSession): string {
  if (lastAddress === "" || lastAddress === address) return address
  return `Aberta de ${address}, usada de ${lastAddress}`
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment mt-4 grid gap-3">
      <span className="sr-only">Carregando sessões</span>
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  )
}
