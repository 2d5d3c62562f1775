import { getRouteApi } from "@tanstack/react-router"
import { formatDateTime } from "#format/dates.ts"
import { Button } from "#ui/button.tsx"
import { FailureView, HomeLink, ProofCard, SampleNote, SuccessHead } from "./payment-outcome.tsx"
import { RealPayment } from "./real-payment.tsx"

const route = getRouteApi("/payment/payment/success")

export function PaymentSuccessPage() {
  const { transactionId, k } = route.useSearch()
  if (transactionId !== undefined) return <RealPayment id={transactionId} token={k} />
  return (
    <>
      <SampleNote />
      <SuccessHead />
      <ProofCard
        title="Comprovante"
        amount={150}
        facts={[
          { term: "ID da transação", value: "TXN-123456789" },
          { term: "Método", value: "PIX" },
          { term: "Data", value: formatDateTime(new Date().toISOString()) },
        ]}
      />
      <div className="mt-4 grid gap-3 sm:grid-cols-[3fr_2fr] print:hidden">
        <Button variant="primary" icon="print" onClick={() => window.print()}>
          Imprimir comprovante
        </Button>
        <HomeLink />
      </div>
    </>
  )
}

const routePaymentErrorPage = getRouteApi("/payment/payment/error")

const causes = [
  "Dados do cartão incorretos",
  "Saldo insuficiente",
  "Cartão bloqueado ou vencido",
  "Problema temporário na operadora de pagamento",
]

export function PaymentErrorPage() {
  const { transactionId, k } = routePaymentErrorPage.useSearch()
  if (transactionId !== undefined) return <RealPayment id={transactionId} token={k} />
  return (
    <>
      <SampleNote />
      <FailureView
        text="Não foi possível processar o seu pagamento."
        amount={150}
        facts={[
          { term: "Código do erro", value: "ERR-2025-001" },
          { term: "Método", value: "PIX" },
        ]}
      >
        <section className="mb-4 rounded-xl border border-line bg-s1 p-5 shadow-card">
          <h2 className="text-label font-medium text-t3">O que pode ter acontecido</h2>
          <ul className="mt-3 grid gap-2.5">
            {causes.map((cause) => (
              <li key={cause} className="flex items-start gap-3 text-label">
                <i aria-hidden="true" className="mt-[7px] size-[7px] flex-none rotate-45 bg-coral" />
                {cause}
              </li>
            ))}
          </ul>
        </section>
      </FailureView>
    </>
  )
}
