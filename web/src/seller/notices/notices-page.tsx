import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { formatDateTime } from "#format/dates.ts"
import { Card, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { MoreButton } from "#ui/list-screen.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { markNoticesRead, type Notice, noticesQuery, unreadQuery } from "./notice-bell.tsx"

export function NoticeItem({ notice, isNew }: { notice: Notice; isNew: boolean }) {
  const { tone, title, text, facts, note, action, createdAt } = notice
  return (
    <li className="flex gap-3.5 py-4">
      <Icon
        name={tone === "warning" ? "alert" : "info"}
        className={`mt-0.5 size-5 ${tone === "warning" ? "text-amber" : "text-t3"}`}
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 className="min-w-0 font-semibold break-words">
            {title}
            {isNew && (
              <span className="ml-2 rounded-s bg-s3 px-1.5 py-0.5 align-[1px] text-[12px] font-semibold text-mint">
                Novo
              </span>
            )}
          </h2>
          <time dateTime={createdAt} className="text-meta text-t3 tabular-nums">
            {formatDateTime(createdAt)}
          </time>
        </div>
        <p className="break-words text-t2">{text}</p>
        {facts.length > 0 && (
          <ul className="grid gap-0.5 text-label text-t2">
            {facts.map(({ label, value }) => (
              <li key={`${label} ${value}`} className="break-words tabular-nums">
                <span className="text-t3">{label}: </span>
                {value}
              </li>
            ))}
          </ul>
        )}
        {note !== "" && <p className="text-label text-t3">{note}</p>}
        <Link
          {...screenOf(action.path)}
          className="inline-flex min-h-11 items-center self-start text-label font-semibold text-t2 hover:text-mint"
        >
          {action.label}
        </Link>
      </div>
    </li>
  )
}

/** The server writes the path; its parameters are checked by the screen, like those of any address. */
function screenOf(path: string) {
  const { pathname, searchParams, hash } = new URL(path, location.origin)
  return { to: pathname, search: Object.fromEntries(searchParams), ...(hash !== "" && { hash: hash.slice(1) }) }
}

export function NoticesPage() {
  const list = useInfiniteQuery(noticesQuery)
  const notices = list.data?.pages.flatMap((part) => part.notices) ?? []
  const unread = useUnread(notices)
  return (
    <>
      <div>
        <PageTitle title="Avisos" />
        <p className="mt-1 text-balance text-t2">O que aconteceu na sua conta: acessos, mudanças e saques.</p>
      </div>
      <QueryFailure query={list} failed="Erro ao carregar os avisos" detailed />
      {list.isPending && (
        <Card className="p-5">
          <RowsSkeleton rows={6} label="Carregando avisos" />
        </Card>
      )}
      {list.isSuccess && notices.length === 0 && (
        <Card>
          <EmptyState icon="bell" title="Nenhum aviso ainda">
            Entradas por aparelhos novos, mudanças na conta e cada etapa dos saques aparecem aqui.
          </EmptyState>
        </Card>
      )}
      {notices.length > 0 && (
        <Card className="px-5 py-1">
          <ul className="grid divide-y divide-line">
            {notices.map((notice) => (
              <NoticeItem key={notice._id} notice={notice} isNew={unread.has(notice._id)} />
            ))}
          </ul>
        </Card>
      )}
      <MoreButton list={list}>Mostrar mais antigos</MoreButton>
    </>
  )
}

/** Marks what is shown as read, and keeps it marked as new while the screen stays open. */
function useUnread(notices: readonly Notice[]): ReadonlySet<string> {
  const queryClient = useQueryClient()
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const unread = notices.filter(({ _id, readAt }) => readAt === null && !marked.has(_id)).map(({ _id }) => _id)
  const key = unread.join()
  useEffect(() => {
    if (key === "") return
    const ids = key.split(",")
    setMarked((known) => new Set([...known, ...ids]))
    void markNoticesRead(ids)
      .then(() => queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }))
      // The bell goes on counting them, and the next visit tries again.
      .catch(() => undefined)
  }, [key, queryClient])
  return marked
}
