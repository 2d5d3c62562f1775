import { ensurePspConnection, saveConnected } from "#bank/psp-inbox/connection"
import { createInboxWorker, type InboxDeps } from "#bank/psp-inbox/process"
import { webhookPath } from "#bank/psp-inbox/routes"
import { webhookStore } from "#bank/psp-inbox/store"
import { reconcileReceipts } from "#bank/reconciliation/reconcile"
import { invariant } from "#kit/errors"
import type { Logger } from "#kit/log"
import { requireWordToLeave, warnOfLostBanks } from "#overviews/system-status/status"
import { connectByName, connectFormer, connectSimulator } from "#psp/connect-psp"
import type { Psp } from "#psp/psp"
import { createContactRecorder, watchPsp } from "#psp/watched-psp"
import type { Bank, ConnectedBank, Parts, Site } from "./deps.ts"
import type { Env } from "./env.ts"
import type { SharedParts, Starting } from "./shared-parts.ts"

interface Providers {
  /** Null for the sandbox's, which isn't started yet. */
  bank: Psp | null
  former: Psp | null
}

/** Missing variables of a bank end the start. */
export function connectProviders(env: Env, log: Logger): Providers {
  return {
    bank: connectByName[env.pixProvider]?.(env.pix, log) ?? null,
    former: connectFormer(env.formerBank, { provider: env.pixProvider, pix: env.pix }, log),
  }
}

/** Its `stop` is called together with that of the routes and jobs, which wait for each other. */
export async function openBank(
  { env, log, clock }: Starting,
  { storage, site }: Pick<Parts, "storage" | "site">,
  providers: Providers,
  simulator: SharedParts["simulator"],
): Promise<Bank> {
  const db = storage.pools.lookupDb
  const contactNotes = createContactRecorder(clock)
  const psp = watchPsp(providers.bank ?? connectSandbox(env, simulator, log), contactNotes)
  const present = await openInbox({ db, psp, clock, log })

  // The former bank's webhooks still come in, and its receipts are still booked.
  const connected = providers.former === null ? [psp.name] : [psp.name, providers.former.name]
  await requireWordToLeave(db, { connected, leaving: env.leavesBank })
  await saveConnected(db, connected)
  await warnOfLostBanks({ db, log })
  const former = providers.former === null ? null : await openInbox({ db, psp: providers.former, clock, log })
  return {
    ...present,
    storeWebhook: (body) => present.storeWebhook(body).then(contactNotes.webhookReceived),
    contactNotes,
    webhookUrl: `${reachableUrl(env, site)}${webhookPath(psp.name, present.webhookSecret)}`,
    former,
    stop: () => Promise.all([present.inbox.stop(), former?.inbox.stop()]),
  }
}

async function openInbox(deps: InboxDeps): Promise<ConnectedBank> {
  const { psp } = deps
  const { webhookSecret } = await ensurePspConnection(deps, psp.name)
  const inbox = createInboxWorker(deps)
  return {
    psp,
    provider: psp.name,
    webhookSecret,
    storeWebhook: webhookStore({ ...deps, worker: inbox }),
    inbox,
    reconcileReceipts: () => reconcileReceipts(deps),
  }
}

function connectSandbox(env: Env, simulator: SharedParts["simulator"], log: Logger): Psp {
  invariant(simulator !== null, "without a bank there is a simulator")
  const psp = connectSimulator({ ...env.simulator, ...simulator }, log)
  return env.simulator.sendsPayouts ? psp : { ...psp, payouts: null }
}

/** Our own simulator reaches the server locally; a bank elsewhere needs the public address. */
function reachableUrl(env: Env, { port, publicUrl }: Site): string {
  if (env.pixProvider !== "simulator" || env.simulator.url !== null) return publicUrl
  const host = env.host === "0.0.0.0" ? "127.0.0.1" : env.host === "::" ? "::1" : env.host
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}
