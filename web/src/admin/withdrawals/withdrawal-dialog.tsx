import { useQuery } from "@tanstack/react-query"
import type { AdminWithdrawalView } from "@tilinta/contract/admin-withdrawals"
import { destinationOwnerLabels } from "@tilinta/contract/vocabulary/withdrawals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { type SettleAction, settleActions } from "#admin/hand-settlements/settle-words.ts"
import { SettleButtons, SettlementNote } from "#admin/hand-settlements/settlement-note.tsx"
import { AuditLink } from "#admin/status-cards.tsx"
import { userQuery } from "#admin/users/users-data.ts"
import { useUser } from "#api/session.ts"
import { formatDateTime } from "#format/dates.ts"
import { maskCpf } from "#format/masks.ts"
import { formatReais } from "#format/money-text.ts"
import { holdSentence, shownPixKey, wholeDestination } from "#format/withdrawal-texts.ts"
import { Button } from "#ui/button.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountFact, AmountHead, CopyableCode, EmailFact, Fact, Facts } from "#ui/facts.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { Steps } from "#ui/steps.tsx"
import { OwnerDialog } from "./owner-dialog.tsx"
import { type Decision, decisionsOf, decisionWords, openDecisions } from "./withdrawal-decision.ts"
import { FactsList, payoutMethodLabel, signalsOf, waitReasons } from "./withdrawal-facts.tsx"
import { adminWithdrawalSteps } from "./withdrawal-steps.ts"
import { WithdrawalStatusBadge } from "./withdrawals-cards.tsx"
import { refreshMs, withdrawalQuery } from "./withdrawals-data.ts"

/** Every detail that a bank asks for, each copied at a touch; the CPF comes from the seller's account. */
export function PayByHand({ withdrawal }: { withdrawal: AdminWithdrawalView }) {
  const { user, amount } = withdrawal
  const cpf = useQuery(userQuery(user._id)).data?.user.cpf ?? ""
  const codes = [
    { term: "Valor", value: formatReais(amount).replace(/^R\$\s/, "") },
    { term: "Favorecido", value: user.name },
    { term: "CPF", value: maskCpf(cpf) },
    ...wholeDestination(withdrawal).filter(({ term }) => term !== "Tipo da chave"),
  ]
  return (
    <section aria-label="Pagamento manual" className="grid gap-2">
      <p className="rounded-m border border-line-2 bg-s2 px-4 py-3 text-label">{adminTexts.payByHand}</p>
      {codes
        .filter(({ value }) => value !== "")
        .map(({ term, value }) => (
          // The bank's form takes the key as its directory keeps it.
          <CopyableCode
            key={term}
            label={term}
            code={term === "Chave Pix" ? (withdrawal.pixKey ?? value) : value}
            shown={value}
          />
        ))}
    </section>
  )
}

interface Props {
  id: string
  /** The row from the list, shown until its details are loaded. */
  listed: AdminWithdrawalView | undefined
  onDecide: (decision: Decision, withdrawal: AdminWithdrawalView) => void
  onSettle: (action: SettleAction, withdrawal: AdminWithdrawalView) => void
  onClose: () => void
}

/** Addressable: its address opens it again, wherever in the list it is. */
export function WithdrawalDialog({ id, listed, onDecide, onSettle, onClose }: Props) {
  const opened = useQuery({
    ...withdrawalQuery(id),
    initialData: () => listed,
    initialDataUpdatedAt: 0,
    refetchInterval: refreshMs,
  })
  const adminId = useUser()?._id
  const { data } = opened
  const decisions = data === undefined ? [] : decisionsOf(data, adminId)
  const actions = data === undefined ? [] : settleActions(data, { adminId, sellerId: data.user._id })
  return (
    <Dialog
      title="Saque"
      onClose={onClose}
      footer={
        data !== undefined &&
        decisions.length + actions.length > 0 && (
          <>
            <Decisions decisions={decisions} onDecide={(decision) => onDecide(decision, data)} />
            <SettleButtons actions={actions} onSettle={(action) => onSettle(action, data)} />
          </>
        )
      }
    >
      <OpenedRow query={opened} waiting="Carregando saque" failed={adminTexts.withdrawalFailed}>
        {(withdrawal) => <Details withdrawal={withdrawal} decisions={decisions} />}
      </OpenedRow>
    </Dialog>
  )
}

interface DetailsProps {
  withdrawal: AdminWithdrawalView
  decisions: readonly Decision[]
}

function Details({ withdrawal, decisions }: DetailsProps) {
  const isOwn = decisions.length === 0 && openDecisions(withdrawal).some((decision) => decision !== "return")
  const byHand = decisions.includes("complete")
  const hold = holdSentence(withdrawal, new Date())
  return (
    <div className="grid gap-5">
      <AmountHead reais={withdrawal.amount}>
        <WithdrawalStatusBadge status={withdrawal.status} />
      </AmountHead>
      {isOwn && <p className="rounded-m border border-line-2 bg-s2 px-4 py-3 text-label">{adminTexts.ownWithdrawal}</p>}
      {hold !== "" && <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">{hold}</p>}
      {withdrawal.waitsBecause !== null && (
        <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">
          {waitReasons[withdrawal.waitsBecause]}
        </p>
      )}
      <ApprovalNote withdrawal={withdrawal} />
      <SettlementNote subject="withdrawal" settleable={withdrawal.settleable} said={withdrawal.handSettlement} />
      {byHand && <PayByHand withdrawal={withdrawal} />}
      <WithdrawalFacts withdrawal={withdrawal} withDestination={!byHand} />
      {withdrawal.facts !== null && <FactsList facts={withdrawal.facts} signals={signalsOf(withdrawal, new Date())} />}
      <div className="border-t border-line pt-5">
        <h3 className="mb-4 text-label font-semibold text-t2">Etapas</h3>
        <Steps steps={adminWithdrawalSteps(withdrawal)} />
      </div>
      <AuditLink subject="withdrawal" id={withdrawal._id} />
    </div>
  )
}

/** How far the approval by two is; nothing where one is enough. */
function ApprovalNote({ withdrawal: { firstApproval, approvalsNeeded, status } }: { withdrawal: AdminWithdrawalView }) {
  const adminId = useUser()?._id
  if (status !== "pending" || approvalsNeeded < 2) return null
  return (
    <p className="rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">
      {firstApproval === null
        ? "Este saque precisa da aprovação de dois administradores."
        : firstApproval.by._id === adminId
          ? `Você aprovou em ${formatDateTime(firstApproval.at)}. Aguarda a segunda pessoa até ${formatDateTime(firstApproval.expiresAt)}.`
          : `${firstApproval.by.name} aprovou em ${formatDateTime(firstApproval.at)}. Falta a sua aprovação, até ${formatDateTime(firstApproval.expiresAt)}.`}
    </p>
  )
}

interface DecisionsProps {
  decisions: readonly Decision[]
  onDecide: (decision: Decision) => void
}

function Decisions({ decisions, onDecide }: DecisionsProps) {
  return decisions.toReversed().map((decision) => (
    <Button
      key={decision}
      variant={decision === "reject" || decision === "return" ? "quiet-danger" : "primary"}
      onClick={() => onDecide(decision)}
    >
      {decisionWords[decision].verb}
    </Button>
  ))
}

interface FactsProps {
  withdrawal: AdminWithdrawalView
  withDestination: boolean
}

function WithdrawalFacts({ withdrawal, withDestination }: FactsProps) {
  const { user, pixKey, endToEndId, adminNotes, destinationId } = withdrawal
  const adminId = useUser()?._id
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Facts>
        <Fact term="Vendedor">{user.name}</Fact>
        <EmailFact email={user.email} />
        <Fact term="Solicitado em">{formatDateTime(withdrawal.createdAt)}</Fact>
        {withdrawal.processedAt !== null && <Fact term="Encerrado em">{formatDateTime(withdrawal.processedAt)}</Fact>}
        <Fact term="Método">{payoutMethodLabel(withdrawal.paymentMethod)}</Fact>
        {(withDestination ? wholeDestination(withdrawal) : [])
          .filter(({ value }) => value !== shownPixKey(withdrawal))
          .map(({ term, value }) => (
            <Fact key={term} term={term}>
              {value}
            </Fact>
          ))}
        <Fact term="De quem é o destino">
          {destinationOwnerLabels[withdrawal.owner]}
          {destinationId !== null && withdrawal.owner !== "own" && user._id !== adminId && (
            <button type="button" className={`${inlineLink} ml-2`} onClick={() => setIsAsking(true)}>
              Mudar
            </button>
          )}
        </Fact>
        {withdrawal.returnedAmount > 0 && <AmountFact term="De volta ao saldo" reais={withdrawal.returnedAmount} />}
        {adminNotes !== "" && (
          <Fact term={withdrawal.returnedAt === null ? "Observações" : "Motivo da devolução"}>{adminNotes}</Fact>
        )}
      </Facts>
      {((pixKey !== null && withDestination) || endToEndId !== null) && (
        <div className="grid gap-3">
          {pixKey !== null && withDestination && (
            <CopyableCode label="Chave Pix" code={pixKey} shown={shownPixKey(withdrawal)} />
          )}
          {endToEndId !== null && <CopyableCode label="ID do Pix (endToEndId)" code={endToEndId} />}
        </div>
      )}
      {isAsking && destinationId !== null && (
        <OwnerDialog withdrawal={withdrawal} destinationId={destinationId} onClose={() => setIsAsking(false)} />
      )}
    </>
  )
}
