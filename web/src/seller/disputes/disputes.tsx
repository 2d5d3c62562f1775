import { useQueryClient } from "@tanstack/react-query"
import type { DisputeView } from "@tilinta/contract/disputes"
import { defenceStateLabels, disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { managers } from "@tilinta/contract/vocabulary/team"
import { useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { formatDateTime } from "#format/dates.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { transactionsKey } from "#seller/transactions/transactions-data.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { DetailList } from "#ui/facts.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { Only } from "#ui/only.tsx"
import { toast } from "#ui/toast.ts"
import { defend, stateWords } from "./disputes-data.ts"

const TextDialog = lazyDialog(() => import("#ui/text-dialog.tsx"), "TextDialog")

/** Renders nothing without disputes: most payments have none. */
export function Disputes({ disputes }: { disputes: readonly DisputeView[] }) {
  if (disputes.length === 0) return null
  return (
    <DetailList title="Contestação" className="mt-3 grid gap-3">
      {disputes.map((dispute) => (
        <DisputeItem key={dispute._id} dispute={dispute} />
      ))}
    </DetailList>
  )
}

function DisputeItem({ dispute }: { dispute: DisputeView }) {
  const { status, amount, blocked, reason, details, analysis, respondUntil, defence, canDefend } = dispute
  const { label, tone } = stateWords[status]
  return (
    <li className="rounded-m border border-line bg-bg px-4 py-3">
      <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <b className="font-[650] tabular-nums">
          <Reais>{amount}</Reais>
        </b>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="mt-1 text-label break-words text-t2">{disputeReasonLabels[reason]}</p>
      {blocked > 0 && (
        <p className="mt-1 text-label text-t2 tabular-nums">
          <Reais>{blocked}</Reais> do seu saldo estão bloqueados até a decisão dos bancos.
        </p>
      )}
      {respondUntil !== null && canDefend && (
        <p className="mt-1 text-label font-semibold text-amber tabular-nums">
          Responda até <time dateTime={respondUntil}>{formatDateTime(respondUntil)}</time>
        </p>
      )}
      {details !== "" && <p className="mt-1 text-label break-words text-t2">O banco do pagador diz: {details}</p>}
      {analysis !== "" && <p className="mt-1 text-label break-words text-t2">Decisão do banco: {analysis}</p>}
      {defence !== null && (
        <p className="mt-2 border-t border-line pt-2 text-label break-words whitespace-pre-line text-t2">
          <span className="block text-meta text-t3">Sua defesa · {defenceStateLabels[defence.status]}</span>
          {defence.text}
        </p>
      )}
      {canDefend && <Defend id={dispute._id} />}
    </li>
  )
}

function Defend({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const [writing, setWriting] = useState(false)

  async function send(text: string): Promise<void> {
    try {
      await defend(id, text)
      toast.success(sellerTexts.defenceSent)
    } finally {
      void queryClient.invalidateQueries({ queryKey: transactionsKey })
    }
  }

  return (
    <>
      <Only roles={managers}>
        <Button className="mt-3 w-full" onClick={() => setWriting(true)}>
          Escrever defesa
        </Button>
      </Only>
      {writing && (
        <TextDialog
          title="Defesa da contestação"
          label="Sua defesa"
          hint="Até 1.000 caracteres."
          missing="Escreva a defesa."
          maxLength={1000}
          verb="Enviar defesa"
          busyVerb="Enviando..."
          onSend={send}
          failureOf={(error) => messageOf(error, sellerTexts.defenceNotSent)}
          onClose={() => setWriting(false)}
        >
          <p>Conte o que foi vendido, para quem, como e quando foi entregue. O banco aceita uma só defesa.</p>
        </TextDialog>
      )}
    </>
  )
}
