import { Link } from "@tanstack/react-router"
import type { ChargePageView } from "@tilinta/contract/api/charge-pages-endpoints"
import type { ReactNode } from "react"
import { formatDateTime } from "#format/date.ts"
import { Card, CardHeader } from "#ui/card.tsx"
import { shortLinkOf } from "../charge-page-parts/public-link.ts"

export function ChargePageFacts({ page }: { page: ChargePageView }) {
  const limit = page.maxPayments === null ? "(sem limite)" : `de ${page.maxPayments}`
  return (
    <Card className="p-5 md:p-6">
      <CardHeader title="Detalhes" />
      <dl className="mt-3 grid gap-2.5 text-label">
        <div>
          <dt className="text-t3">Link</dt>
          <dd className="font-medium wrap-anywhere">
            {shortLinkOf("")}
            <wbr />
            {page.uniqueLink}
          </dd>
        </div>
        <Fact term="Pagamentos">
          {page.paymentsCount === 0 ? (
            page.paymentsCount
          ) : (
            <Link
              to="/transactions"
              search={{ checkoutPage: page._id, status: "aprovado" }}
              className="-my-3 inline-flex min-h-11 min-w-11 items-center justify-end font-semibold text-mint underline-offset-4 hover:underline"
            >
              {page.paymentsCount}
            </Link>
          )}{" "}
          {limit}
        </Fact>
        <Fact term="Criada em">{formatDateTime(page.createdAt)}</Fact>
        <Fact term="Expira em">{page.expiresAt === null ? "Não definida" : formatDateTime(page.expiresAt)}</Fact>
      </dl>
    </Card>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-5">
      <dt className="flex-none text-t3">{term}</dt>
      <dd className="text-right font-medium tabular-nums">{children}</dd>
    </div>
  )
}
