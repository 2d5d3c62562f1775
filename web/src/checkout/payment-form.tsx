/** @jsxImportSource preact */
import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState } from "./checkout-state.ts"
import { Icon } from "./icons.tsx"
import { PayerFieldInput } from "./payer-field.tsx"

export const formId = "pagar"

interface Props {
  state: CheckoutState
  isAnonymous: boolean
  isRevealed: boolean
  on: CheckoutHandlers
}

export function PaymentForm({ state, isAnonymous, isRevealed, on }: Props) {
  const { problem, isBusy, failure } = state
  const action = isAnonymous ? "Gerar PIX Instantâneo" : "Pagar com PIX"
  return (
    <form class="pay" id={formId} method="post" noValidate>
      <h2>{isAnonymous ? "Pague com PIX" : "Seus dados"}</h2>
      {isAnonymous && <p class="ds">O QR Code aparece aqui na hora e a confirmação é automática.</p>}
      {isRevealed && <p class="ds">Para gerar o PIX, informe também os dados que faltam.</p>}
      {state.displayed.map((field) => (
        <PayerFieldInput
          key={field}
          field={field}
          value={state.values[field]}
          error={problem?.field === field ? problem.message : undefined}
          onType={on.type}
        />
      ))}
      {!isAnonymous && <p class="ds">Usamos seus dados só para esta cobrança.</p>}
      <div class="cta">
        {failure && (
          <p class="er" role="alert">
            <Icon name="alert" />
            {failure}
          </p>
        )}
        <button class="btn pri" type="submit" aria-disabled={isBusy || undefined} data-focus={isAnonymous || undefined}>
          {isBusy ? "Processando..." : action}
        </button>
        <p class="tr">Pagamento 100% Seguro</p>
      </div>
    </form>
  )
}
