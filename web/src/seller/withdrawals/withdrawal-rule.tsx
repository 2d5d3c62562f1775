import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { type RulePause, type RulePeriod, rulePeriods } from "@tilinta/contract/vocabulary/withdrawals"
import type { WithdrawalRuleView } from "@tilinta/contract/withdrawal-rules"
import { useState } from "react"
import { detailOf, failureText, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { formatDateTime } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { shortDestination } from "#format/withdrawal-texts.ts"
import { destinationsQuery } from "#seller/seller-data.ts"
import { Button } from "#ui/button.tsx"
import { Card, CardHeader } from "#ui/card.tsx"
import { Select } from "#ui/choice-inputs.tsx"
import { FormDialog } from "#ui/dialog.tsx"
import { Field, FormAlert } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { toast } from "#ui/toast.ts"
import { withdrawalRuleQuery } from "./withdrawals-data.ts"

const periods = { day: "Todo dia", week: "Toda segunda", month: "Todo dia 1" } as const satisfies Record<
  RulePeriod,
  string
>

const pauses = {
  by_owner: "Pausado por você.",
  frozen: "Pausado: a conta foi congelada.",
  failed: "Pausado: o último não deu certo.",
} as const satisfies Record<RulePause, string>

const notSaved = "Erro ao salvar o saque automático"

/** Nothing before a first withdrawal was paid: there is nowhere to send one by itself. */
export function WithdrawalRule() {
  const rule = useQuery(withdrawalRuleQuery).data
  const destinations = useQuery(destinationsQuery).data?.destinations ?? []
  const [isOpen, setIsOpen] = useState(false)
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: withdrawalRuleQuery.queryKey })
  const onError = (error: Error) => toast.error(messageOf(error, notSaved), detailOf(error))
  const pause = useMutation({
    mutationFn: (body: WithdrawalRuleView) => call(heads.putWithdrawalRule, { body: { ...body, paused: true } }),
    onSettled: refresh,
    onError,
  })
  const remove = useMutation({ mutationFn: () => call(heads.deleteWithdrawalRule), onSettled: refresh, onError })
  if (rule === undefined || destinations.length === 0) return null
  const to = destinations.find(({ _id }) => _id === rule?.destinationId)
  const isBusy = pause.isPending || remove.isPending
  return (
    <Card className="grid gap-3 p-5">
      <CardHeader title="Saque automático" />
      {rule === null ? (
        <p className="text-label text-t2">O seu saldo vai para a sua conta sozinho, às 6 horas da manhã.</p>
      ) : (
        <p className="text-label text-t2">
          <b className="font-semibold text-t1">
            {periods[rule.every]}, acima de {formatReais(rule.above)}
          </b>
          {to !== undefined && <>, para {shortDestination(to)}</>}.{" "}
          {rule.pausedBecause === null ? (
            <>O próximo é em {formatDateTime(rule.nextAt)}.</>
          ) : (
            <span className="font-semibold text-amber">
              {pauses[rule.pausedBecause]} {rule.failure}
            </span>
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setIsOpen(true)}>
          {rule === null ? "Ligar" : rule.pausedBecause === null ? "Mudar" : "Ligar de novo"}
        </Button>
        {rule !== null && rule.pausedBecause === null && (
          <Button aria-disabled={isBusy} onClick={() => isBusy || pause.mutate(rule)}>
            Pausar
          </Button>
        )}
        {rule !== null && (
          <Button variant="quiet-danger" aria-disabled={isBusy} onClick={() => isBusy || remove.mutate()}>
            Desligar
          </Button>
        )}
      </div>
      {isOpen && <RuleDialog rule={rule} onSaved={refresh} onClose={() => setIsOpen(false)} />}
    </Card>
  )
}

interface Props {
  rule: WithdrawalRuleView | null
  onSaved: () => void
  onClose: () => void
}

function RuleDialog({ rule, onSaved, onClose }: Props) {
  const destinations = useQuery(destinationsQuery).data?.destinations ?? []
  const [every, setEvery] = useState<RulePeriod>(rule?.every ?? "week")
  const [above, setAbove] = useState<number | null>(rule?.above ?? null)
  const [destinationId, setDestinationId] = useState(rule?.destinationId ?? destinations[0]?._id ?? "")
  const saved = useMutation({
    mutationFn: () => call(heads.putWithdrawalRule, { body: { every, above: above ?? 0, destinationId } }),
    onSuccess: () => {
      onSaved()
      onClose()
      toast.success("Saque automático ligado.")
    },
  })
  return (
    <FormDialog
      title="Saque automático"
      verb={saved.isPending ? "Salvando..." : "Ligar saque automático"}
      busy={saved.isPending}
      onSubmit={(event) => {
        event.preventDefault()
        saved.mutate()
      }}
      onClose={onClose}
      className="grid gap-5"
    >
      <Field label="Quando">
        {(control) => (
          <Select {...control} value={every} onChange={(event) => setEvery(event.target.value as RulePeriod)}>
            {rulePeriods.map((period) => (
              <option key={period} value={period}>
                {periods[period]}, às 6 horas
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Só quando o saldo passar de" hint="Vai todo o saldo disponível.">
        {(control) => <MoneyInput {...control} value={above} onChange={setAbove} />}
      </Field>
      <Field label="Para onde" hint="Um destino que já recebeu um saque seu.">
        {(control) => (
          <Select {...control} value={destinationId} onChange={(event) => setDestinationId(event.target.value)}>
            {destinations.map((each) => (
              <option key={each._id} value={each._id}>
                {shortDestination(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormAlert message={failureText(saved.error, notSaved)} />
    </FormDialog>
  )
}
