import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { detailOf } from "#api/api-error.ts"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"

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
