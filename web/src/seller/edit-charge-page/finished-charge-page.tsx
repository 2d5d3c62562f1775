import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import { buttonClass } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Icon } from "#ui/icon.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { ChargePageFacts } from "./charge-page-facts.tsx"

/** Completed and cancelled are final, so the only way on is a copy. */
export function FinishedChargePage({ page }: { page: ChargePageView }) {
  const reason = page.status === "completed" ? "já recebeu todos os pagamentos que aceita" : "foi cancelada"
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Card className="grid grid-cols-1 gap-5 p-5 md:p-6">
        <CardHeader title="Esta cobrança não pode mais ser editada" />
        <p className="max-w-prose text-t2">
          Ela {reason}. Para cobrar de novo, duplique a cobrança: os dados vêm preenchidos e o link é novo.
        </p>
        <dl className="rounded-m border border-line bg-bg px-4 py-3">
          <dt className="text-meta text-t3">Valor</dt>
          <dd className="text-[25px] font-bold tracking-[-0.03em] tabular-nums">
            <Reais>{page.amount}</Reais>
          </dd>
          {page.description !== "" && (
            <>
              <dt className="mt-2 text-meta text-t3">Descrição</dt>
              <dd className="break-words whitespace-pre-line">{page.description}</dd>
            </>
          )}
        </dl>
        <Link
          to="/checkouts/create"
          search={{ from: page._id }}
          className={buttonClass("primary", "justify-self-start max-sm:w-full")}
        >
          <Icon name="duplicate" />
          Duplicar cobrança
        </Link>
      </Card>
      <ChargePageFacts page={page} />
    </div>
  )
}
