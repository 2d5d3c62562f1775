import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import type { PixSettings } from "#psp/pix-settings"
import { readEnv } from "#start/env"
import { newKeyPair, openWooviBank } from "../../../test-support/woovi-bank.ts"
import { connectWoovi } from "./woovi-psp.ts"

const folder = mkdtempSync(join(tmpdir(), "tilinta-woovi-"))
const keys = newKeyPair()

const bank = await openWooviBank(keys)

afterAll(async () => {
  await bank.close()
  rmSync(folder, { recursive: true })
})

const settings = (variables: Record<string, string>): PixSettings =>
  readEnv({ PIX_PROVIDER: "woovi", PUBLIC_URL: "https://loja.example", ...variables }).pix

const connect = (variables: Record<string, string>) => connectWoovi(settings(variables), createLog("silent"))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test("the operator's variables are enough to reach Woovi, and no more are asked for", async () => {
  const psp = connect({ PIX_APP_KEY: bank.appId, PIX_BASE_URL: bank.url })
  expect(psp.name).toBe("woovi")
  expect(await psp.findReceipt("E1")).toBeNull()
  const stranger = connect({ PIX_APP_KEY: "outro", PIX_BASE_URL: bank.url })
  await expect(stranger.findReceipt("E1")).rejects.toMatchObject({ failure: "unknown" })
})

test("without the AppID the start ends with the variable's name", () => {
  expect(() => connect({})).toThrow(/PIX_APP_KEY ausente/)
})

test("a new key of Woovi's is believed together with the published one once the operator names its file", () => {
  const webhook = bank.webhook({ event: "OPENPIX:CHARGE_COMPLETED" })
  const pem = keys.publicKey.export({ type: "spki", format: "pem" }).toString()
  expect(connect({ PIX_APP_KEY: "x" }).isGenuine(webhook)).toBe(false)
  expect(connect({ PIX_APP_KEY: "x", PIX_WEBHOOK_KEY_FILE: file("key.pem", pem) }).isGenuine(webhook)).toBe(true)
})

test.each(["", "isto não é uma chave"])("a file that holds no key (%j) ends the start, and is not repeated", (text) => {
  const variables = { PIX_APP_KEY: "x", PIX_WEBHOOK_KEY_FILE: file("bad.pem", text) }
  expect(() => connect(variables)).toThrow(/^Variável de ambiente PIX_WEBHOOK_KEY_FILE inválida: use um arquivo PEM/)
})

test("the sandbox's money has books of its own", () => {
  expect(connect({ PIX_APP_KEY: "x", PIX_ENVIRONMENT: "homologacao" }).name).toBe("woovi-homologacao")
})

test.each([
  [{ PIX_BASE_URL: "https://api.woovi-sandbox.com" }, "homologacao"],
  [{ PIX_BASE_URL: "https://api.woovi.com/", PIX_ENVIRONMENT: "homologacao" }, "producao"],
])("an address of the other environment ends the start: %j", (variables, other) => {
  const line = `Variável de ambiente PIX_BASE_URL inválida: é um endereço de PIX_ENVIRONMENT=${other}.`
  expect(() => connect({ PIX_APP_KEY: "x", ...variables })).toThrow(line)
})
