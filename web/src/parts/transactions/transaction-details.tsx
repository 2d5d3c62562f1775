import type { ReactNode } from "react"
import { formatCount, formatReais, moreThan } from "#format/money-text.ts"
import { Reais, useReais } from "#ui/amounts.tsx"
import { CopyableCode, SumsLine } from "#ui/facts.tsx"

/** Why this amount can't be refunded; undefined when the server would accept it. */
export function refundProblem(amount: number | null, refundable: number): string | undefined {
  if (amount === null || amount <= 0) return "O valor do estorno deve ser maior que zero"
  return amount > refundable ? `O valor do estorno não pode passar de ${formatReais(refundable)}` : undefined
}

interface Summary {
  exact: boolean
  count: number
  totalGross: number
  totalFee: number
  pendingGross: number
  totalRefunded: number
}

interface SumsProps<S> {
  /** Undefined until counted. */
  summary: S | undefined
  failed: boolean
  paidCountOf?: (summary: S) => number
  net: { term: string; of: (summary: S) => number }
}

/** Counting a wide search may take a while: the rows are shown meanwhile, with dots in place of the sums. */
export function TransactionSums<S extends Summary>({ summary, failed, paidCountOf, net }: SumsProps<S>) {
  const reais = useReais()
  if (failed) {
    return (
      <p className="px-4 pb-3 text-meta text-t3">
        Esta busca encontra transações demais para somar. Limite o período ou seja mais específico.
      </p>
    )
  }
  if (summary?.exact === false) return <SumsLine sums={[{ term: "Transações", value: moreThan(summary.count) }]} />
  const shown = (value: (summary: S) => string) => (summary === undefined ? "…" : value(summary))
  const sums = [
    {
      term: summary?.count === 1 ? "Transação" : "Transações",
      value: shown(({ count }) => formatCount(count)),
      minor: true,
    },
    ...(paidCountOf ? [{ term: "Pagas", value: shown((known) => formatCount(paidCountOf(known))), minor: true }] : []),
    { term: "Valor bruto pago", value: shown(({ totalGross }) => reais(totalGross)), minor: true },
    { term: "Taxas", value: shown(({ totalFee }) => reais(totalFee)), minor: true },
    { term: net.term, value: shown((known) => reais(net.of(known))) },
    { term: "Pendente", value: shown(({ pendingGross }) => reais(pendingGross)), apart: true },
    {
      term: "Estornado",
      value: shown(({ totalRefunded }) => reais(totalRefunded)),
      apart: true,
      minor: true,
    },
  ]
  return <SumsLine sums={sums} />
}

interface Transaction {
  grossAmount: number
  description: string
  checkoutPage: { title: string }
  metadata: { txid: string | null; endToEndId: string | null }
}

/** The amount with the badges that say how it is, and what it was for. */
export function TransactionHead({ transaction, children }: { transaction: Transaction; children: ReactNode }) {
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <b className="text-[32px] leading-tight font-bold tracking-[-0.035em] tabular-nums">
          <Reais>{transaction.grossAmount}</Reais>
        </b>
        {children}
      </p>
      <p className="mt-1 break-words text-t2">{transaction.description || transaction.checkoutPage.title}</p>
    </div>
  )
}

/** Its names at the bank. */
export function TransactionCodes({ transaction: { metadata } }: { transaction: Transaction }) {
  return (
    <div className="grid gap-3">
      {metadata.txid !== null && <CopyableCode label="Identificador (txid)" code={metadata.txid} />}
      {metadata.endToEndId !== null && <CopyableCode label="ID do Pix (endToEndId)" code={metadata.endToEndId} />}
    </div>
  )
}
