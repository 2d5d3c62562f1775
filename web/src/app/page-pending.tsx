import { Skeleton } from "#ui/skeleton.tsx"

export function PagePending() {
  return (
    <div role="status" className="grid w-full gap-5">
      <span className="sr-only">Carregando...</span>
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-40 w-full rounded-xl" />
      <Skeleton className="h-72 w-full rounded-xl" />
    </div>
  )
}
