import type { CheckoutHandlers } from "./checkout-loop.ts"
import type { CheckoutState } from "./checkout-state.ts"
import { Icon } from "./icons.tsx"
import type { PayablePage } from "./payable-page.ts"
import { PayerFieldInput } from "./payer-field.tsx"

export const formId = "pagar"

interface Props {
  page: PayablePage
  state: CheckoutState
  on: CheckoutHandlers
}

export function PaymentForm({ page: { isAnonymous, isNew, required }, state, on }: Props) {
  const { problem, isBusy, spoken, failure, displayed } = state
  const action = isAnonymous ? "Gerar PIX Instantâneo" : "Pagar com PIX"
  return (
    <form className="pay" id={formId} method="post" noValidate>
      <h2>{isAnonymous ? "Pague com Pix" : "Seus dados"}</h2>
      {isAnonymous && <p className="ds">O QR Code aparece aqui na hora.</p>}
      {displayed.length > required.length && (
        <p className="ds">Para gerar o Pix, informe também os dados que faltam.</p>
      )}
      {displayed.map((field) => (
        <PayerFieldInput
          key={field}
          field={field}
          value={state.values[field]}
          error={problem?.field === field ? problem.message : undefined}
          onType={on.type}
        />
      ))}
      {!isAnonymous && <p className="ds">Seus dados vão para quem cobra.</p>}
      <div className="cta">
        {failure && (
          <p className="er" role="alert">
            <Icon name="alert" />
            {failure}
          </p>
        )}
        <button
          className="btn pri"
          type="submit"
          aria-disabled={isBusy || undefined}
          data-focus={isAnonymous || undefined}
        >
          {isBusy ? spoken || "Processando..." : action}
        </button>
        {isNew || <p className="tr">Pagamento 100% Seguro</p>}
      </div>
    </form>
  )
}
