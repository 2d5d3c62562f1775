import { useQuery } from "@tanstack/react-query"
import type { SystemStatusView } from "@tilinta/contract/system"
import { adminTexts } from "#admin/admin-texts.ts"
import { inSystem } from "#admin/section-tabs.tsx"
import { Button } from "#ui/button.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { ScreenHead } from "#ui/tabs.tsx"
import { PartList } from "./part-list.tsx"
import { systemQuery, useSystemAction } from "./system-data.ts"

export function SystemPage() {
  const known = useQuery(systemQuery)
  const { data, error, isFetching, refetch } = known
  return (
    <>
      <ScreenHead
        {...inSystem}
        title="Sistema"
        intro="O que precisa de você, e o que funciona sozinho."
        actions={
          <Button icon="refresh" className="max-md:px-3" disabled={isFetching} onClick={() => void refetch()}>
            <span className="max-md:sr-only">Atualizar</span>
          </Button>
        }
      />
      <QueryFailure query={known} failed={adminTexts.systemFailed} />
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && <Parts status={data} />}
    </>
  )
}

function Parts({ status }: { status: SystemStatusView }) {
  return <PartList status={status} now={new Date(status.now)} actions={useSystemAction()} />
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4 lg:gap-5">
      <span className="sr-only">Carregando o estado do sistema</span>
      <Skeleton className="h-6 w-56" />
      <Skeleton className="h-[520px] w-full rounded-xl" />
    </div>
  )
}
