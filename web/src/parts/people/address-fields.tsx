import type { UserView } from "@tilinta/contract/users"
import { addressLabels } from "@tilinta/contract/vocabulary/people"
import type { ComponentProps } from "react"
import { maskState, maskZipCode } from "#format/masks.ts"
import { FormText } from "#ui/form-text.tsx"

type Address = UserView["address"]
type Name = keyof Address
type Cell = Omit<ComponentProps<typeof FormText<{ address: Address }>>, "name" | "label" | "optional">

/** In the order of the labels. */
const cells: Readonly<Record<Name, Cell>> = {
  zipCode: {
    mask: maskZipCode,
    inputMode: "numeric",
    autoComplete: "postal-code",
    placeholder: "00000-000",
    className: "col-span-full sm:col-span-2",
  },
  street: { autoComplete: "address-line1", maxLength: 200, className: "col-span-full sm:col-span-4" },
  number: { maxLength: 20, className: "col-span-2" },
  complement: { autoComplete: "address-line2", maxLength: 100, className: "col-span-4" },
  neighborhood: { autoComplete: "address-level3", maxLength: 100, className: "col-span-full" },
  city: { autoComplete: "address-level2", maxLength: 100, className: "col-span-4" },
  state: {
    mask: maskState,
    autoComplete: "address-level1",
    autoCapitalize: "characters",
    placeholder: "UF",
    className: "col-span-2",
  },
}
const names = Object.keys(addressLabels) as Name[]

/** The address of a form that has one; nobody needs a complement. */
export function AddressFields({ isRequired = false }) {
  return (
    <div className="grid grid-cols-6 gap-x-3 gap-y-4 sm:gap-x-4">
      {names.map((name) => (
        <FormText<{ address: Address }>
          key={name}
          name={`address.${name}`}
          label={addressLabels[name]}
          optional={isRequired ? name === "complement" : "unmarked"}
          {...cells[name]}
        />
      ))}
    </div>
  )
}

export function maskedAddress(address: Address): Address {
  return Object.fromEntries(names.map((name) => [name, cells[name].mask?.(address[name]) ?? address[name]])) as Record<
    Name,
    string
  >
}

/** On one line, without what is missing. */
export function addressLine(address: Address): string {
  const { street, number, complement, neighborhood, city, state, zipCode } = maskedAddress(address)
  return [
    [street, number].filter(Boolean).join(", "),
    complement,
    neighborhood,
    [city, state].filter(Boolean).join("/"),
    zipCode,
  ]
    .filter(Boolean)
    .join(" · ")
}
