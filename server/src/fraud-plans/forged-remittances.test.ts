import { afterAll, beforeEach, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { newSecretKeyText, parseSecretKeys } from "#kit/secrets"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { resealEverything } from "#start/secrets-file"
import { byTransfer, openForgery, refused } from "../../test-support/forgery.ts"
import type { Victim } from "../../test-support/fraud-plan.ts"
import { saveSetting } from "../../test-support/save-setting.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"

const payoutAccount = [
  ["PAYOUT_BANK", "001"],
  ["PAYOUT_AGENCY", "1234-5"],
  ["PAYOUT_ACCOUNT", "56789-0"],
  ["PAYOUT_AGREEMENT", "123456"],
  ["LEGAL_NAME", "Tilinta Pagamentos Ltda"],
  ["LEGAL_CNPJ", "11.222.333/0001-81"],
] as const

const log = createLog("silent")
const { plan, chief, deputy, by, forge, approve, shown, bothAreTold, ...forgery } = await openForgery()
let victim: Victim
const asked = (amount: number, destination?: object) => forgery.asked(victim, amount, destination)

beforeEach(async () => {
  victim = await forgery.newVictim()
})

afterAll(() => plan.close())

const returnOf = (file: string) => {
  const [head = "", , line = ""] = file.split("\r\n")
  return `${head.slice(0, 142)}2${head.slice(143)}\r\n${line.slice(0, 230)}${"00".padEnd(10)}`
}

async function make(id: string, key: string) {
  const headers = { "idempotency-key": key }
  const token = await plan.freshSessionOf(chief, "admin")
  const body = { ids: [id], kind: "ted" }
  return plan.call("POST", "/api/v1/admin/remittances", { token, body, headers })
}

async function read(file: string) {
  const token = await plan.freshSessionOf(chief, "admin")
  const options = { token, body: Buffer.from(returnOf(file), "latin1"), headers: { "content-type": "text/plain" } }
  const { json } = await plan.call("POST", "/api/v1/admin/remittances/returns", options)
  return json.data.entries[0].reason as string
}

async function made() {
  for (const [key, value] of payoutAccount) await saveSetting(plan.db, key, value)
  const id = await asked(100, byTransfer)
  expect((await approve(chief, id)).json.data.withdrawal.status).toBe("approved")
  const { text: file } = await make(id, id)
  return { id, file, sequence: Number(file.slice(157, 163)) }
}

test("a remittance whose file is rewritten isn't given out again, neither by its number nor by its key", async () => {
  const { id, file, sequence } = await made()
  const again = async () => [await by(deputy, "GET", `remittances/${sequence}`), await make(id, id)]
  expect((await again()).map(({ text }) => text)).toEqual([file, file])
  const stored = `'${file.replace("000000123456 ", "000000666666 ")}'`
  for (const change of [
    `file = ${stored}`,
    `file = ${stored}, file_digest = encode(sha256(${stored}), 'hex')`,
    `made_by = '${deputy.id}'`,
    "mac = null",
  ]) {
    await forge(
      "create table was as select * from remittances",
      `update remittances set ${change} where sequence = ${sequence}`,
    )
    for (const reply of await again())
      expect([change, reply.status, reply.json.code]).toEqual([change, 409, refused.json.code])
    await forge(
      "update remittances set (file, file_digest, made_by, mac) = (was.file, was.file_digest, was.made_by, was.mac) from was where was.sequence = remittances.sequence",
      "drop table was",
    )
  }
  await bothAreTold("remessa")
})

test("a remittance whose line names another withdrawal completes neither by its return, also once its file is erased", async () => {
  const { id, file, sequence } = await made()
  const other = await asked(100, byTransfer)
  await approve(chief, other)
  await forge(`update remittance_entries set withdrawal_id = '${other}' where sequence = ${sequence}`)
  expect(await read(file)).toMatch(/^Estes dados não são os que foram registrados/)
  await forge(`update remittances set file = '' where sequence = ${sequence}`)
  expect(await read(file)).toMatch(/^Estes dados não são os que foram registrados/)
  for (const each of [id, other]) expect((await shown(each)).status).toBe("approved")
  await forge(`update remittance_entries set withdrawal_id = '${id}' where sequence = ${sequence}`)
  expect(await read(file)).toBe("")
  expect((await shown(id)).status).toBe("completed")
})

test("a remittance is as good with the new key alone, and a forged one no better", async () => {
  const [honest, forged] = [await made(), await made()]
  await forge(`update remittances set made_by = '${deputy.id}' where sequence = ${forged.sequence}`)
  const next = parseSecretKeys(newSecretKeyText())
  if (next === null) throw new Error("a new key can be read")
  await resealEverything({ ...plan, secretKeys: () => [...next, ...secretKeys()] as const })
  holdOrderKeys({ secretKeys: () => next, log })
  try {
    const again = async (id: string) => (await make(id, id)).status
    expect([await again(honest.id), await again(forged.id)]).toEqual([200, 409])
    expect(await read(honest.file)).toBe("")
  } finally {
    holdOrderKeys({ secretKeys, log })
  }
})
