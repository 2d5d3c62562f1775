import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { TransactionDetail } from "@tilinta/contract/api/transactions-endpoints"
import type { ReactNode } from "react"
import { detailOf, hasStatus, messageOf } from "#api/api-error.ts"
import { maskCpf } from "#format/cpf.ts"
import { formatDateTime } from "#format/date.ts"
import { maskPhone } from "#format/phone.ts"
import { CopyButton } from "#ui/copy-button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { LoadFailure } from "#ui/load-failure.tsx"
import { Reais } from "#ui/shown-amounts.ts"
import { Skeleton } from "#ui/skeleton.tsx"
import { sellerTexts } from "../seller-texts.ts"
import { type Moment, timelineOf } from "./timeline.ts"
import { TransactionStatusBadge } from "./transaction-status-badge.tsx"
import { transactionQuery } from "./transactions-data.ts"

/** Its address opens it again: a link to a payment can be kept, and the way back closes it. */
export function TransactionDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isFetching, refetch } = useQuery(transactionQuery(id))
  return (
    <Dialog title="Detalhes da transação" onClose={onClose}>
      {data !== undefined && <Details transaction={data} />}
      {data === undefined && error === null && <Waiting />}
      {data === undefined && hasStatus(error, 404) && (
        <p role="alert" className="py-6 text-center text-t2">
          {messageOf(error, sellerTexts.transactionNotFound)}
        </p>
      )}
      {error !== null && !hasStatus(error, 404) && (
        <LoadFailure
          message={messageOf(error, sellerTexts.transactionFailed)}
          detail={detailOf(error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
    </Dialog>
  )
}

function Waiting() {
  return (
    <div role="status" className="after-a-moment grid gap-4">
      <span className="sr-only">Carregando transação</span>
      <Skeleton className="h-10 w-48" />
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}

function Details({ transaction }: { transaction: TransactionDetail }) {
  const { description, checkoutPage, customerInfo: payer, metadata } = transaction
  return (
    <div className="grid gap-5">
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <b className="text-[32px] leading-tight font-bold tracking-[-0.035em] tabular-nums">
            <Reais>{transaction.grossAmount}</Reais>
          </b>
          <TransactionStatusBadge status={transaction.status} />
        </p>
        <p className="mt-1 break-words text-t2">{description || checkoutPage.title}</p>
      </div>
      <Timeline moments={timelineOf(transaction)} />
      <Facts>
        <Fact term="Valor bruto">
          <Reais>{transaction.grossAmount}</Reais>
        </Fact>
        <Fact term="Taxa">
          − <Reais>{transaction.fee}</Reais>
        </Fact>
        {transaction.refundedAmount > 0 && (
          <Fact term="Valor estornado">
            − <Reais>{transaction.refundedAmount}</Reais>
          </Fact>
        )}
        <Fact term="Valor líquido">
          <b className="font-[650] text-t1">
            <Reais>{transaction.netAmount}</Reais>
          </b>
        </Fact>
      </Facts>
      <Facts>
        <Fact term="Página de cobrança">
          {checkoutPage._id === null ? (
            checkoutPage.title
          ) : (
            <Link
              to="/checkouts/$id"
              params={{ id: checkoutPage._id }}
              className="underline decoration-line-2 underline-offset-4 hover:decoration-current"
            >
              {checkoutPage.title}
            </Link>
          )}
        </Fact>
        <Fact term="Método">PIX</Fact>
        <Fact term="Pagador">{payer.name || "Pagamento anônimo"}</Fact>
        {payer.email !== "" && <Fact term="E-mail">{payer.email}</Fact>}
        {payer.cpf !== "" && <Fact term="CPF">{maskCpf(payer.cpf)}</Fact>}
        {payer.phone !== "" && <Fact term="Telefone">{maskPhone(payer.phone)}</Fact>}
      </Facts>
      <div className="grid gap-3">
        {metadata.txid !== null && <Code label="Identificador (txid)" code={metadata.txid} />}
        {metadata.endToEndId !== null && <Code label="ID do pagamento (endToEndId)" code={metadata.endToEndId} />}
      </div>
    </div>
  )
}

const dots = { done: "bg-t3", good: "bg-mint", bad: "bg-coral" } as const satisfies Record<Moment["tone"], string>

function Timeline({ moments }: { moments: Moment[] }) {
  return (
    <ol aria-label="Linha do tempo" className="grid">
      {moments.map(({ label, at, tone }) => (
        <li key={label} className="group relative flex items-baseline gap-3 pb-3 last:pb-0">
          <i aria-hidden="true" className={`size-2.5 flex-none rounded-full ${dots[tone]}`} />
          <i aria-hidden="true" className="absolute top-5 bottom-0 left-[4.5px] w-px bg-line-2 group-last:hidden" />
          <span className="min-w-0 flex-1 font-medium">{label}</span>
          <time dateTime={at} className="text-label whitespace-nowrap text-t3 tabular-nums">
            {formatDateTime(at)}
          </time>
        </li>
      ))}
    </ol>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2 border-t border-line pt-4 text-label">{children}</dl>
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-5">
      <dt className="flex-none text-t3">{term}</dt>
      <dd className="min-w-0 text-right break-words text-t2 tabular-nums">{children}</dd>
    </div>
  )
}

function Code({ label, code }: { label: string; code: string }) {
  return (
    <div className="flex items-center justify-between gap-3 rounded-m border border-line bg-bg py-1.5 pr-1.5 pl-4">
      <p className="min-w-0">
        <span className="block text-meta text-t3">{label}</span>
        <span className="block font-mono text-[12.5px] break-all">{code}</span>
      </p>
      <CopyButton
        text={code}
        label={`Copiar ${label}`}
        title="Copiar"
        done="Copiado!"
        failed="Não foi possível copiar"
      />
    </div>
  )
}
