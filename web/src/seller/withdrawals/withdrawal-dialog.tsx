import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import { ownerAlone } from "@tilinta/contract/vocabulary/team"
import { isDecidable } from "@tilinta/contract/vocabulary/withdrawals"
import type { WithdrawalView } from "@tilinta/contract/withdrawals"
import { useState } from "react"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { fetchBlob, saveFile } from "#api/download.ts"
import { useMay } from "#api/session.ts"
import { formatDateTime, saoPauloDay } from "#format/dates.ts"
import { formatReais } from "#format/money-text.ts"
import { holdSentence, methodLabels, wholeDestination } from "#format/withdrawal-texts.ts"
import * as sellerTexts from "#seller/seller-texts.ts"
import { Reais } from "#ui/amounts.tsx"
import { isTouch } from "#ui/browser-hooks.ts"
import { Button } from "#ui/button.tsx"
import { QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { Dialog } from "#ui/dialog.tsx"
import { AmountHead, CopyableCode } from "#ui/facts.tsx"
import { MoreButton } from "#ui/list-screen.tsx"
import { OpenedRow } from "#ui/opened-row.tsx"
import { inlineLink } from "#ui/page-title.tsx"
import { Steps } from "#ui/steps.tsx"
import { toast } from "#ui/toast.ts"
import { CancelWithdrawalDialog } from "./cancel-withdrawal-dialog.tsx"
import { withdrawalSteps } from "./withdrawal-steps.ts"
import { withdrawalQuery, withdrawalsKey, withdrawnSalesQuery } from "./withdrawals-data.ts"
import { WithdrawalStatusBadge } from "./withdrawals-summary.tsx"

/** The sales since the withdrawal before this one, each with its fee. */
export function WithdrawnSales({ id }: { id: string }) {
  const list = useInfiniteQuery(withdrawnSalesQuery(id))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  if (list.isPending) return <RowsSkeleton rows={3} label="Carregando vendas" />
  if (list.isError && rows.length === 0) {
    return <QueryFailure query={list} failed={sellerTexts.withdrawnSalesFailed} />
  }
  if (rows.length === 0) return <p className="text-label text-t2">Nenhuma venda entrou desde o saque anterior.</p>
  return (
    <>
      <ul className="grid divide-y divide-line text-label">
        {rows.map(({ kind, reference, at, description, pageTitle, amount }) => (
          <li key={`${kind} ${reference}`} className="flex items-baseline justify-between gap-4 py-2">
            <span className="min-w-0 break-words">
              {kind === "sale" ? (pageTitle ?? description) : description}
              {kind === "sale" && <span className="block text-meta text-t3 tabular-nums">{formatDateTime(at)}</span>}
            </span>
            <span className={`whitespace-nowrap tabular-nums ${amount > 0 ? "font-semibold" : "text-t2"}`}>
              <Reais>{amount}</Reais>
            </span>
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="">
        {list.isFetchingNextPage ? "Carregando..." : "Mostrar mais"}
      </MoreButton>
    </>
  )
}

/** A PDF to print, and on a phone to pass on. */
function ReceiptButtons({ withdrawal: { _id: id, processedAt, createdAt } }: { withdrawal: WithdrawalView }) {
  const name = `comprovante_saque_${saoPauloDay(new Date(processedAt ?? createdAt))}.pdf`
  const receipt = useMutation({
    mutationFn: async (give: (file: File) => unknown) => {
      const blob = await fetchBlob(heads.getWithdrawalReceipt, { params: { id } })
      await give(new File([blob], name, { type: "application/pdf" }))
    },
    onError: (error) => {
      // Closing the list of apps shares nothing, and is no failure.
      if (!(error instanceof DOMException)) toast.error(messageOf(error, sellerTexts.receiptFailed), detailOf(error))
    },
  })
  const share = (file: File) => navigator.share({ files: [file], title: "Comprovante de saque" })
  return (
    <>
      {canShareFiles() && (
        <Button icon="share" disabled={receipt.isPending} onClick={() => receipt.mutate(share)}>
          Compartilhar comprovante
        </Button>
      )}
      <Button
        icon="download"
        disabled={receipt.isPending}
        onClick={() => receipt.mutate((file) => saveFile(file, name))}
      >
        Baixar comprovante
      </Button>
    </>
  )
}

/** A page that anybody checks, to open or to send; nothing while it can't be signed. */
function ReceiptLinks({ id }: { id: string }) {
  const signed = useQuery({
    queryKey: [...withdrawalsKey, "receipt", id],
    queryFn: async ({ signal }) => (await call(heads.getWithdrawalProof, { params: { id }, signal })).data,
  })
  if (signed.data === undefined) return null
  const { amount, receiver, paidAt, verifyUrl } = signed.data
  const text = `Comprovante de ${formatReais(amount)}. ${receiver}, pago em ${formatDateTime(paidAt)}. Confira se é verdadeiro: ${verifyUrl}`
  return (
    <p className="mt-4 flex flex-wrap gap-x-6 text-label">
      <a className={inlineLink} href={verifyUrl} target="_blank" rel="noreferrer">
        Ver o comprovante
      </a>
      <a
        className={inlineLink}
        href={`https://wa.me/?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noreferrer"
      >
        Enviar no WhatsApp
      </a>
    </p>
  )
}

function canShareFiles(): boolean {
  const file = new File([""], "comprovante.pdf", { type: "application/pdf" })
  return isTouch() && (navigator.canShare?.({ files: [file] }) ?? false)
}

export function WithdrawalDialog({ withdrawal, onClose }: { withdrawal: WithdrawalView; onClose: () => void }) {
  const [cancelling, setCancelling] = useState(false)
  const mayCancel = useMay(ownerAlone)
  const [showsSales, setShowsSales] = useState(false)
  const hold = holdSentence(withdrawal, new Date())
  const facts = [
    { term: "Método", value: methodLabels[withdrawal.paymentMethod] },
    ...wholeDestination(withdrawal),
    ...(withdrawal.returnedAmount === 0
      ? []
      : [{ term: "De volta ao seu saldo", value: formatReais(withdrawal.returnedAmount) }]),
  ]
  return (
    <>
      <Dialog
        title="Saque"
        onClose={onClose}
        footer={
          mayCancel && isDecidable(withdrawal.status) ? (
            <Button variant="quiet-danger" onClick={() => setCancelling(true)}>
              Cancelar saque
            </Button>
          ) : withdrawal.status === "completed" ? (
            <ReceiptButtons withdrawal={withdrawal} />
          ) : undefined
        }
      >
        <AmountHead reais={withdrawal.amount}>
          <WithdrawalStatusBadge status={withdrawal.status} />
        </AmountHead>
        {hold !== "" && <p className="mt-5 rounded-m border border-line-2 bg-amber-bg px-4 py-3 text-label">{hold}</p>}
        <dl className="mt-5 grid gap-2 border-t border-line pt-4 text-label">
          {facts.map(({ term, value }) => (
            <div key={term} className="flex justify-between gap-6">
              <dt className="flex-none text-t3">{term}</dt>
              <dd className="min-w-0 text-right font-semibold wrap-anywhere tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {withdrawal.endToEndId !== null && (
          <div className="mt-4">
            <CopyableCode label="ID do Pix (endToEndId)" code={withdrawal.endToEndId} />
          </div>
        )}
        {withdrawal.status === "completed" && <ReceiptLinks id={withdrawal._id} />}
        <h3 className="mt-5 mb-4 border-t border-line pt-5 text-label font-semibold text-t2">Etapas</h3>
        <Steps steps={withdrawalSteps(withdrawal)} />
        <details
          className="mt-5 border-t border-line pt-3"
          onToggle={({ currentTarget }) => setShowsSales(currentTarget.open)}
        >
          <summary className="flex min-h-11 cursor-pointer items-center text-label font-semibold text-t2">
            Vendas deste saque
          </summary>
          {showsSales && <WithdrawnSales id={withdrawal._id} />}
        </details>
      </Dialog>
      {cancelling && <CancelWithdrawalDialog withdrawal={withdrawal} onClose={() => setCancelling(false)} />}
    </>
  )
}

/** For screens that know only its id. */
export function WithdrawalById({ id, onClose }: { id: string; onClose: () => void }) {
  const opened = useQuery(withdrawalQuery(id))
  if (opened.data !== undefined) return <WithdrawalDialog withdrawal={opened.data} onClose={onClose} />
  return (
    <Dialog title="Saque" onClose={onClose}>
      <OpenedRow query={opened} waiting="Carregando saque" failed={sellerTexts.withdrawalFailed}>
        {() => null}
      </OpenedRow>
    </Dialog>
  )
}
