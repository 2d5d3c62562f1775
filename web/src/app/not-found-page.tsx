import { Link, useRouter } from "@tanstack/react-router"
import { Button, buttonClass } from "#ui/button.tsx"
import { Icon } from "#ui/icon.tsx"
import { PageTitle } from "#ui/page-title.tsx"
import { PublicLayout } from "./public-pages.tsx"

export function NotFoundPage() {
  return (
    <PublicLayout>
      <NotFoundNotice />
    </PublicLayout>
  )
}

export function NotFoundNotice() {
  const router = useRouter()
  return (
    <div className="grid max-w-md justify-items-center gap-4 justify-self-center py-10 text-center">
      <p aria-hidden="true" className="text-[72px] leading-none font-bold tracking-[-0.05em] text-t3 tabular-nums">
        404
      </p>
      <PageTitle title="Página Não Encontrada" />
      <p className="text-balance text-t2">O endereço pode ter mudado ou nunca ter existido.</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button icon="arrowLeft" onClick={() => router.history.back()}>
          Voltar
        </Button>
        <Link to="/" className={buttonClass("primary")}>
          <Icon name="home" />
          Ir para o início
        </Link>
      </div>
    </div>
  )
}
