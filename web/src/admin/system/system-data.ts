import { queryOptions } from "@tanstack/react-query"
import type {
  getSystemStatusEndpoint,
  requestBackupEndpoint,
  requestLedgerCheckEndpoint,
  retryInboxMessageEndpoint,
  retryMailEndpoint,
  runJobEndpoint,
  SystemStatusView,
} from "@tilinta/contract/api/system-endpoints"
import type { JobByHand } from "@tilinta/contract/vocabulary/jobs"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"

const path = "/api/v1/admin/system"
const getStatus = leanEndpoint<typeof getSystemStatusEndpoint>("GET", path)
const retryMessage = leanEndpoint<typeof retryInboxMessageEndpoint>("PATCH", `${path}/inbox-messages/:id/retry`)
const retryOneMail = leanEndpoint<typeof retryMailEndpoint>("PATCH", `${path}/mails/:id/retry`)
const runOneJob = leanEndpoint<typeof runJobEndpoint>("PATCH", `${path}/jobs/:name/run`)
const requestCheck = leanEndpoint<typeof requestLedgerCheckEndpoint>("POST", `${path}/ledger-checks`)
const requestBackup = leanEndpoint<typeof requestBackupEndpoint>("POST", `${path}/backups`)

const refreshMs = 5_000
const checkingMs = 1_500

export const systemQuery = queryOptions({
  queryKey: ["admin", "system"],
  queryFn: async ({ signal }) => (await call(getStatus, { signal })).data,
  refetchInterval: ({ state }) => (isAtWork(state.data) ? checkingMs : refreshMs),
})

function isAtWork(status: SystemStatusView | undefined): boolean {
  return status !== undefined && (status.ledgerCheck.isRunning || status.backup.isRunning)
}

/** Actions that an admin may start; each answers with the message to show. */
export type SystemAction =
  | { kind: "message"; id: string }
  | { kind: "mail"; id: string }
  | { kind: "job"; name: JobByHand }
  | { kind: "check" }
  | { kind: "backup" }

export async function act(action: SystemAction): Promise<string> {
  switch (action.kind) {
    case "message":
      return (await call(retryMessage, { params: { id: action.id } })).message
    case "mail":
      return (await call(retryOneMail, { params: { id: action.id } })).message
    case "job":
      return (await call(runOneJob, { params: { name: action.name } })).message
    case "check":
      return (await call(requestCheck)).message
    case "backup":
      return (await call(requestBackup)).message
  }
}
