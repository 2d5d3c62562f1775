import { useQuery } from "@tanstack/react-query"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { pageReportReasonLabels } from "@tilinta/contract/vocabulary/page-reports"
import { supportEmailQuery } from "#api/support-email.ts"
import { formatDateTime } from "#format/date.ts"
import { buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { ChargePageFacts } from "./charge-page-facts.tsx"

/** An administrator keeps payers away, so that only the support can help. */
export function SuspendedChargePage({ page }: { page: ChargePageView }) {
  const email = useQuery(supportEmailQuery).data
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Card className="grid grid-cols-1 gap-5 p-5 md:p-6">
        <CardHeader title="Esta página está suspensa" />
        <div className="grid max-w-prose gap-3 text-t2">
          <p>
            Pagadores a denunciaram e um administrador a suspendeu
            {page.suspendedAt !== null && ` em ${formatDateTime(page.suspendedAt)}`}. Quem abre o link lê “Página
            suspensa” e não consegue pagar.
          </p>
          <p>
            O que já foi pago continua no seu saldo, e um pagamento que estava a caminho ainda é creditado. Os códigos
            Pix que estavam abertos foram encerrados.
          </p>
        </div>
        {page.suspendedFor !== null && (
          <dl className="rounded-m border border-line bg-bg px-4 py-3">
            <dt className="text-meta text-t3">Motivo</dt>
            <dd className="font-semibold">{pageReportReasonLabels[page.suspendedFor]}</dd>
          </dl>
        )}
        <p className="max-w-prose text-t2">
          Foi um engano? Escreva ao suporte, com o que mostra o que você vende e que você entrega. Só o suporte pode
          retirar a suspensão.
        </p>
        {email !== undefined && (
          <a
            href={`mailto:${email}?subject=${encodeURIComponent(`Página suspensa: ${page.uniqueLink}`)}`}
            className={buttonClass("primary", "justify-self-start max-sm:w-full")}
          >
            Escrever ao suporte
          </a>
        )}
      </Card>
      <ChargePageFacts page={page} />
    </div>
  )
}
