import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AdminDisputeDetails } from "@tilinta/contract/disputes"
import { defenceStateLabels, disputeReasonLabels } from "@tilinta/contract/vocabulary/dispute-status"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { OpenedRow } from "#admin/opened-row.tsx"
import { AuditLink } from "#admin/status-cards.tsx"
import { messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { BigAmount, Reais, useReaisParts } from "#ui/amounts.tsx"
import { Badge } from "#ui/badge.tsx"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { CopyableCode, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { Icon } from "#ui/icon.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { TextDialog } from "#ui/text-dialog.tsx"
import { toast } from "#ui/toast.ts"
import { CloseDialog } from "./close-dispute-dialog.tsx"
import { defendDispute, disputeQuery, disputesKey, type Ending, effectLines, stateWords } from "./disputes-data.ts"

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
        footer={data !== undefined && !isOwn && <Actions dispute={data} onAsk={setAction} />}
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
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
          <BigAmount parts={useReaisParts(dispute.amount)} />
          <Badge tone={stateWords[dispute.status].tone}>{stateWords[dispute.status].label}</Badge>
        </div>
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
      {ledger.length > 0 && <Ledger lines={ledger} />}
      <AuditLink subject="dispute" id={dispute._id} />
    </div>
  )
}

function DisputeFacts({ dispute }: { dispute: AdminDisputeDetails }) {
  const { user, transaction, checkoutPage, respondUntil, closedAt, analysis, adminNotes, payment } = dispute
  return (
    <Facts>
      <Fact term="Bloqueado">
        <b className="font-[650] text-t1">
          <Reais>{dispute.blocked}</Reais>
        </b>
      </Fact>
      {dispute.debited > 0 && (
        <Fact term="Debitado pelo banco">
          <Reais>{dispute.debited}</Reais>
        </Fact>
      )}
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

function Effect({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <section className="rounded-m border border-line bg-bg px-4 py-3">
      <h3 className="text-label font-semibold">{title}</h3>
      <ul className="mt-1.5 grid gap-1 text-label text-t2 tabular-nums">
        {lines.map((line) => (
          <li key={line}>{line}.</li>
        ))}
      </ul>
    </section>
  )
}

function Ledger({ lines }: { lines: AdminDisputeDetails["ledger"] }) {
  return (
    <section className="border-t border-line pt-4">
      <h3 className="text-label font-semibold text-t2">Lançamentos contábeis</h3>
      <ul className="mt-1 grid divide-y divide-line text-label">
        {lines.map(({ at, debit, credit, amount }) => (
          <li key={`${at} ${debit}`} className="flex items-baseline justify-between gap-4 py-2.5">
            <span className="min-w-0">
              <span className="block break-words">
                {debit} <Icon name="arrowRight" className="inline size-3.5 stroke-2 text-t3" /> {credit}
              </span>
              <time dateTime={at} className="text-meta text-t3 tabular-nums">
                {formatDateTime(at)}
              </time>
            </span>
            <b className="flex-none font-semibold tabular-nums">
              <Reais>{amount}</Reais>
            </b>
          </li>
        ))}
      </ul>
    </section>
  )
}

function DefenceDialog({ id, onClose }: Props) {
  const queryClient = useQueryClient()

  async function send(text: string): Promise<void> {
    const { message, data } = await defendDispute(id, text)
    queryClient.setQueryData(disputeQuery(id).queryKey, data.dispute)
    void queryClient.invalidateQueries({ queryKey: disputesKey })
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
