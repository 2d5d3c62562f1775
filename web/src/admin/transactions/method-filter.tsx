import { type PaymentMethod, paymentMethodLabels, paymentMethods } from "@tilinta/contract/vocabulary/payment-methods"
import { Select } from "#ui/select.tsx"

interface Props {
  value: PaymentMethod | undefined
  onChange: (method: PaymentMethod | undefined) => void
}

export function MethodFilter({ value, onChange }: Props) {
  return (
    <Select
      aria-label="Método de pagamento"
      value={value ?? ""}
      onChange={(event) => onChange(paymentMethods.find((method) => method === event.target.value))}
      className="shrink-0 basis-48"
    >
      <option value="">Todos os métodos</option>
      {paymentMethods.map((method) => (
        <option key={method} value={method}>
          {paymentMethodLabels[method]}
        </option>
      ))}
    </Select>
  )
}
