import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminDisputeDetails } from "@tilinta/contract/disputes"
import { defenceStateLabels, disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { Effect, LedgerSection } from "#admin/detail-sections.tsx"
import { AuditLink } from "#admin/status-cards.tsx"
import { messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { Reais } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountFact, AmountHead, CopyableCode, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { CloseDialog } from "./close-dispute-dialog.tsx"
import { defendDispute, disputeQuery, type Ending, effectLines, stateWords } from "./disputes-data.ts"

interface Props {
  id: string
  onClose: () => void
}

/** Addressable: its address opens it again, wherever in the list it is. */
export function DisputeDialog({ id, onClose }: Props) {
  const opened = useQuery(disputeQuery(id))
  const [action, setAction] = useState<Ending | "defence" | null>(null)
  const adminId = useUser()?._id
  const { data } = opened
  const isOwn = data?.user?._id !== undefined && data.user._id === adminId
  return (
    <>
      <Dialog
        title="Contestação"
        onClose={onClose}
        footer={data !== undefined && !isOwn && canAct(data) && <Actions dispute={data} onAsk={setAction} />}
      >
        <OpenedRow query={opened} waiting="Carregando contestação" failed={adminTexts.disputeFailed}>
          {(dispute) => <Details dispute={dispute} />}
        </OpenedRow>
      </Dialog>
      {data !== undefined && action === "defence" && <DefenceDialog id={id} onClose={() => setAction(null)} />}
      {data !== undefined && action !== null && action !== "defence" && (
        <CloseDialog ending={action} dispute={data} onClose={() => setAction(null)} />
      )}
    </>
  )
}

function canAct({ canDefend, actions }: AdminDisputeDetails): boolean {
  return canDefend || actions.length > 0
}

function Actions({ dispute, onAsk }: { dispute: AdminDisputeDetails; onAsk: (action: Ending | "defence") => void }) {
  return (
    <>
      {dispute.canDefend && <Button onClick={() => onAsk("defence")}>Escrever defesa</Button>}
      {dispute.actions.includes("debit") && (
        <Button variant="quiet-danger" onClick={() => onAsk("debit")}>
          Registrar débito
        </Button>
      )}
      {dispute.actions.includes("release") && <Button onClick={() => onAsk("release")}>Liberar valor</Button>}
    </>
  )
}

function Details({ dispute }: { dispute: AdminDisputeDetails }) {
  const { defence, effect, ledger, settled } = dispute
  return (
    <div className="grid gap-5">
      <div>
        <AmountHead reais={dispute.amount}>
          <Badge tone={stateWords[dispute.status].tone}>{stateWords[dispute.status].label}</Badge>
        </AmountHead>
        <p className="mt-3 font-semibold">{disputeReasonLabels[dispute.reason]}</p>
        {dispute.details !== "" && <p className="break-words text-t2">{dispute.details}</p>}
      </div>
      <DisputeFacts dispute={dispute} />
      {!settled && (
        <div className="grid gap-3 sm:grid-cols-2">
          <Effect title="Se for recusada" lines={effectLines(effect.release)} />
          <Effect title="Se for aceita" lines={effectLines(effect.debit)} />
        </div>
      )}
      {defence !== null && (
        <section className="border-t border-line pt-4 text-label">
          <h3 className="font-semibold text-t2">Defesa · {defenceStateLabels[defence.status]}</h3>
          <p className="mt-1 break-words whitespace-pre-line text-t2">{defence.text}</p>
        </section>
      )}
      <CopyableCode label="ID do Pix (endToEndId)" code={dispute.endToEndId} />
      <LedgerSection lines={ledger} />
      <AuditLink subject="dispute" id={dispute._id} />
    </div>
  )
}

function DisputeFacts({ dispute }: { dispute: AdminDisputeDetails }) {
  const { user, transaction, checkoutPage, respondUntil, closedAt, analysis, adminNotes, payment } = dispute
  return (
    <Facts>
      <AmountFact term="Bloqueado" reais={dispute.blocked} strong />
      {dispute.debited > 0 && <AmountFact term="Debitado pelo banco" reais={dispute.debited} />}
      <Fact term="Aberta em">{formatDateTime(dispute.openedAt)}</Fact>
      {respondUntil !== null && <Fact term="Responder até">{formatDateTime(respondUntil)}</Fact>}
      {closedAt !== null && <Fact term="Encerrada em">{formatDateTime(closedAt)}</Fact>}
      <Fact term="Vendedor">{user?.name ?? "Desconhecido"}</Fact>
      {user !== null && <EmailFact email={user.email} />}
      <Fact term="Pagamento">
        {transaction === null ? (
          <>
            <Reais>{payment.amount}</Reais>, a conferir
          </>
        ) : (
          <Link to="/admin/transactions" search={{ transaction: transaction._id }} className={inlineLink}>
            {checkoutPage?.title ?? "Ver transação"}, <Reais>{payment.amount}</Reais>
          </Link>
        )}
      </Fact>
      <Fact term="Informada por">{dispute.origin === "bank" ? "Banco" : "Administrador"}</Fact>
      {analysis !== "" && <Fact term="Análise do banco">{analysis}</Fact>}
      {adminNotes !== "" && <Fact term="Observações">{adminNotes}</Fact>}
    </Facts>
  )
}

function DefenceDialog({ id, onClose }: Props) {
  const queryClient = useQueryClient()

  async function send(text: string): Promise<void> {
    const { message, data } = await defendDispute(id, text)
    queryClient.setQueryData(disputeQuery(id).queryKey, data.dispute)
    void queryClient.invalidateQueries({ queryKey: ["admin"] })
    toast.success(message)
  }

  return (
    <TextDialog
      title="Defesa da contestação"
      label="Defesa"
      hint="Até 1.000 caracteres."
      missing="Escreva a defesa."
      maxLength={1000}
      verb="Enviar defesa"
      busyVerb="Enviando..."
      onSend={send}
      failureOf={(error) => messageOf(error, adminTexts.disputeNotClosed)}
      onClose={onClose}
    >
      <p>Em nome do vendedor: o que foi vendido, como e quando foi entregue. O banco aceita uma só defesa.</p>
    </TextDialog>
  )
}
