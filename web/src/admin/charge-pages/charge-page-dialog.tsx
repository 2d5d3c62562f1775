import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminChargePageView } from "@tilinta/contract/admin-charge-pages"
import { isPayablePage, pageReportReasonLabels } from "@tilinta/contract/vocabulary/charge-pages"
import { payerFieldLabels, requiredFields } from "@tilinta/contract/vocabulary/payer-data"
import { adminTexts } from "#admin/admin-texts.ts"
import { formatDateTime } from "#format/dates.ts"
import { payersOrigin } from "#format/receipt-texts.ts"
import { ChargePageBadge, orderNote } from "#parts/charge-pages/charge-page-parts.tsx"
import { buttonClass } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountHead, CopyableCode, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { chargePageQuery } from "./all-charge-pages-data.ts"

export function ChargePageDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const opened = useQuery(chargePageQuery(id))
  return (
    <Dialog
      title="Página de cobrança"
      onClose={onClose}
      footer={opened.data !== undefined && <Ways page={opened.data} />}
    >
      <OpenedRow query={opened} waiting="Carregando página de cobrança" failed={adminTexts.chargePageFailed}>
        {(page) => <Details page={page} />}
      </OpenedRow>
    </Dialog>
  )
}

function Ways({ page }: { page: AdminChargePageView }) {
  return (
    <>
      {isPayablePage(page.status) && page.suspendedAt === null && (
        <a href={`/checkout/${page.uniqueLink}`} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
          Abrir em nova aba
        </a>
      )}
      <Link to="/admin/transactions" search={{ search: page.title }} className={buttonClass("secondary")}>
        Ver transações
      </Link>
    </>
  )
}

function Details({ page }: { page: AdminChargePageView }) {
  const { title, description, user, maxPayments, customerInfo } = page
  const note = orderNote(page)
  const payerData = requiredFields(customerInfo).map((field) => payerFieldLabels[field])
  return (
    <div className="grid gap-5">
      <div>
        <AmountHead reais={page.amount ?? page.minAmount ?? 0}>
          <ChargePageBadge status={page.status} isSuspended={page.suspendedAt !== null} />
        </AmountHead>
        <p className="mt-3 font-semibold break-words">{title}</p>
        {description !== "" && <p className="break-words whitespace-pre-line text-t2">{description}</p>}
      </div>
      <Facts>
        <Fact term="Vendedor">
          <Link to="/admin/users" search={{ user: user._id }} className={inlineLink}>
            {user.name}
          </Link>
        </Fact>
        <EmailFact email={user.email} />
        {note !== null && <Fact term="Pedido">{note}</Fact>}
        <Fact term="Pagamentos">
          {page.paymentsCount} {maxPayments === null ? "(sem limite)" : `de ${maxPayments}`}
        </Fact>
        <Fact term="Dados do pagador">{payerData.length === 0 ? "Nenhum (anônimo)" : payerData.join(", ")}</Fact>
        {page.suspendedAt !== null && <Fact term="Suspensa em">{formatDateTime(page.suspendedAt)}</Fact>}
        {page.suspendedFor !== null && (
          <Fact term="Motivo da suspensão">{pageReportReasonLabels[page.suspendedFor]}</Fact>
        )}
        <Fact term="Criada em">{formatDateTime(page.createdAt)}</Fact>
        <Fact term="Expira em">{page.expiresAt === null ? "Não definida" : formatDateTime(page.expiresAt)}</Fact>
      </Facts>
      <CopyableCode label="Link público" code={`${payersOrigin()}/checkout/${page.uniqueLink}`} />
    </div>
  )
}
