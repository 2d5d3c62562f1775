import { shownRows } from "#parts/transactions/recent-transactions.tsx"
import { Card, CardHeader, RowsSkeleton } from "#ui/card.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"

/** As tall as the content that replaces it, so that nothing shifts. */
export function RecentSkeleton({ title, label }: { title: string; label: string }) {
  return (
    <Card className="p-2 pt-[18px]">
      <div className="min-h-10 px-4 pb-2 max-md:px-3">
        <CardHeader title={title} />
      </div>
      <RowsSkeleton rows={shownRows} label={label} />
    </Card>
  )
}

/** As tall as the content that replaces it, so that nothing shifts. */
export function SalesCardSkeleton() {
  return (
    <Card className="p-5 md:p-6">
      <div role="status" className="after-a-moment grid min-h-[520px] content-start gap-5 lg:min-h-[316px]">
        <span className="sr-only">Carregando gráfico</span>
        <Skeleton className="h-6 w-44" />
        <Skeleton className="h-9 w-56" />
        <Skeleton className="h-48 w-full" />
      </div>
    </Card>
  )
}
