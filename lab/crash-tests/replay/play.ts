import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { expect } from "vitest"
import { eventually } from "../eventually.ts"
import { call, type World } from "../histories/world.ts"
import { type Answer, payAtBank, send, sendJson } from "../shop.ts"
import { type Actor, approve, idOf, openActor, txidOf } from "./actor.ts"
import type { Barrier } from "./barrier.ts"
import { isAsExpected, observe } from "./observe.ts"
import type { Scenario, Seen, Step } from "./scenario.ts"

const patienceMs = 240_000
const pauseMs = 600

interface Stage {
  world: World
  books: pg.Pool
}

export interface Played {
  scenario: Scenario
  seconds: number
  actor: Actor
}

/** Plays every step, then waits until everything is as expected. */
export async function play({ world, books }: Stage, scenario: Scenario, kill: Barrier): Promise<Played> {
  const begin = performance.now()
  let isKilled = false
  try {
    const actor = await openActor(world, books)
    for (const [index, step] of scenario.steps.entries()) {
      if (step.do === "kill") isKilled = true
      await (step.do === "kill" ? kill.arrive() : act(world, actor, step)).catch((cause: unknown) => {
        throw new Error(`step ${index + 1}, ${JSON.stringify(step)}`, { cause })
      })
    }
    await untilSeen(world, actor, scenario.expected)
    return { scenario, seconds: Math.round((performance.now() - begin) / 1000), actor }
  } catch (cause) {
    if (!isKilled) kill.leave()
    throw new Error(`the scenario '${scenario.name}'`, { cause })
  }
}

async function untilSeen(world: World, actor: Actor, expected: Seen): Promise<void> {
  for (const giveUpAt = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    const found = await observe(world, actor)
    if (isAsExpected(found, expected)) return
    if (Date.now() > giveUpAt) expect(found).toMatchObject(expected)
  }
}

type Deed<Kind extends Step["do"]> = (world: World, actor: Actor, step: Extract<Step, { do: Kind }>) => Promise<unknown>

const deeds: { [Kind in Exclude<Step["do"], "kill">]: Deed<Kind> } = {
  fault: switchOn,
  well: switchOff,
  ask,
  pay,
  stray,
  forge: async (world, actor, { code, cents }) =>
    control(world, "POST", "/controle/avisos", { txid: await txidOf(actor, code), centavos: cents }, 201),
  expire: (_world, { books, codes }, { code }) =>
    // Moves times in the database, which otherwise only time would change.
    books.query("update charges set created_at = created_at - interval '1 hour', expires_at = now() where id = $1", [
      idOf(codes, code).id,
    ]),
  cancel: async (world, { pageId, token }) =>
    expect(await call(world, "PATCH", `/checkout/pages/${pageId}/cancel`, { token })).toMatchObject({ status: 200 }),
  refund,
  withdraw,
  decide,
  contest,
  judge: (world, { disputes }, { code, accepted }) =>
    control(world, "PUT", `/infracoes/${idOf(disputes, code)}`, { status: accepted ? "ACEITA" : "REJEITADA" }, 200),
  clock: (world, _actor, { forwardMs }) => control(world, "PUT", "/controle/relogio", { avancarMs: forwardMs }, 200),
  wait: (world, actor, { until }) => untilSeen(world, actor, until),
}

async function act(world: World, actor: Actor, step: Exclude<Step, { do: "kill" }>): Promise<void> {
  const deed = deeds[step.do] as Deed<Step["do"]>
  await deed(world, actor, step)
}

async function control({ installation }: World, method: "POST" | "PUT", path: string, body: unknown, status: number) {
  const answer = await sendJson(`${installation.bankUrl}/simulador/api${path}`, method, body)
  expect(answer).toMatchObject({ status })
  return answer.body
}

async function switchOn(world: World, actor: Actor, step: Extract<Step, { do: "fault" }>): Promise<void> {
  const { do: _, about, ...rule } = step
  const names = { page: { alvo: actor.title }, payee: { alvo: actor.payeeKey }, everybody: {} }
  const { id } = await control(world, "POST", "/controle/falhas", { ...rule, ...names[about] }, 201)
  actor.faults.push(Number(id))
}

async function switchOff({ installation }: World, actor: Actor): Promise<void> {
  for (const id of actor.faults) {
    await send(`${installation.bankUrl}/simulador/api/controle/falhas/${id}`, { method: "DELETE" })
  }
}

/** Asks like a payer, again with the same key as long as the server can't answer, unless the code is to be refused. */
async function ask(world: World, actor: Actor, { code, refused }: Extract<Step, { do: "ask" }>): Promise<void> {
  const path = "/checkout/process-modern-pix-payment"
  const key = `${actor.tag}-${code}`
  const body = { checkoutPageId: actor.pageId }
  const answer = await call(world, "POST", path, { body, key, isRefusable: refused })
  // 422 is the bank's code that was refused, 503 a server that couldn't ask for it: neither shows one.
  if (refused) return void expect([422, 503]).toContain(answer.status)
  expect(answer).toMatchObject({ status: 201 })
  const { transactionId, pixCode } = answer.body["data"] as { transactionId: string; pixCode: string }
  actor.codes.set(code, { id: transactionId, pixCode })
}

async function pay(world: World, actor: Actor, { code, refused }: Extract<Step, { do: "pay" }>): Promise<void> {
  const { bankUrl } = world.installation
  const { pixCode } = idOf(actor.codes, code)
  if (refused) await untilNotPayable(bankUrl, pixCode)
  const answer = await payAtBank(bankUrl, pixCode)
  expect(answer).toMatchObject({ status: refused ? 422 : 201 })
  if (!refused) actor.receipts.push(String(answer.body["endToEndId"]))
}

/** Waits until the bank knows that the code ended, a moment later. */
async function untilNotPayable(bankUrl: string, pixCopiaECola: string): Promise<void> {
  const url = `${bankUrl}/simulador/api/consultas`
  await eventually(
    () => sendJson(url, "POST", { pixCopiaECola }),
    ({ body }) => body["pagavel"] === false,
  )
}

async function stray(world: World, actor: Actor, { code, cents }: Extract<Step, { do: "stray" }>): Promise<void> {
  const txid = code === undefined ? undefined : await txidOf(actor, code)
  const wish = { valor: (cents / 100).toFixed(2), txid }
  const { endToEndId } = await control(world, "POST", "/recebimentos", wish, 201)
  actor.receipts.push(String(endToEndId))
}

async function contest(world: World, actor: Actor, { code }: Extract<Step, { do: "contest" }>): Promise<void> {
  const sql = "select end_to_end_id as id from charges where id = $1"
  const { rows } = await actor.books.query<{ id: string }>(sql, [idOf(actor.codes, code).id])
  const { idInfracao } = await control(world, "POST", "/infracoes", { endToEndId: rows[0]?.id }, 201)
  actor.disputes.set(code, String(idInfracao))
}

async function refund(world: World, actor: Actor, step: Extract<Step, { do: "refund" }>): Promise<void> {
  const path = `/payments/transactions/${idOf(actor.codes, step.code).id}/refunds`
  const wish = {
    body: { amount: step.cents / 100, reason: "" },
    token: actor.token,
    key: `${actor.tag}-${step.refund}`,
  }
  const answer = await created(call(world, "POST", path, wish))
  const { refund: told } = answer as { refund: { _id: string } }
  actor.refunds.set(step.refund, told._id)
}

async function withdraw(world: World, actor: Actor, step: Extract<Step, { do: "withdraw" }>): Promise<void> {
  const body = { amount: step.cents / 100, paymentMethod: "pix", pixKey: actor.payeeKey }
  const wish = { body, token: actor.token, key: `${actor.tag}-${step.withdrawal}` }
  const answer = await created(call(world, "POST", "/withdrawals", wish))
  const { withdrawal } = answer as { withdrawal: { _id: string } }
  actor.withdrawals.set(step.withdrawal, withdrawal._id)
  await approve(world, withdrawal._id)
}

async function created(asking: Promise<Answer>): Promise<unknown> {
  const answer = await asking
  expect(answer).toMatchObject({ status: 201 })
  return answer.body["data"]
}

/** Waits until the bank knows the refund or payout. */
async function decide(world: World, actor: Actor, step: Extract<Step, { do: "decide" }>): Promise<void> {
  const { bankUrl } = world.installation
  const [sql, id] =
    step.refund === undefined
      ? [`select payout_id as "idEnvio" from withdrawals where id = $1`, idOf(actor.withdrawals, step.withdrawal ?? "")]
      : [
          `select end_to_end_id as "endToEndId", psp_refund_id as id from refunds where id = $1`,
          idOf(actor.refunds, step.refund),
        ]
  const { rows } = await actor.books.query(sql, [id])
  for (const giveUpAt = Date.now() + patienceMs; ; await sleep(pauseMs)) {
    const wish = { ...rows[0], recusado: step.refused }
    const answer = await sendJson(`${bankUrl}/simulador/api/controle/desfechos`, "POST", wish)
    if (answer.status === 200) return
    if (Date.now() > giveUpAt) expect(answer).toMatchObject({ status: 200 })
  }
}
