import { Card } from "#ui/card.tsx"
import { Skeleton } from "#ui/skeleton.tsx"

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
