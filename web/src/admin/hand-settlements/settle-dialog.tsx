import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query"
import type { HandSettlementView } from "@tilinta/contract/fields"
import type { HandSettlementOutcome, HandSettlementSubject } from "@tilinta/contract/vocabulary/withdrawals"
import { useId, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { failureText } from "#api/api-error.ts"
import { formatReais } from "#format/money-text.ts"
import { ConfirmDialog } from "#ui/dialog.tsx"
import { Field, FormAlert, TextArea, TextInput } from "#ui/field.tsx"
import { Segments } from "#ui/segments.tsx"
import { toast } from "#ui/toast.ts"
import { type Draft, draftProblems, outcomeWords, settle, settlementEffect, subjectWords } from "./settle-words.ts"

export interface SettleSubject {
  subject: HandSettlementSubject
  id: string
  amount: number
  /** Null for the refund of a payment that nobody was credited for. */
  seller: string | null
  /** Another's word, to be confirmed as it is; null to give one of one's own. */
  confirms: HandSettlementView | null
}

interface Props extends SettleSubject {
  /** Lists that show it. */
  listKey: QueryKey
  onClose: () => void
}

const outcomes: { value: HandSettlementOutcome | ""; label: string }[] = [
  { value: "paid", label: "Foi pago" },
  { value: "not_paid", label: "Não foi pago" },
]

export function SettleDialog({ listKey, onClose, ...asked }: Props) {
  const { subject, id, amount, seller, confirms } = asked
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState<Draft>(draftOf(confirms))
  const [isChecked, setIsChecked] = useState(false)
  const found = draftProblems(draft)
  const problems = isChecked ? found : {}
  const { outcome } = draft

  const settled = useMutation({
    mutationFn: () => settle(subject, id, saidIn(draft)),
    onSuccess: (message) => {
      onClose()
      toast.success(message)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
  })

  function confirm(): void {
    setIsChecked(true)
    if (Object.keys(found).length === 0) settled.mutate()
  }

  return (
    <ConfirmDialog
      title={`Resolver ${subjectWords[subject]} manualmente?`}
      verb={outcome === "" ? "Resolver" : `${confirms === null ? "Dizer" : "Confirmar"} que ${outcomeWords[outcome]}`}
      variant={outcome === "not_paid" ? "danger" : "primary"}
      busy={settled.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <b className="font-semibold whitespace-nowrap text-t1 tabular-nums">{formatReais(amount)}</b> de{" "}
        {seller === null ? "um pagamento a conferir" : <b className="font-semibold break-words text-t1">{seller}</b>}.
        Diga só o que você viu no extrato do banco: a partir daí este {subjectWords[subject]} não é mais enviado.
      </p>
      {confirms === null ? (
        <Outcome draft={draft} problems={problems} onChange={(change) => setDraft({ ...draft, ...change })} />
      ) : (
        <Confirmed said={confirms} />
      )}
      {outcome !== "" && (
        <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label wrap-anywhere text-t1">
          {settlementEffect(outcome, asked)} Isto não pode ser desfeito.
        </p>
      )}
      <Field
        label="Motivo"
        hint={
          confirms === null
            ? "Havendo outro administrador, ele é avisado por e-mail e precisa dizer o mesmo para que valha."
            : undefined
        }
        error={problems.reason}
      >
        {(control) => (
          <TextArea
            {...control}
            maxLength={500}
            value={draft.reason}
            onChange={(event) => setDraft({ ...draft, reason: event.target.value })}
          />
        )}
      </Field>
      <FormAlert message={failureText(settled.error, adminTexts.notSettledByHand)} />
    </ConfirmDialog>
  )
}

function draftOf(said: HandSettlementView | null): Draft {
  return { outcome: said?.outcome ?? "", endToEndId: said?.endToEndId ?? "", reason: "" }
}

function saidIn({ outcome, endToEndId, reason }: Draft) {
  const isPaid = outcome === "paid"
  return {
    outcome: isPaid ? outcome : ("not_paid" as const),
    endToEndId: isPaid ? endToEndId.trim() : null,
    reason: reason.trim(),
  }
}

interface OutcomeProps {
  draft: Draft
  problems: ReturnType<typeof draftProblems>
  onChange: (change: Partial<Draft>) => void
}

function Outcome({ draft, problems, onChange }: OutcomeProps) {
  const problemId = useId()
  return (
    <>
      <div className="grid justify-items-start gap-1.5">
        <Segments
          label="O que aconteceu"
          options={outcomes}
          value={draft.outcome}
          onChange={(outcome) => onChange({ outcome })}
        />
        <div role="alert" id={problemId} className="text-meta font-medium text-coral empty:absolute">
          {problems.outcome}
        </div>
      </div>
      {draft.outcome === "paid" && (
        <Field
          label="ID do Pix (endToEndId)"
          hint="Está no comprovante do banco: começa com E ou D e tem 32 caracteres."
          error={problems.endToEndId}
        >
          {(control) => (
            <TextInput
              {...control}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              className="font-mono max-sm:text-[13px]"
              value={draft.endToEndId}
              onChange={(event) => onChange({ endToEndId: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

function Confirmed({ said }: { said: HandSettlementView }) {
  return (
    <ul className="rounded-m border border-line bg-bg px-4 py-2.5 text-label wrap-anywhere">
      <li>
        {said.saidBy.name} disse: <span className="text-t1">{outcomeWords[said.outcome]}</span>
      </li>
      {said.endToEndId !== null && (
        <li>
          ID do Pix: <code className="block text-meta text-t1">{said.endToEndId}</code>
        </li>
      )}
      <li>
        Motivo: <span className="text-t1">{said.reason}</span>
      </li>
    </ul>
  )
}
