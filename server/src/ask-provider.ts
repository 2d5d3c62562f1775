import type { Db } from "#db/transaction"
import { findBookedReceipts } from "#domain/money/payments/find-booked"
import { secondsAfter } from "#kit/clock"
import { createLog } from "#kit/log"
import { addCents, type Cents, noMoney, reaisText } from "@tilinta/contract/vocabulary/money"
import { findWithdrawalsOfPayouts } from "#money/withdrawals/operator-reads"
import { connectByName, connectSimulator } from "#psp/connect-psp"
import { type Psp, PspError, type PspWindow } from "#psp/psp"
import type { Env } from "./env.ts"
import { withOwnSimulator } from "./own-simulator.ts"

/** The provider may have received it before the backup and told of it afterwards. */
const overlapSeconds = 3600

type ProviderEnv = Pick<Env, "dataDir" | "pixProvider" | "pix" | "simulator">

/** Tells how much newer the provider is than a backup. */
export async function askProvider(
  env: ProviderEnv,
  db: Db,
  takenAt: Date,
  tell: (line: string) => void,
): Promise<void> {
  const psp = connect(env)
  if (psp !== null) return compare(psp, db, takenAt, tell)
  const isAsked = await withOwnSimulator(env, (simulator) =>
    compare(connectSimulator({ ...env.simulator, ...simulator }, createLog("silent")), db, takenAt, tell),
  )
  if (!isAsked) tell(`Não há banco simulado em DATA_DIR (${env.dataDir}) para dizer o que recebeu depois do backup.`)
}

async function compare(psp: Psp, db: Db, takenAt: Date, tell: (line: string) => void): Promise<void> {
  const window = { from: secondsAfter(takenAt, -overlapSeconds), to: new Date() }
  try {
    const received = await unknownReceipts(psp, db, window)
    tell(
      `O banco recebeu depois do backup: ${received.count} Pix, ${reaisText(received.cents)} (a conciliação os traz).`,
    )
    const paid = await unknownPayouts(psp, db, window)
    if (paid === null) return
    tell(
      `O banco enviou sem que o backup saiba: ${paid.count} Pix, ${reaisText(paid.cents)} (veja o fechamento diário).`,
    )
  } catch (error) {
    if (!(error instanceof PspError)) throw error
    tell(`O banco não respondeu: ${error.message}.`)
  }
}

function connect({ pixProvider, pix, simulator }: ProviderEnv): Psp | null {
  const log = createLog("silent")
  const bank = connectByName[pixProvider]?.(pix, log)
  if (bank !== undefined) return bank
  const { url, receiverKey } = simulator
  return url === null || receiverKey === null ? null : connectSimulator({ ...simulator, url, receiverKey }, log)
}

interface Found {
  count: number
  cents: Cents
}

const nothing: Found = { count: 0, cents: noMoney }

async function unknownReceipts(psp: Psp, db: Db, window: PspWindow): Promise<Found> {
  let found = nothing
  for await (const page of psp.listReceipts(window)) {
    const ids = page.map(({ endToEndId }) => endToEndId)
    const booked = await findBookedReceipts(db, ids)
    found = withMore(
      found,
      page.filter(({ endToEndId }) => !booked.has(endToEndId)),
    )
  }
  return found
}

/** Null where the provider's API has no payouts. */
async function unknownPayouts({ payouts }: Psp, db: Db, window: PspWindow): Promise<Found | null> {
  if (payouts === null) return null
  let found = nothing
  for await (const page of payouts.list(window)) {
    const ids = page.flatMap(({ payoutId }) => (payoutId === null ? [] : [payoutId]))
    const known = await findWithdrawalsOfPayouts(db, ids)
    const gone = page.filter(({ state, payoutId }) => state !== "refused" && !known.has(payoutId ?? ""))
    found = withMore(found, gone)
  }
  return found
}

function withMore({ count, cents }: Found, more: { amountCents: Cents | null }[]): Found {
  const sum = more.reduce((total, { amountCents }) => addCents(total, amountCents ?? noMoney), cents)
  return { count: count + more.length, cents: sum }
}
