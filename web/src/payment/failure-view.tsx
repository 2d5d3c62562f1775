import { useQuery } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { supportEmailQuery } from "#api/support-email.ts"
import { Button } from "#ui/button.tsx"
import { HomeLink } from "./home-link.tsx"
import { OutcomeHead } from "./outcome-head.tsx"
import { ProofCard, type ProofFact } from "./proof-card.tsx"

interface Props {
  text: string
  amount: number
  facts: readonly ProofFact[]
  chargePath?: string | null
  children?: ReactNode
}

export function FailureView({ text, amount, facts, chargePath = null, children }: Props) {
  const router = useRouter()
  return (
    <>
      <OutcomeHead tone="bad" title="Erro no Pagamento" text={text} />
      {children}
      <ProofCard title="Valor da tentativa" amount={amount} facts={facts} />
      <div className="mt-4 grid gap-3 sm:grid-cols-2 print:hidden">
        <Button look="primary" icon="arrowLeft" onClick={() => router.history.back()}>
          Tentar Novamente
        </Button>
        <HomeLink chargePath={chargePath} />
      </div>
      <SupportLink />
    </>
  )
}

/** Without a known address the line stays empty: a link to nowhere helps nobody. */
function SupportLink() {
  const email = useQuery(supportEmailQuery).data
  return (
    <p className="mt-6 min-h-11 text-center text-label text-t2">
      {email !== undefined && (
        <>
          Precisa de ajuda? Escreva para{" "}
          <a
            href={`mailto:${email}`}
            className="inline-flex min-h-11 items-center font-semibold break-all text-mint underline underline-offset-4"
          >
            {email}
          </a>
        </>
      )}
    </p>
  )
}
