import { LogoMark } from "#ui/logo.tsx"
import { Skeleton } from "#ui/skeleton.tsx"

/** The skeleton of index.html, continued while the session loads. */
export function ShellSkeleton() {
  return (
    <div className="shell">
      <div className="shell-side border-r border-line bg-side">
        <div className="px-[25px] py-6">
          <LogoMark />
        </div>
      </div>
      <div className="min-w-0">
        <div className="h-[60px] border-b border-line md:h-[68px]" />
        <main className="after-a-moment mx-auto grid max-w-[1240px] gap-5 px-4 py-5 md:px-8 md:py-[30px]">
          <p role="status" className="text-t3">
            Carregando...
          </p>
          <Skeleton className="h-9 w-64" />
          <Skeleton className="h-44 w-full rounded-xl" />
          <Skeleton className="h-80 w-full rounded-xl" />
        </main>
      </div>
    </div>
  )
}
