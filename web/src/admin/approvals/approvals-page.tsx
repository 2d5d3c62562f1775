import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ApprovalView } from "@tilinta/contract/approvals"
import { useState } from "react"
import { adminTexts } from "#admin/admin-texts.ts"
import { inPending } from "#admin/section-tabs.tsx"
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
  const [opened, setOpened] = useState<ApprovalView | null>(null)
  const { agree, refuse } = useDecisions(() => setOpened(null))
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
              onAgree={() => setOpened(approval)}
              onRefuse={() => refuse.mutate(approval)}
            />
          ))}
        </ul>
      )}
      {opened !== null && (
        <AgreeDialog
          approval={opened}
          busy={agree.isPending}
          onConfirm={() => agree.mutate(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

function useDecisions(onAgreed: () => void) {
  const queryClient = useQueryClient()
  const fail = (error: unknown) => toast.error(messageOf(error, adminTexts.approvalNotDecided), detailOf(error))
  const settle = () => queryClient.invalidateQueries({ queryKey: ["admin"] })
  const agree = useMutation({
    mutationFn: agreeTo,
    onSuccess: (isDone) =>
      isDone
        ? toast.success(adminTexts.approvalGiven)
        : toast.error(adminTexts.approvalOutrun, adminTexts.waitsForAnother),
    onError: fail,
    onSettled: () => {
      onAgreed()
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
