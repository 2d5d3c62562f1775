import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { DailyCloseView } from "@tilinta/contract/api/daily-closes-endpoints"
import { type FormEvent, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/date.ts"
import { Button } from "#ui/button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field } from "#ui/field.tsx"
import { MoneyInput } from "#ui/money-input.tsx"
import { useReais } from "#ui/shown-amounts.ts"
import { toast } from "#ui/toast.ts"
import { adminTexts } from "../admin-texts.ts"
import { closeQuery, closesKey, typeBalance } from "./daily-closes-data.ts"

/** Told by the provider, or typed in from its statement. */
export function BankBalance({ close }: { close: DailyCloseView }) {
  const reais = useReais()
  const balance = close.bankBalance
  if (close.closedAt === null) return null
  return (
    <section aria-label="Saldo do banco" className="grid gap-3">
      {balance !== null && (
        <Facts>
          <Fact term={balance.typed ? "Saldo do banco (informado)" : "Saldo do banco"}>{reais(balance.bank)}</Fact>
          <Fact term="Saldo da nossa conta">{reais(balance.ours)}</Fact>
          <Fact term="Diferença">
            <b className={balance.difference === 0 ? "font-semibold" : "font-semibold text-coral"}>
              {reais(balance.difference)}
            </b>
          </Fact>
          <Fact term="Na hora">{formatDateTime(balance.at)}</Fact>
        </Facts>
      )}
      {(balance === null || balance.typed) && <BalanceForm key={close._id} id={close._id} />}
    </section>
  )
}

function BalanceForm({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const [amount, setAmount] = useState<number | null>(null)
  const typed = useMutation({
    mutationFn: (value: number) => typeBalance(id, value),
    onSuccess: (data) => {
      queryClient.setQueryData(closeQuery(id).queryKey, data)
      toast.success(adminTexts.balanceTyped)
      void queryClient.invalidateQueries({ queryKey: [...closesKey, "list"] })
    },
  })

  function send(event: FormEvent): void {
    event.preventDefault()
    if (amount !== null && !typed.isPending) typed.mutate(amount)
  }

  return (
    <form noValidate aria-label="Saldo do banco" onSubmit={send} className="flex items-end gap-3">
      <div className="min-w-0 flex-1">
        <Field
          label="Saldo no extrato do banco, no fim do dia"
          error={typed.isError ? messageOf(typed.error, adminTexts.balanceNotTyped) : undefined}
        >
          {(control) => <MoneyInput {...control} value={amount} onChange={setAmount} />}
        </Field>
      </div>
      <Button type="submit" disabled={amount === null || typed.isPending}>
        {typed.isPending ? "Salvando..." : "Comparar"}
      </Button>
    </form>
  )
}
