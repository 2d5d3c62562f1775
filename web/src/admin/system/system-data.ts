import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import * as heads from "@tilinta/contract/heads"
import type { SystemStatusView } from "@tilinta/contract/system"
import type { JobName } from "@tilinta/contract/vocabulary/system"
import { adminTexts } from "#admin/admin-texts.ts"
import { detailOf, messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { toast } from "#ui/toast.ts"

const refreshMs = 5_000
const checkingMs = 1_500

export const systemQuery = queryOptions({
  queryKey: ["admin", "system"],
  queryFn: async ({ signal }) => (await call(heads.getSystemStatus, { signal })).data,
  refetchInterval: ({ state }) => (isAtWork(state.data) ? checkingMs : refreshMs),
})

function isAtWork(status: SystemStatusView | undefined): boolean {
  return status !== undefined && (status.ledgerCheck.isRunning || status.backup.isRunning)
}

/** Actions that an admin may start; each answers with the message to show. */
type SystemAction =
  | { kind: "message"; id: string }
  | { kind: "mail"; id: string }
  | { kind: "job"; name: JobName }
  | { kind: "check" }
  | { kind: "backup" }

async function act(action: SystemAction): Promise<string> {
  switch (action.kind) {
    case "message":
      return (await call(heads.retryInboxMessage, { params: { id: action.id } })).message
    case "mail":
      return (await call(heads.retryMail, { params: { id: action.id } })).message
    case "job":
      return (await call(heads.runJob, { params: { name: action.name } })).message
    case "check":
      return (await call(heads.requestLedgerCheck)).message
    case "backup":
      return (await call(heads.requestBackup)).message
  }
}

export interface SystemActions {
  start(action: SystemAction): void
  isBusy: boolean
}

export interface PartProps {
  status: SystemStatusView
  /** The server's clock: a device that is wrong by minutes would see trouble everywhere. */
  now: Date
  actions: SystemActions
}

/** Reports the outcome and refreshes what it changed. */
export function useSystemAction(): SystemActions {
  const queryClient = useQueryClient()
  const action = useMutation({
    mutationFn: act,
    onSuccess: (message) => toast.success(message),
    onError: (error) => toast.error(messageOf(error, adminTexts.systemActionFailed), detailOf(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: systemQuery.queryKey }),
  })
  return { start: (input) => action.mutate(input), isBusy: action.isPending }
}
