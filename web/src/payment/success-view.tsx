import { Button, buttonClass } from "#ui/button.tsx"
import { HomeLink } from "./home-link.tsx"
import { OutcomeHead } from "./outcome-head.tsx"
import { ProofCard, type ProofFact } from "./proof-card.tsx"

interface Props {
  /** True after a full refund: then this page proves the refund, too. */
  isReturned?: boolean
  amount: number
  facts: readonly ProofFact[]
  chargePath?: string | null
  /** The signed way back to the seller's shop. */
  returnUrl?: string | null
  /** The page of the signed receipt. */
  receiptPath?: string | null
}

export function SuccessView({
  isReturned = false,
  amount,
  facts,
  chargePath = null,
  returnUrl = null,
  receiptPath = null,
}: Props) {
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
      {returnUrl !== null && (
        <a href={returnUrl} className={buttonClass("primary", "mt-4 w-full print:hidden")}>
          Voltar à loja
        </a>
      )}
      {receiptPath !== null && (
        <a href={receiptPath} className={buttonClass("secondary", "mt-4 w-full print:hidden")}>
          Ver recibo
        </a>
      )}
      <div className="mt-4 grid gap-3 sm:grid-cols-[3fr_2fr] print:hidden">
        <Button look={returnUrl === null ? "primary" : "secondary"} icon="print" onClick={() => window.print()}>
          Imprimir comprovante
        </Button>
        <HomeLink chargePath={chargePath} />
      </div>
    </>
  )
}
