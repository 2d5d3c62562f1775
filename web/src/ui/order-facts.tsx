import { CopyableCode, Fact, Facts } from "./facts.tsx"

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
