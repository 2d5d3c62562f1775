import type { Db, SoleDb, Tx } from "#db/transaction"
import { ensurePspConnection } from "#domain/bank/psp-inbox/psp-connection"
import { countSellers } from "#domain/people/users/count-sellers"
import { ensureFirstAdmin } from "#domain/people/users/ensure-first-admin"
import { listActiveAdmins } from "#domain/people/users/list-active-admins"
import { recordAudit } from "#domain/platform/audit/record-audit"
import { wasRecorded } from "#domain/platform/audit/was-recorded"
import { createOpeningCounter } from "#domain/platform/openings/opening-counter"
import { createChargeSteps } from "#domain/selling/charges/charge-steps"
import { openPayerTokens } from "#domain/selling/charges/open-payer-tokens"
import { invariant } from "#kit/invariant"
import type { Logger } from "#kit/log"
import { StartError } from "#kit/start-error"
import { createOutboxMailer } from "#mail/outbox-mailer"
import type { Psp } from "#psp/psp"
import type { Agenda } from "./agenda.ts"
import { playStory } from "./play-story.ts"
import type { SandboxBank } from "./sandbox-bank.ts"
import { createLuck } from "./seeded-luck.ts"

interface Filling {
  db: SoleDb
  psp: Psp
  log: Logger
  agenda: Agenda
  bank: SandboxBank
  start: Date
  end: Date
  admin: { email: string; password: string }
  sellersPassword: string
  publicUrl: string
}

const demo = { entity: "demo", entityId: "demo" } as const
const seed = 20_250_607

/** True when the demo still has to be filled in. Throws when the database contains other data. */
export async function isToBeFilled(db: Db): Promise<boolean> {
  if (await wasRecorded(db, { ...demo, action: "demo.filled" })) return false
  if (await wasRecorded(db, { ...demo, action: "demo.begun" })) {
    throw new StartError(
      "A demonstração foi interrompida enquanto era preenchida: apague a pasta dela (DATA_DIR) e comece de novo.",
    )
  }
  if ((await countSellers(db)) === 0) return true
  throw new StartError(
    "Este banco de dados já tem vendedores, e a demonstração nunca se mistura com eles: use outra pasta em DATA_DIR (e tire DATABASE_URL).",
  )
}

export async function fillDemo(filling: Filling): Promise<void> {
  const { db, psp, log, agenda, bank, start, end, publicUrl } = filling
  const deps = { db, chargeSteps: createChargeSteps(db), psp, log, clock: agenda.clock, protection: "relaxed" } as const
  await db.transaction().execute((tx) => note(tx, "demo.begun", start))
  await ensureFirstAdmin(deps, filling.admin)
  const [adminId] = await listActiveAdmins(db)
  invariant(adminId !== undefined, "no active admin")
  await ensurePspConnection(deps, psp.name)
  const openings = createOpeningCounter(deps)
  const admin = { id: adminId, address: null }
  const story = { deps, agenda, luck: createLuck(seed), bank, openings, admin, start, end }
  const payerTokens = await openPayerTokens({ db: deps.db, protection: "relaxed" })
  const mail = { mailer: createOutboxMailer(deps), publicUrl, payersUrl: publicUrl, payerTokens }
  await playStory({ ...story, password: filling.sellersPassword }, mail)
  await db.transaction().execute((tx) => note(tx, "demo.filled", end))
}

async function note(tx: Tx, action: "demo.begun" | "demo.filled", now: Date): Promise<void> {
  await recordAudit(tx, { ...demo, actor: null, happenedAt: now, action, before: null, after: null })
}
