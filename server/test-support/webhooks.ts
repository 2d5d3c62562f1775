import { createInboxWorker, type InboxWorker } from "#domain/bank/psp-inbox/inbox-worker"
import type { InboxDeps } from "#domain/bank/psp-inbox/process-messages"
import { webhookStore } from "#domain/bank/psp-inbox/store-webhook"

/** Leaves all that is stored in the table. */
export const noHands: Pick<InboxWorker, "room" | "take"> = { room: () => 0, take: () => undefined }

/** What a webhook told waits in the table, as after a restart. */
export function tellWebhook(deps: Pick<InboxDeps, "db" | "clock"> & { psp: { name: string } }, body: Buffer) {
  return webhookStore({ ...deps, worker: noHands })(body)
}

/** As a process that has just started. */
export function processInbox(deps: InboxDeps): Promise<void> {
  return createInboxWorker(deps).workOff()
}
