import type { MoneyKind } from "@tilinta/contract/vocabulary/system"
import type { Db, Tx } from "#db/transaction"
import { type Clock, saoPauloDay, secondsAfter } from "#kit/clock"
import { invariant, StartError } from "#kit/errors"
import { findMoneyKind, holdsNewMessages, listNodesSeenSince, type ServerNode } from "./reads.ts"
import { addOpenings, deleteNodesSeenBefore, insertMoneyKindOnce, type Openings, upsertNode } from "./table.ts"

/** A node reports several times within this period; a silent one counts as gone. */
const ALIVE_SECONDS = 60

export async function recordHeartbeat(tx: Tx, node: ServerNode, now: Date): Promise<void> {
  await upsertNode(tx, node, now)
  await deleteNodesSeenBefore(tx, secondsAfter(now, -ALIVE_SECONDS))
}

export function listNodes(db: Db, now: Date): Promise<ServerNode[]> {
  return listNodesSeenSince(db, secondsAfter(now, -ALIVE_SECONDS))
}

/**
 * Decides at the first start which kind of money this database holds, and refuses every later start with another kind:
 * balances don't say what filled them, so test money would be paid out as real.
 */
export async function ensureMoneyKind({ db, clock }: { db: Db; clock: Clock }, wanted: MoneyKind): Promise<void> {
  await db.transaction().execute((tx) => insertMoneyKindOnce(tx, wanted, clock.now()))
  const held = await findMoneyKind(db)
  invariant(held !== null, "the database has no kind of money")
  if (held !== wanted) throw new StartError(refusalOf(held, wanted))
}

const nameOf: Record<MoneyKind, string> = {
  sandbox: "dinheiro de teste do simulador",
  homologation: "dinheiro de teste do ambiente de homologação de um banco",
  real: "dinheiro real",
}

const settingsOf: Record<MoneyKind, string> = {
  sandbox: "PIX_PROVIDER=simulator",
  homologation: "o nome do banco em PIX_PROVIDER e PIX_ENVIRONMENT=homologacao",
  real: "o nome do banco em PIX_PROVIDER e PIX_ENVIRONMENT=producao",
}

function refusalOf(held: MoneyKind, wanted: MoneyKind): string {
  const variable = held === "sandbox" || wanted === "sandbox" ? "PIX_PROVIDER" : "PIX_ENVIRONMENT"
  return [
    `Variável de ambiente ${variable} inválida para este banco de dados:`,
    `desde o primeiro início ele guarda ${nameOf[held]}, que nunca se mistura com ${nameOf[wanted]}.`,
    `Use um banco de dados vazio (em DATABASE_URL, ou outra pasta em DATA_DIR), ou volte a ${settingsOf[held]}.`,
  ].join(" ")
}

const MANY = 50
const RECENT_SECONDS = 30

/** True when payments arrive faster than they are booked, so that deferrable work should pause. */
export async function isPaymentsRush(db: Db, now: Date): Promise<boolean> {
  return holdsNewMessages(db, { atLeast: MANY, since: secondsAfter(now, -RECENT_SECONDS) })
}

export interface OpeningCounter {
  /** Counts a view of one of the seller's pages, without a query: counts are written every few seconds. */
  count(sellerId: string): void
  flush(): Promise<void>
}

/** A killed process loses the last seconds of views, on which no money depends. */
export function createOpeningCounter({ db, clock }: { db: Db; clock: Clock }): OpeningCounter {
  let waiting = new Map<string, Openings>()

  function add({ sellerId, day, count }: Openings): void {
    const key = `${sellerId} ${day}`
    const known = waiting.get(key)
    if (known === undefined) waiting.set(key, { sellerId, day, count })
    else known.count += count
  }

  return {
    count: (sellerId) => add({ sellerId, day: saoPauloDay(clock.now()), count: 1 }),
    async flush() {
      if (waiting.size === 0) return
      const openings = [...waiting.values()]
      waiting = new Map()
      try {
        await db.transaction().execute((tx: Tx) => addOpenings(tx, openings))
      } catch (error) {
        for (const each of openings) add(each)
        throw error
      }
    },
  }
}
