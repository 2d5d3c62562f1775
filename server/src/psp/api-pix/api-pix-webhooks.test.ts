import { expect, test } from "vitest"
import { eventsReportedBy, isGenuine } from "./api-pix-webhooks.ts"

const reported = (...pix: object[]) => eventsReportedBy(Buffer.from(JSON.stringify({ pix })))

test("what Efí says it sent is a payout, never a receipt", () => {
  const sent = { endToEndId: "E1", tipo: "SOLICITACAO", status: "REALIZADO", valor: "0.01", chave: "our-key" }
  expect(reported({ ...sent, gnExtras: { idEnvio: "saque1" } }, { endToEndId: "E2" })).toEqual([
    { kind: "payout", payoutId: "saque1" },
    { kind: "receipt", endToEndId: "E2", reportsRefunds: false, reportedAt: null },
  ])
  expect(reported(sent, { ...sent, gnExtras: { idEnvio: "../x" } }, { ...sent, gnExtras: null })).toEqual([])
})

test("H02: the proxy's word counts only from a proxy that we trust, and only to the letter", () => {
  const expected = { name: "x-client-verify", value: "SUCCESS" }
  const body = Buffer.from("{}")
  const genuine = (headers: Record<string, string | string[]>, viaTrustedProxy: boolean) =>
    isGenuine(expected, { body, headers, viaTrustedProxy })
  expect(genuine({ "x-client-verify": "SUCCESS" }, true)).toBe(true)
  expect(genuine({ "x-client-verify": "SUCCESS" }, false)).toBe(false)
  expect(genuine({ "x-client-verify": "NONE" }, true)).toBe(false)
  expect(genuine({ "x-client-verify": ["SUCCESS", "SUCCESS"] }, true)).toBe(false)
  expect(genuine({}, true)).toBe(false)
  expect(isGenuine(null, { body, headers: {}, viaTrustedProxy: false })).toBe(true)
})
