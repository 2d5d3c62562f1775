import { type ErrorComponentProps, lazyRouteComponent, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { detailOf, offlineError } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Icon, LogoMark } from "#ui/icon.tsx"
import { Skeleton } from "#ui/lazy-part.tsx"
import { PageTitle } from "#ui/page-title.tsx"

/**
 * Without a network the screen says so. Otherwise a newer version has replaced the missing file, and the router reloads
 * the page once.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw navigator.onLine ? error : offlineError()
    }
  }, name)

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

/** One screen fails, the rest of the app stays. A network failure retries once the network is back. */
export function ScreenFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const offline = detailOf(error)

  useEffect(() => {
    if (offline === undefined) return
    window.addEventListener("online", reload)
    return () => window.removeEventListener("online", reload)
  }, [offline])

  function retry(): void {
    if (offline !== undefined) {
      if (navigator.onLine) reload()
      return
    }
    reset()
    void router.invalidate()
  }

  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-coral-bg text-coral">
        <Icon name="alert" className="size-6" />
      </span>
      <PageTitle title="Não foi possível abrir esta tela" documentTitle="Erro" />
      <p className="text-balance text-t2">
        {offline ?? "Algo inesperado aconteceu."} O que você já salvou está guardado.
      </p>
      <Button onClick={retry}>Tentar novamente</Button>
    </div>
  )
}

function reload(): void {
  window.location.reload()
}
