import { Link } from "@tanstack/react-router"
import type { PageReportView } from "@tilinta/contract/page-reports"
import {
  type PageReportStatus,
  pageReportReasonLabels,
  pageReportStatusLabels,
} from "@tilinta/contract/vocabulary/charge-pages"
import { useId } from "react"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { payersOrigin } from "#format/receipt-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import type { Decision } from "./page-reports-data.ts"

const tones = {
  open: "warning",
  suspended: "danger",
  dismissed: "secondary",
  lifted: "secondary",
} as const satisfies Record<PageReportStatus, BadgeTone>

interface Props {
  report: PageReportView
  busy: boolean
  onAsk: (to: Decision["to"]) => void
}

export function PageReportCard({ report, busy, onAsk }: Props) {
  const titleId = useId()
  const { status, checkoutPage: page, user } = report
  return (
    <li
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line bg-s1 p-5 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={titleId} className="text-section font-[650] break-words">
            {page.title}
          </h2>
          <p className="mt-1 text-label whitespace-nowrap text-t2 tabular-nums">
            <Reais>{page.amount}</Reais> · {countOf(page.paymentsCount, "pagamento", "pagamentos")}
          </p>
          <p className="mt-1 text-label text-t2">
            <Link to="/admin/users" search={{ user: user._id }} className={`${inlineLink} break-words`}>
              {user.name}
            </Link>
          </p>
        </div>
        <Badge tone={tones[status]}>{pageReportStatusLabels[status]}</Badge>
      </div>
      {page.description !== "" && <p className="break-words whitespace-pre-line text-t2">{page.description}</p>}
      <Reports report={report} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageLinks report={report} />
        <div className="ml-auto flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">
          {status === "open" && (
            <>
              <Button disabled={busy} onClick={() => onAsk("dismiss")}>
                Descartar
              </Button>
              <Button variant="quiet-danger" disabled={busy} onClick={() => onAsk("suspend")}>
                Suspender página
              </Button>
            </>
          )}
          {status === "suspended" && (
            <Button disabled={busy} onClick={() => onAsk("lift")}>
              Retirar suspensão
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}

function Reports({ report }: { report: PageReportView }) {
  const { reasons, reportsCount, createdAt, lastReportedAt, dismissedBefore } = report
  const times =
    createdAt === lastReportedAt
      ? `em ${formatDateTime(createdAt)}`
      : `de ${formatDateTime(createdAt)} a ${formatDateTime(lastReportedAt)}`
  return (
    <div className="grid gap-1.5 rounded-m border border-line bg-bg px-4 py-3 text-label break-words">
      <p className="text-t2 tabular-nums">
        <b className="font-semibold text-t1">{countOf(reportsCount, "denúncia", "denúncias")}</b>, {times}
      </p>
      <ul className="grid gap-1">
        {reasons.map(({ reason, count }) => (
          <li key={reason} className="tabular-nums">
            {pageReportReasonLabels[reason]}
            {reportsCount > 1 && <span className="text-t3"> ({count})</span>}
          </li>
        ))}
      </ul>
      {dismissedBefore > 0 && (
        <p className="text-t3">
          {dismissedBefore === 1
            ? "Outras denúncias desta página já foram descartadas uma vez."
            : `Outras denúncias desta página já foram descartadas ${dismissedBefore} vezes.`}
        </p>
      )}
      <Decided report={report} />
    </div>
  )
}

function Decided({ report }: { report: PageReportView }) {
  const { status, suspendedFor, decidedBy, decidedAt, liftedBy, liftedAt } = report
  if (decidedBy === null || decidedAt === null) return null
  return (
    <>
      <p className="text-t2 tabular-nums">
        {status === "dismissed" ? "Descartada" : "Suspensa"} por {decidedBy.name} em {formatDateTime(decidedAt)}
        {suspendedFor !== null && `. Motivo dito ao vendedor: ${pageReportReasonLabels[suspendedFor].toLowerCase()}`}.
      </p>
      {liftedBy !== null && liftedAt !== null && (
        <p className="text-t2 tabular-nums">
          Suspensão retirada por {liftedBy.name} em {formatDateTime(liftedAt)}.
        </p>
      )}
    </>
  )
}

function PageLinks({ report: { status, checkoutPage: page } }: { report: PageReportView }) {
  if (page.isDeleted) return <p className="text-label text-t3">O vendedor excluiu esta página.</p>
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2 text-label text-t2">
      <Link to="/admin/checkout-pages" search={{ checkout: page._id }} className={inlineLink}>
        Ver a página
      </Link>
      {status !== "suspended" && (
        <a
          href={`${payersOrigin()}/checkout/${page.uniqueLink}`}
          target="_blank"
          rel="noreferrer"
          className={inlineLink}
        >
          Ver como o pagador
        </a>
      )}
    </div>
  )
}
