import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { Button } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { EmptyState } from "#ui/empty-state.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { RowsSkeleton } from "#ui/skeleton.tsx"
import { failureDetail } from "../failure-detail.ts"
import { NoticeItem } from "./notice-item.tsx"
import { markNoticesRead, type Notice, noticesQuery, unreadQuery } from "./notices-data.ts"

export function NoticesPage() {
  const list = useInfiniteQuery(noticesQuery)
  const notices = list.data?.pages.flatMap((part) => part.notices) ?? []
  const news = useNews(notices)
  return (
    <>
      <div>
        <PageTitle title="Avisos" />
        <p className="mt-1 text-balance text-t2">O que aconteceu na sua conta: acessos, mudanças e saques.</p>
      </div>
      {list.isError && (
        <LoadFailure
          message="Erro ao carregar os avisos"
          detail={failureDetail(list.error)}
          onRetry={() => void list.refetch()}
          busy={list.isFetching}
        />
      )}
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
              <NoticeItem key={notice._id} notice={notice} isNew={news.has(notice._id)} />
            ))}
          </ul>
        </Card>
      )}
      {list.hasNextPage && (
        <Button
          className="justify-self-center"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Mostrar mais antigos
        </Button>
      )}
    </>
  )
}

/** Marks what is shown as read, and keeps it marked as new while the screen stays open. */
function useNews(notices: readonly Notice[]): ReadonlySet<string> {
  const queryClient = useQueryClient()
  const [news, setNews] = useState<ReadonlySet<string>>(new Set())
  const unread = notices.filter(({ _id, readAt }) => readAt === null && !news.has(_id)).map(({ _id }) => _id)
  const key = unread.join()
  useEffect(() => {
    if (key === "") return
    const ids = key.split(",")
    setNews((known) => new Set([...known, ...ids]))
    void markNoticesRead(ids)
      .then(() => queryClient.invalidateQueries({ queryKey: unreadQuery.queryKey }))
      // The bell goes on counting them, and the next visit tries again.
      .catch(() => undefined)
  }, [key, queryClient])
  return news
}
