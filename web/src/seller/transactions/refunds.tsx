import type { UseQueryResult } from "@tanstack/react-query"
import type { RefundView } from "@tilinta/contract/refunds"
import type { TransactionDetail } from "@tilinta/contract/transactions"
import type { RefundOrigin, RefundStatus } from "@tilinta/contract/vocabulary/transactions"
import { formatDateTime, formatDay } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge, type BadgeTone } from "#ui/badge.tsx"
import { QueryFailure } from "#ui/card.tsx"
import { DetailList } from "#ui/facts.tsx"
import type { KnownRefunds } from "./transactions-data.ts"

interface Props {
  transaction: Pick<TransactionDetail, "status">
  known: Pick<KnownRefunds, "refundable" | "deadline"> | undefined
}

/** The last day of a refund, and why it is no longer possible after that. */
export function RefundDeadline({ transaction, known }: Props) {
  const deadline = known?.deadline ?? null
  if (transaction.status !== "pago" || known === undefined || deadline === null) return null
  if (!deadline.hasPassed && known.refundable === 0) return null
  const day = formatDay(deadline.day)
  return (
    <p className="text-meta text-t3 tabular-nums">
      {deadline.hasPassed ? `O prazo de 90 dias para estornar terminou em ${day}.` : `Pode ser estornado até ${day}.`}
    </p>
  )
}

/** Renders nothing without refunds: most payments have none. */
export function Refunds({ query }: { query: UseQueryResult<KnownRefunds> }) {
  const { data, error } = query
  if (error !== null) return <QueryFailure query={query} failed={sellerTexts.refundsFailed} />
  if (data === undefined || data.refunds.length === 0) return null
  return (
    <DetailList title="Estornos" className="mt-3 grid gap-3">
      {data.refunds.map((refund) => (
        <RefundItem key={refund._id} refund={refund} />
      ))}
    </DetailList>
  )
}

const states = {
  processing: { label: "Em andamento", tone: "warning" },
  completed: { label: "Concluído", tone: "success" },
  refused: { label: "Recusado", tone: "danger" },
} as const satisfies Record<RefundStatus, { label: string; tone: BadgeTone }>

const origins = {
  seller: "Pedido por você",
  admin: "Pedido pela plataforma",
  bank: "Feito pelo banco",
} as const satisfies Record<RefundOrigin, string>

function wantedBy({ origin, requestedBy, askedBy }: RefundView): string {
  if (askedBy !== undefined) return `Pedido por ${askedBy} no balcão e confirmado por ${requestedBy ?? "você"}`
  return requestedBy === undefined ? origins[origin] : `Pedido por ${requestedBy}`
}

function RefundItem({ refund }: { refund: RefundView }) {
  const { status, amount, fee, netAmount, reason, failureReason, createdAt } = refund
  const { label, tone } = states[status]
  return (
    <li className="rounded-m border border-line bg-bg px-4 py-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <b className="font-[650] tabular-nums">
          <Reais>{amount}</Reais>
        </b>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="mt-1 text-meta text-t3 tabular-nums">
        {wantedBy(refund)} em <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
      </p>
      {status === "refused" ? (
        <p className="mt-1 text-label break-words text-t2">{failureReason ?? "O banco recusou."} Nada saiu do saldo.</p>
      ) : (
        <p className="mt-1 text-label text-t2 tabular-nums">
          <Reais>{netAmount}</Reais> do seu saldo
          {fee > 0 && (
            <>
              {" "}
              e <Reais>{fee}</Reais> da taxa
            </>
          )}
        </p>
      )}
      {reason !== "" && <p className="mt-1 text-label break-words text-t2">Motivo: {reason}</p>}
    </li>
  )
}
