import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ApprovalView } from "@tilinta/contract/approvals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inPending } from "#admin/section-tabs.tsx"
import { doubtOf } from "#admin/withdrawals/withdrawals-data.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { useUser } from "#api/session.ts"
import { Card, EmptyState, QueryFailure, RowsSkeleton } from "#ui/card.tsx"
import { ScreenHead } from "#ui/tabs.tsx"
import { toast } from "#ui/toast.ts"
import { AgreeDialog, ApprovalCard } from "./approval-card.tsx"
import { agreeTo, approvalsQuery, refuseApproval } from "./approvals-data.ts"

export function ApprovalsPage() {
  const list = useQuery(approvalsQuery)
  const userId = useUser()?._id
  const [opened, setOpened] = useState<Opened | null>(null)
  const { agree, refuse } = useDecisions(setOpened)
  const approvals = list.data?.approvals ?? []
  return (
    <>
      <ScreenHead {...inPending} title="Aprovações" intro="O que só vale quando dois administradores querem o mesmo." />
      <QueryFailure query={list} failed={adminTexts.approvalsFailed} />
      {list.isPending && (
        <Card className="p-2 pt-4">
          <RowsSkeleton rows={3} label="Carregando aprovações" />
        </Card>
      )}
      {list.isSuccess && approvals.length === 0 && (
        <Card className="p-2">
          <EmptyState icon="check" title={adminTexts.noApprovals}>
            Saques grandes, dinheiro creditado por uma pessoa, administradores, e-mails, taxa e travas passam por aqui
            quando a proteção é estrita.
          </EmptyState>
        </Card>
      )}
      {approvals.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {approvals.map((approval) => (
            <ApprovalCard
              key={approval._id}
              approval={approval}
              isOwn={approval.askedBy._id === userId}
              busy={agree.isPending || refuse.isPending}
              onAgree={() => setOpened({ approval, doubt: null })}
              onRefuse={() => refuse.mutate(approval)}
            />
          ))}
        </ul>
      )}
      {opened !== null && (
        <AgreeDialog
          {...opened}
          busy={agree.isPending}
          onConfirm={() => agree.mutate({ approval: opened.approval, checked: opened.doubt !== null })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

interface Opened {
  approval: ApprovalView
  /** Why somebody looks at the bank before they agree. */
  doubt: string | null
}

function doubtAbout({ act }: ApprovalView, refusal: unknown): string | null {
  return act === "withdrawal.return" ? doubtOf(refusal) : null
}

function useDecisions(onAnswered: (opened: Opened | null) => void) {
  const queryClient = useQueryClient()
  const fail = (error: unknown) => toast.error(messageOf(error, adminTexts.approvalNotDecided), detailOf(error))
  const settle = () => queryClient.invalidateQueries({ queryKey: ["admin"] })
  const agree = useMutation({
    mutationFn: agreeTo,
    onSuccess: (isDone) =>
      isDone
        ? toast.success(adminTexts.approvalGiven)
        : toast.error(adminTexts.approvalOutrun, adminTexts.waitsForAnother),
    onError: (error, { approval }) => {
      if (doubtAbout(approval, error) === null) fail(error)
    },
    onSettled: (_isDone, error, { approval }) => {
      const doubt = doubtAbout(approval, error)
      onAnswered(doubt === null ? null : { approval, doubt })
      return settle()
    },
  })
  const refuse = useMutation({
    mutationFn: ({ _id }: ApprovalView) => refuseApproval(_id),
    onSuccess: ({ message }) => toast.success(message),
    onError: fail,
    onSettled: settle,
  })
  return { agree, refuse }
}
