import type { PersonForm } from "./register-form.ts"

type MaskedName = "cpf" | "phone" | "address.zipCode" | "address.state"

/** Registers a field that is masked while typing. */
export function maskedField(form: PersonForm, name: MaskedName, mask: (text: string) => string) {
  return form.register(name, {
    onChange: (event: { target: { value: string } }) => form.setValue(name, mask(event.target.value)),
  })
}
