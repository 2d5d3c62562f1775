import { forEachFlag, noPayerFlags, type PayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import { useFormContext } from "react-hook-form"
import { Checkbox } from "#ui/choice-inputs.tsx"
import { Switch } from "#ui/switch.tsx"

export interface CustomerDataForm extends PayerFlags {
  requireCustomerData: boolean
}

export const allCustomerFields = forEachFlag(() => true)

/** Off clears all four and makes the payment anonymous; on sets all four. */
export function customerDataBody(form: CustomerDataForm) {
  const { requireCustomerData } = form
  return {
    requireCustomerData,
    customerInfo: requireCustomerData ? forEachFlag((flag) => form[flag]) : noPayerFlags,
    allowAnonymous: !requireCustomerData,
  }
}

/** Missing flags count as true, except `allowAnonymous`, which counts as false. */
export function customerDataOf(page: {
  requireCustomerData?: boolean
  customerInfo?: Partial<typeof allCustomerFields>
  pixConfig?: { allowAnonymous?: boolean }
}): CustomerDataForm {
  const asks = !(page.pixConfig?.allowAnonymous ?? false) && (page.requireCustomerData ?? true)
  if (!asks) return { requireCustomerData: false, ...noPayerFlags }
  return { requireCustomerData: true, ...forEachFlag((flag) => page.customerInfo?.[flag] ?? true) }
}

const labels = {
  requireName: "Nome completo",
  requireEmail: "E-mail",
  requirePhone: "Telefone",
  requireCpf: "CPF",
} as const

/** One switch for all four fields; each can then be switched off by itself. */
export function CustomerDataFields() {
  const { watch, register, setValue } = useFormContext<CustomerDataForm>()
  const asks = watch("requireCustomerData")
  const some = Object.keys(labels).some((name) => !watch(name as keyof typeof labels))

  function toggle(on: boolean): void {
    setValue("requireCustomerData", on, { shouldDirty: true })
    for (const [name, value] of Object.entries(on ? allCustomerFields : noPayerFlags)) {
      setValue(name as keyof typeof labels, value, { shouldDirty: true })
    }
  }

  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">Dados do cliente</legend>
      <Switch
        label="Exigir dados do cliente"
        hint={
          asks
            ? "O cliente preenche os dados marcados antes de pagar."
            : "Pagamento anônimo: o cliente paga sem preencher nada."
        }
        checked={asks}
        onChange={(event) => toggle(event.target.checked)}
      />
      {asks && (
        <div className="mt-2 grid gap-x-4 rounded-m border border-line bg-bg px-4 py-2 sm:grid-cols-2">
          {(Object.keys(labels) as (keyof typeof labels)[]).map((name) => (
            <Checkbox key={name} label={labels[name]} {...register(name)} />
          ))}
          {some && (
            <p className="pb-2 text-meta text-t3 sm:col-span-2">
              Atenção: mesmo marcando só alguns, o cliente precisará informar nome, e-mail, CPF e telefone.
            </p>
          )}
        </div>
      )}
    </fieldset>
  )
}
