import { expect, test } from "vitest"
import { readEnv } from "./env.ts"
import { startWarnings } from "./start-warnings.ts"

test.each(["0.0.0.0", "::", "10.0.0.7", "pix.exemplo.com.br"])("HOST=%s needs to know its proxies", (HOST) => {
  expect(startWarnings(readEnv({ HOST }))).toEqual([expect.stringContaining("TRUSTED_PROXIES")])
  expect(startWarnings(readEnv({ HOST, TRUSTED_PROXIES: "10.0.0.5" }))).toEqual([])
  expect(startWarnings(readEnv({ HOST, TRUSTED_PROXIES: "loopback" }))).toEqual([])
})

test.each(["127.0.0.1", "127.8.0.1", "::1", "localhost"])("HOST=%s does not", (HOST) => {
  expect(startWarnings(readEnv({ HOST }))).toEqual([])
})

test("with a real provider mails need a server", () => {
  const real = { PIX_PROVIDER: "efi", PUBLIC_URL: "https://pix.exemplo.com.br" }
  expect(startWarnings(readEnv(real))).toEqual([expect.stringContaining("SMTP_URL")])
  expect(startWarnings(readEnv({ ...real, SMTP_URL: "smtps://mail.exemplo.com.br" }))).toEqual([])
})
