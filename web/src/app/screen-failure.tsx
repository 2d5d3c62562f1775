import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { Button } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"

/** One screen fails, the rest of the app stays. */
export function ScreenFailure({ reset }: ErrorComponentProps) {
  const router = useRouter()

  function retry(): void {
    reset()
    void router.invalidate()
  }

  return (
    <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-4 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-l bg-coral-bg text-coral">
        <Icon name="alert" className="size-6" />
      </span>
      <PageTitle title="Não foi possível abrir esta tela" documentTitle="Erro" />
      <p className="text-balance text-t2">Algo inesperado aconteceu. O que você já salvou está guardado.</p>
      <Button onClick={retry}>Tentar novamente</Button>
    </div>
  )
}
