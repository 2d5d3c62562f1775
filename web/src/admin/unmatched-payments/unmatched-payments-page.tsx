import { getRouteApi } from "@tanstack/react-router"
import type { HandSettlementView } from "@tilinta/contract/fields"
import type { AdminRefundView } from "@tilinta/contract/refunds"
import type { UnmatchedPaymentView, UnreadableEntryView } from "@tilinta/contract/unmatched-payments"
import { differenceKindLabels } from "@tilinta/contract/vocabulary/books"
import { unmatchedPaymentReasons } from "@tilinta/contract/vocabulary/transactions"
import { useCallback, useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inPending } from "#admin/section-tabs.tsx"
import { formatDateTime } from "#format/dates.ts"
import { countOf } from "#format/money-text.ts"
import { Button } from "#ui/button.tsx"
import { CopyButton } from "#ui/copy-button.tsx"
import { lazyDialog } from "#ui/lazy-part.tsx"
import { isFiltered, ListFilters } from "#ui/list-filters.tsx"
import { ListScreen, NoRows, useListPage } from "#ui/list-screen.tsx"
import { wordOf } from "#ui/list-search.ts"
import { creditedSeller, type Decision, pageSize, unmatchedKey, unmatchedQuery } from "./unmatched-data.ts"
import { UnmatchedCards, UnmatchedTable } from "./unmatched-table.tsx"

const CloseEntryDialog = lazyDialog(() => import("./close-entry-dialog.tsx"), "CloseEntryDialog")

/** Shown above the list: no balance holds this money until a person has looked it up at the bank. */
export function UnreadableEntries({ entries }: { entries: readonly UnreadableEntryView[] }) {
  const [closing, setClosing] = useState<UnreadableEntryView | null>(null)
  if (entries.length === 0) return null
  return (
    <section aria-labelledby="unreadable-title" className="rounded-l border border-line-2 bg-amber-bg px-5 py-4">
      <h2 id="unreadable-title" className="font-[650]">
        {countOf(entries.length, "lançamento do banco que não pudemos ler", "lançamentos do banco que não pudemos ler")}
      </h2>
      <p className="mt-1 text-label text-t2">
        {entries.length === 1
          ? "Não está em nenhum saldo. Procure-o no banco pelo identificador; se o banco o corrigir, ele é registrado sozinho e sai daqui; se não, encerre-o com o motivo."
          : "Não estão em nenhum saldo. Procure cada um no banco pelo identificador; os que o banco corrigir são registrados sozinhos e saem daqui; encerre os outros com o motivo."}
      </p>
      <ul className="mt-3 grid gap-2">
        {entries.map((entry) => (
          <li key={entry._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 text-label">
            <b className="font-[600]">{differenceKindLabels[entry.kind]}</b>
            <span className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 text-meta break-all">{entry.reference}</code>
              <CopyButton
                text={entry.reference}
                label="Copiar identificador"
                title="Copiar identificador"
                done="Identificador copiado"
                failed="Não foi possível copiar o identificador"
              />
            </span>
            <span className="text-t2">
              {entry.amountText === "" ? "sem valor" : `valor “${entry.amountText}”`} ·{" "}
              {formatDateTime(entry.happenedAt)}
            </span>
            <Button
              className="ml-auto"
              aria-label={`Encerrar lançamento ${entry.reference}`}
              onClick={() => setClosing(entry)}
            >
              Encerrar
            </Button>
          </li>
        ))}
      </ul>
      {closing !== null && <CloseEntryDialog entry={closing} onClose={() => setClosing(null)} />}
    </section>
  )
}

const UnmatchedDialog = lazyDialog(() => import("./unmatched-dialog.tsx"), "UnmatchedDialog")
const DecisionDialog = lazyDialog(() => import("./unmatched-payment-decision-dialog.tsx"), "DecisionDialog")
const SettleDialog = lazyDialog(() => import("../hand-settlements/settle-dialog.tsx"), "SettleDialog")

/** A question shown over the open payment. */
type Question =
  | { about: "decision"; decision: Decision; payment: UnmatchedPaymentView }
  | { about: "refund"; refund: AdminRefundView; payment: UnmatchedPaymentView; confirms: HandSettlementView | null }

interface Props {
  openId: string | undefined
  rows: readonly UnmatchedPaymentView[]
  onClose: () => void
}

export function UnmatchedDialogs({ openId, rows, onClose }: Props) {
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  return (
    <>
      {openId !== undefined && (
        <UnmatchedDialog
          key={openId}
          id={openId}
          listed={rows.find(({ _id }) => _id === openId)}
          onDecide={(decision, payment) => setQuestion({ about: "decision", decision, payment })}
          onSettle={(action, refund, payment) => {
            const confirms = action === "confirm" ? refund.handSettlement : null
            setQuestion({ about: "refund", refund, payment, confirms })
          }}
          onClose={onClose}
        />
      )}
      {question?.about === "decision" && (
        <DecisionDialog decision={question.decision} payment={question.payment} onClose={close} />
      )}
      {question?.about === "refund" && (
        <SettleDialog
          subject="refund"
          id={question.refund._id}
          amount={question.refund.amount}
          seller={creditedSeller(question.payment)?.name ?? null}
          confirms={question.confirms}
          listKey={unmatchedKey}
          onClose={close}
        />
      )}
    </>
  )
}

const statusOptions = [
  { word: "resolved", label: "Conferidos" },
  { word: "all", label: "Todos" },
] as const

const route = getRouteApi("/session/admin/unmatched-payments")
const refreshMs = 15_000

export function UnmatchedPaymentsPage() {
  const { payment: openId, page = 1, reason, ...others } = route.useSearch()
  const criteria = { ...others, reason: wordOf(reason, unmatchedPaymentReasons) }
  const { list, set, filter, screen } = useListPage(route, {
    query: unmatchedQuery(page, criteria),
    refreshMs,
    failed: adminTexts.unmatchedFailed,
    waiting: { rows: 6, label: "Carregando pagamentos a conferir" },
    paging: { page, perPage: pageSize },
  })
  const clear = useCallback(() => filter({ status: undefined, reason: undefined, search: undefined }), [filter])
  const rows = list.data?.data.payments ?? []
  return (
    <ListScreen
      {...inPending}
      title="Pagamentos a conferir"
      intro="Pix que chegaram de um jeito inesperado: uma pessoa decide se ficam ou voltam."
      {...screen}
      summary={
        <>
          <UnreadableEntries entries={list.data?.data.unreadable ?? []} />
          <UnmatchedCards criteria={criteria} onChoose={(reason) => filter({ reason })} />
        </>
      }
      filters={
        // Reasons are filtered by their cards.
        <ListFilters
          searchLabel="Buscar por vendedor, txid ou ID do pagamento"
          value={criteria}
          none="A conferir"
          options={statusOptions}
          onChange={filter}
          onClear={clear}
          hidesMore={criteria.reason !== undefined}
          timeless
        />
      }
    >
      {rows.length > 0 && <UnmatchedTable rows={rows} dimmed={list.isPlaceholderData} />}
      {list.isSuccess && rows.length === 0 && (
        <NoRows
          filtered={isFiltered(criteria) || criteria.reason !== undefined || page > 1}
          onClear={clear}
          title={adminTexts.noUnmatched}
          filteredTitle="Nenhum pagamento encontrado"
          icon="check"
        >
          Tudo o que chegou foi reconhecido e creditado.
        </NoRows>
      )}
      <UnmatchedDialogs openId={openId} rows={rows} onClose={() => set({ payment: undefined })} />
    </ListScreen>
  )
}
