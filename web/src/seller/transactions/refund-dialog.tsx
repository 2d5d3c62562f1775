import { useMutation } from "@tanstack/react-query"
import type { TransactionDetail } from "@tilinta/contract/transactions"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { refundProblem } from "#parts/transactions/transaction-details.tsx"
import { safeRetryHint } from "#seller/seller-data.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Button } from "#ui/button.tsx"
import { ConfirmDialog, FormDialog } from "#ui/dialog.tsx"
import { Fact, Facts } from "#ui/facts.tsx"
import { Field, FormAlert, TextInput } from "#ui/field.tsx"
import { MoneyInput } from "#ui/masked-inputs.tsx"
import { type RefundParts, type RequestRefund, refundPartsOf } from "./refund-data.ts"
import type { KnownRefunds, RefundOrder } from "./transactions-data.ts"

interface Props {
  transaction: TransactionDetail
  known: KnownRefunds
  request: RequestRefund
  onClose: () => void
}

interface Question {
  order: RefundOrder
  parts: RefundParts
}

/** Two steps, amount and confirmation; the input survives going back and a failed request. */
export function RefundDialog({ transaction, known, request, onClose }: Props) {
  const [filled, setFilled] = useState<Filled>({ amount: known.refundable, reason: "" })
  const [opened, setOpened] = useState<Question | null>(null)
  const refund = useMutation({
    mutationFn: ({ order }: Question) => request(transaction._id, order),
    onSuccess: onClose,
    onError: () => setOpened(null),
  })

  if (opened === null) {
    return (
      <RefundForm
        transaction={transaction}
        known={known}
        filled={filled}
        onFill={setFilled}
        failed={refund.error === null ? null : { error: refund.error, question: refund.variables }}
        onSubmit={setOpened}
        onClose={onClose}
      />
    )
  }
  const amount = formatReais(opened.order.amount)
  return (
    <ConfirmDialog
      title={`Estornar ${amount}?`}
      verb={refund.isPending ? "Estornando..." : `Estornar ${amount}`}
      busy={refund.isPending}
      onConfirm={() => refund.mutate(opened)}
      onClose={() => setOpened(null)}
    >
      <p>
        O valor volta para <b className="font-semibold break-words text-t1">{payerOf(transaction)}</b>, na conta que fez
        o Pix. Um estorno não pode ser desfeito.
      </p>
      <Parts amount={opened.order.amount} parts={opened.parts} />
    </ConfirmDialog>
  )
}

interface Filled {
  amount: number | null
  reason: string
}

interface FormProps extends Pick<Props, "transaction" | "known" | "onClose"> {
  filled: Filled
  onFill: (filled: Filled) => void
  failed: { error: unknown; question: Question } | null
  onSubmit: (question: Question) => void
}

function RefundForm({ transaction, known, filled, onFill, failed, onSubmit, onClose }: FormProps) {
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const amountInput = useRef<HTMLInputElement>(null)
  useEffect(() => amountInput.current?.focus(), [])
  const hint = safeRetryHint(failed?.error)
  const lost = hint === undefined ? undefined : failed?.question
  const { question, problem } = questionOf(filled, { transaction, known, lost })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setWasSubmitted(true)
    if (question !== null) onSubmit(question)
    else amountInput.current?.focus()
  }

  return (
    <FormDialog title="Estornar pagamento" verb="Continuar" onSubmit={submit} onClose={onClose} className="grid gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2">
        <Field label="Valor" hint={`Até ${formatReais(known.refundable)}`} error={wasSubmitted ? problem : undefined}>
          {(control) => (
            <MoneyInput
              {...control}
              ref={amountInput}
              aria-required
              value={filled.amount}
              onChange={(next) => onFill({ ...filled, amount: next })}
            />
          )}
        </Field>
        <Button className="mt-[26px]" onClick={() => onFill({ ...filled, amount: known.refundable })}>
          Valor total
        </Button>
      </div>
      <Field label="Motivo" aside="opcional">
        {(control) => (
          <TextInput
            {...control}
            maxLength={140}
            value={filled.reason}
            onChange={({ target }) => onFill({ ...filled, reason: target.value })}
          />
        )}
      </Field>
      {question !== null && <Parts amount={question.order.amount} parts={question.parts} />}
      <FormAlert message={failed === null ? null : messageOf(failed.error, sellerTexts.refundNotRequested)} />
      {hint !== undefined && <p className="text-label text-t2">{hint}</p>}
    </FormDialog>
  )
}

interface Around extends Pick<Props, "transaction" | "known"> {
  /** An earlier attempt that may have succeeded: the server recognises its key, whatever is left now. */
  lost: Question | undefined
}

function questionOf({ amount, reason }: Filled, { transaction, known, lost }: Around) {
  const order = { amount: amount ?? 0, reason: reason.trim() }
  const isLost = lost !== undefined && lost.order.amount === order.amount && lost.order.reason === order.reason
  if (isLost) return { question: lost, problem: undefined }
  const problem = refundProblem(amount, known.refundable)
  if (problem !== undefined) return { question: null, problem }
  return { question: { order, parts: refundPartsOf(order.amount, transaction, known) }, problem }
}

function Parts({ amount, parts: { fee, fromBalance } }: { amount: number; parts: RefundParts }) {
  return (
    <Facts>
      <Fact term="Volta ao pagador">{formatReais(amount)}</Fact>
      <Fact term="Taxa que volta para você">{formatReais(fee)}</Fact>
      <Fact term="Sai do seu saldo">
        <b className="font-[650] text-t1">{formatReais(fromBalance)}</b>
      </Fact>
    </Facts>
  )
}

function payerOf({ customerInfo }: TransactionDetail): string {
  return customerInfo.name || "quem pagou"
}
