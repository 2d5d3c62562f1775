import { createInboxWorker, type InboxDeps, type InboxWorker } from "#bank/psp-inbox/process"
import { webhookStore } from "#bank/psp-inbox/store"

/** A worker without capacity, so that stored webhooks stay in the table. */
export const noHands: Pick<InboxWorker, "capacity" | "take"> = { capacity: () => 0, take: () => undefined }

/** Stores a webhook that waits in the table, as after a restart. */
export function storeTestWebhook(deps: Pick<InboxDeps, "db" | "clock"> & { psp: { name: string } }, body: Buffer) {
  return webhookStore({ ...deps, worker: noHands })(body)
}

/** Processes the inbox with a new worker, like a process that has just started. */
export function processInbox(deps: InboxDeps): Promise<void> {
  return createInboxWorker(deps).workOff()
}
