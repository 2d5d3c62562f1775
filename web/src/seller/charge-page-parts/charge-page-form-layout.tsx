import { Link } from "@tanstack/react-router"
import type { FormEvent, ReactNode } from "react"
import { Button, buttonClass } from "#ui/button.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { FinancialSummary } from "./financial-summary.tsx"

interface Props {
  onSubmit: (event: FormEvent) => void
  amount: number | null
  failure: string | null
  submit: { label: string; disabled: boolean }
  cancelTo: "/dashboard" | "/checkouts"
  /** Content under the summary, next to the fields. */
  aside?: ReactNode
  children: ReactNode
}

/** Fields on the left; on the right, always visible, the seller's net amount and the one action. */
export function ChargePageFormLayout({ onSubmit, amount, failure, submit, cancelTo, aside, children }: Props) {
  return (
    <form noValidate onSubmit={onSubmit} className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="grid gap-4">{children}</div>
      <div className="grid gap-4 lg:sticky lg:top-[92px]">
        <FinancialSummary amount={amount} />
        {aside}
        <FormAlert message={failure} />
        <Button look="primary" type="submit" disabled={submit.disabled}>
          {submit.label}
        </Button>
        <Link to={cancelTo} className={buttonClass("ghost")}>
          Cancelar
        </Link>
      </div>
    </form>
  )
}
