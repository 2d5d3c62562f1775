import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { CloseDifferenceView, DailyCloseView } from "@tilinta/contract/daily-closes"
import * as heads from "@tilinta/contract/heads"
import { type FormEvent, useRef, useState } from "react"
import { adminTexts, failureWords } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import { useReais } from "#ui/amounts.tsx"
import { Button } from "#ui/button.tsx"
import { QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { ExportButton } from "#ui/export-button.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field, TextInput } from "#ui/field.tsx"
import { toast } from "#ui/toast.ts"
import { CloseStatusBadge } from "./closes-table.tsx"
import {
  closeQuery,
  closesKey,
  dayLabel,
  inTransit,
  kindWords,
  parseBalance,
  redoClose,
  typeBalance,
} from "./daily-closes-data.ts"
import { DifferenceList } from "./difference-list.tsx"

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
          {inTransit(balance) !== 0 && <Fact term="Em trânsito">{reais(inTransit(balance))}</Fact>}
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
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState("")
  const [isUnreadable, setIsUnreadable] = useState(false)
  const typed = useMutation({
    mutationFn: (value: number) => typeBalance(id, value),
    onSuccess: (data) => {
      queryClient.setQueryData(closeQuery(id).queryKey, data)
      toast.success(adminTexts.balanceTyped)
      void queryClient.invalidateQueries({ queryKey: [...closesKey, "list"] })
    },
  })

  const refusal = typed.isError ? messageOf(typed.error, adminTexts.balanceNotTyped) : undefined

  function send(event: FormEvent): void {
    event.preventDefault()
    if (typed.isPending) return
    const balance = parseBalance(text)
    setIsUnreadable(balance === null)
    if (balance === null) input.current?.focus()
    else typed.mutate(balance)
  }

  return (
    <form noValidate aria-label="Saldo do banco" onSubmit={send} className="flex items-start gap-3">
      <div className="min-w-0 flex-1">
        <Field
          label="Saldo no extrato do banco, no fim do dia"
          error={isUnreadable ? adminTexts.balanceUnreadable : refusal}
        >
          {(control) => (
            <TextInput
              {...control}
              ref={input}
              placeholder="0,00"
              autoComplete="off"
              maxLength={30}
              value={text}
              onChange={({ target }) => setText(target.value)}
              className="font-semibold tabular-nums"
            />
          )}
        </Field>
      </div>
      <Button type="submit" disabled={typed.isPending} className="mt-[26px]">
        {typed.isPending ? "Salvando..." : "Comparar"}
      </Button>
    </form>
  )
}

export function CloseDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(closeQuery(id))
  const close = found.data?.close
  return (
    <Dialog
      title={close === undefined ? "Fechamento" : `Fechamento de ${dayLabel(close.day)}`}
      onClose={onClose}
      footer={close !== undefined && <Actions close={close} />}
    >
      {found.isPending && <RowsSkeleton rows={4} label="Carregando fechamento" />}
      {found.isError && found.data === undefined && <QueryFailure query={found} failed={adminTexts.closesFailed} />}
      {found.data !== undefined && <Comparison close={found.data.close} differences={found.data.differences} />}
    </Dialog>
  )
}

function Actions({ close }: { close: DailyCloseView }) {
  const queryClient = useQueryClient()
  const redone = useMutation({
    mutationFn: () => redoClose(close._id),
    onSuccess: ({ message, data }) => {
      queryClient.setQueryData(closeQuery(close._id).queryKey, data)
      toast.success(message)
    },
    onError: (error) => toast.error(messageOf(error, adminTexts.closeNotRedone), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...closesKey, "list"] }),
  })
  const hasRows = close.differenceCount + close.mendedCount > 0
  return (
    <>
      {hasRows && (
        <ExportButton
          head={heads.exportDifferences}
          params={{ id: close._id }}
          name={`fechamento_${close.day}`}
          failed={adminTexts.notExported}
        />
      )}
      <Button
        variant="primary"
        disabled={redone.isPending || close.status === "checking"}
        onClick={() => redone.mutate()}
      >
        {close.status === "checking" ? "Comparando..." : "Refazer"}
      </Button>
    </>
  )
}

function Comparison({ close, differences }: { close: DailyCloseView; differences: CloseDifferenceView[] }) {
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3" role="status">
        <CloseStatusBadge close={close} />
        {close.mendedCount > 0 && (
          <span className="text-label text-t2">
            {close.mendedCount === 1
              ? "1 encontrado no fechamento e lançado"
              : `${close.mendedCount} encontrados no fechamento e lançados`}
          </span>
        )}
      </div>
      {close.totals.length > 0 && <Totals close={close} />}
      <BankBalance close={close} />
      {differences.length > 0 && <DifferenceList close={close} differences={differences} />}
      {close.status === "ok" && close.mendedCount === 0 && (
        <p className="text-t2">Tudo o que o banco lista neste dia está nos nossos livros, e nada mais.</p>
      )}
      <Facts>
        <Fact term="Provedor">{close.providerLabel}</Fact>
        <Fact term="Comparado em">{close.closedAt === null ? "Ainda não" : formatDateTime(close.closedAt)}</Fact>
        {close.nextAttemptAt !== null && <Fact term="Próxima comparação">{formatDateTime(close.nextAttemptAt)}</Fact>}
        {close.lastError !== null && <Fact term="Última tentativa">{failureWords(close.lastError)}</Fact>}
      </Facts>
    </div>
  )
}

function Totals({ close }: { close: DailyCloseView }) {
  const reais = useReais()
  const row = ({ count, amount }: { count: number; amount: number }) => `${reais(amount)} (${count})`
  return (
    <table className="w-full text-label tabular-nums">
      <caption className="sr-only">Totais do dia, nossos e do banco</caption>
      <thead>
        <tr className="text-left text-meta text-t3">
          <th scope="col" className="pb-1.5 font-normal">
            Tipo
          </th>
          <th scope="col" className="pb-1.5 text-right font-normal">
            Nosso
          </th>
          <th scope="col" className="pb-1.5 text-right font-normal">
            Banco
          </th>
        </tr>
      </thead>
      <tbody>
        {close.totals.map(({ kind, ours, bank }) => (
          <tr key={kind} className="border-t border-line">
            <th scope="row" className="py-2 text-left font-semibold">
              {kindWords[kind]}
            </th>
            <td className="py-2 text-right text-t2">{row(ours)}</td>
            <td className={`py-2 text-right ${isSame(ours, bank) ? "text-t2" : "text-coral"}`}>{row(bank)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function isSame(one: { count: number; amount: number }, other: { count: number; amount: number }): boolean {
  return one.count === other.count && one.amount === other.amount
}
