import { Button } from "#ui/button.tsx"
import { HomeLink } from "./home-link.tsx"
import { OutcomeHead } from "./outcome-head.tsx"
import { ProofCard, type ProofFact } from "./proof-card.tsx"

interface Props {
  /** True after a full refund: then this page proves the refund, too. */
  isReturned?: boolean
  amount: number
  facts: readonly ProofFact[]
  chargePath?: string | null
}

export function SuccessView({ isReturned = false, amount, facts, chargePath = null }: Props) {
  return (
    <>
      {isReturned ? (
        <OutcomeHead
          tone="returned"
          title="Pagamento estornado"
          text="O valor inteiro voltou para a conta que fez o Pix."
        />
      ) : (
        <OutcomeHead
          tone="good"
          title="Pagamento Realizado com Sucesso!"
          text="Seu pagamento foi processado e confirmado."
        />
      )}
      <ProofCard title="Comprovante" amount={amount} facts={facts} />
      <div className="mt-4 grid gap-3 sm:grid-cols-[3fr_2fr] print:hidden">
        <Button look="primary" icon="print" onClick={() => window.print()}>
          Imprimir comprovante
        </Button>
        <HomeLink chargePath={chargePath} />
      </div>
    </>
  )
}
