import { type ReactNode, useId } from "react"
import { BigAmount, Reais, useReaisParts } from "./amounts.tsx"
import { CopyButton } from "./copy-button.tsx"

/** Terms on the left, values on the right. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2 border-t border-line pt-4 text-label">{children}</dl>
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-5">
      <dt className="max-w-[60%] flex-none wrap-anywhere text-t3">{term}</dt>
      <dd className="min-w-0 text-right wrap-anywhere text-t2 tabular-nums">{children}</dd>
    </div>
  )
}

interface AmountFactProps {
  term: string
  reais: number
  /** The one that counts among others. */
  strong?: boolean
}

export function AmountFact({ term, reais, strong = false }: AmountFactProps) {
  const amount = <Reais>{reais}</Reais>
  return <Fact term={term}>{strong ? <b className="font-[650] text-t1">{amount}</b> : amount}</Fact>
}

/** The large amount of a dialog, and its state. */
export function AmountHead({ reais, children }: { reais: number; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
      <BigAmount parts={useReaisParts(reais)} />
      {children}
    </div>
  )
}

interface DetailListProps {
  title: string
  className?: string
  children: ReactNode
}

/** A list among the details, under a heading of its own. */
export function DetailList({
  title,
  className = "mt-1 grid divide-y divide-line text-label",
  children,
}: DetailListProps) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="border-t border-line pt-4">
      <h3 id={titleId} className="text-label font-semibold text-t2">
        {title}
      </h3>
      <ul className={className}>{children}</ul>
    </section>
  )
}

/** The address breaks before its @, when it must break. */
export function EmailFact({ email }: { email: string }) {
  const [name, domain] = email.split(/(?=@[^@]*$)/)
  return (
    <Fact term="E-mail">
      {name}
      <wbr />
      {domain}
    </Fact>
  )
}

/** A code that people copy into another system: shown whole, copied at a touch. */
export function CopyableCode({ label, code, shown = code }: { label: string; code: string; shown?: string }) {
  return (
    <div className="flex items-center justify-between gap-3 rounded-m border border-line bg-bg py-1.5 pr-1.5 pl-4">
      <p className="@container min-w-0 flex-1">
        <span className="block text-meta text-t3">{label}</span>
        <span className="block font-mono text-[min(12.5px,4.9cqi)] break-all">{shown}</span>
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

interface Ordered {
  externalReference: string | null
  metadata: { order: Record<string, string> }
}

/** The order of the seller's own system: its reference, and the pairs under the names that the seller gave them. */
export function OrderFacts({ transaction }: { transaction: Ordered }) {
  const { externalReference, metadata } = transaction
  const pairs = Object.entries(metadata.order)
  if (externalReference === null && pairs.length === 0) return null
  return (
    <section className="grid gap-3" aria-label="Pedido">
      {externalReference !== null && <CopyableCode label="Referência do pedido" code={externalReference} />}
      {pairs.length > 0 && (
        <Facts>
          {pairs.map(([name, value]) => (
            <Fact key={name} term={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
    </section>
  )
}

interface Sum {
  term: string
  value: string
  /** Stands apart: it is no part of the sums before it. */
  apart?: boolean
  /** A phone, where rows come first, has no space for it. */
  minor?: boolean
}

interface Props {
  /** Sums over everything that the filters select, not only this page. */
  sums: readonly Sum[]
  /** On a phone one below the other, as an equation is read. */
  stacked?: boolean
}

/** On a phone two columns: no figure is cut. */
export function SumsLine({ sums, stacked = false }: Props) {
  return (
    <dl
      aria-label="Resumo"
      className={`${stacked ? "flex flex-col py-3" : "grid grid-cols-2 py-1.5 leading-[1.3]"} mx-2 mb-1.5 gap-x-4 gap-y-2 rounded-m border border-line bg-bg px-3 md:mx-3.5 md:mb-2 md:flex md:flex-row md:flex-wrap md:gap-x-8 md:rounded-l md:px-4 md:py-3`}
    >
      {sums.map(({ term, value, apart = false, minor = false }) => (
        <div
          key={term}
          className={`whitespace-nowrap ${minor ? "max-md:hidden" : ""} ${stacked ? "flex items-baseline justify-between md:block" : ""} ${apart ? "text-t2 md:border-l md:border-line-2 md:pl-8" : ""}`}
        >
          <dt className="text-[12.5px] text-t3">{term}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
