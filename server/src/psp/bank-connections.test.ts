import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import type { TLSSocket } from "node:tls"
import type { Cents } from "@tilinta/contract/vocabulary/money"
import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { readEnv } from "#start/env"
import { makeIdentity, newKey, openFolder, pkcs12Of } from "../../test-support/tls-files.ts"
import { connectByName } from "./connect-psp.ts"
import type { Psp } from "./psp.ts"

const servers: Server[] = []
const seen: (string | undefined)[] = []

const txid = "a".repeat(32)
const charge = { txid, status: "ATIVA", valor: { original: "100.00" }, pixCopiaECola: "000201" }
const request = { txid, amountCents: 10_000 as Cents, expiresInSeconds: 3600, description: "Curso" }

const folder = await openFolder()
const serverKey = newKey()
const authority = makeIdentity({ name: "AC do banco", isAuthority: true })
const shop = makeIdentity({ name: "loja", issuer: authority })
const files: { cert: string; key: string; pfx: string } = {
  cert: await folder.write("cert.pem", shop.cert),
  key: await folder.write("key.pem", shop.key),
  pfx: await folder.write("loja.p12", pkcs12Of(shop, "segredo")),
}
const variables: Record<string, string> = {
  PUBLIC_URL: "https://loja.example",
  PIX_PROVIDER: "efi",
  PIX_CLIENT_ID: "id",
  PIX_CLIENT_SECRET: "secret",
  PIX_KEY: "loja@ana.example",
  PIX_RECEIVER_NAME: "Loja da Ana",
  PIX_CERT_FILE: files.cert,
  PIX_CERT_KEY_FILE: files.key,
  PIX_CA_FILE: await folder.write("ca.pem", authority.cert),
}

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await folder.remove()
})

async function bankWith(identity: { cert: string; key: string }): Promise<number> {
  const asking = { ca: authority.cert, requestCert: true, rejectUnauthorized: true }
  const server = createServer({ ...identity, ...asking }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate()
    seen.push(`${request.url} ${String(subject.CN)}`)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify(request.url === "/token" ? { access_token: "t", expires_in: 60 } : charge))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

function connect(origin: string, changes: Record<string, string> = {}): Psp {
  const env = readEnv({ ...variables, PIX_BASE_URL: `${origin}/v2`, PIX_TOKEN_URL: `${origin}/token`, ...changes })
  const connectTo = connectByName[env.pixProvider]
  if (connectTo === undefined) throw new Error("no such provider")
  return connectTo(env.pix, createLog("silent"))
}

test("a bank that asks for our certificate gets it, from PEM files and from PKCS#12 alike", async () => {
  const port = await bankWith(makeIdentity({ name: "localhost", issuer: authority, key: serverKey }))
  const fromPem = connect(`https://localhost:${port}`)
  const pkcs12 = { PIX_CERT_FILE: files.pfx, PIX_CERT_KEY_FILE: "", PIX_CERT_PASSWORD: "segredo" }
  const fromPkcs12 = connect(`https://localhost:${port}`, pkcs12)
  for (const psp of [fromPem, fromPkcs12]) {
    seen.length = 0
    expect(await psp.createCharge(request)).toEqual({ pixCode: "000201" })
    expect(seen).toEqual(["/token loja", `/v2/cob/${txid} loja`])
    expect(psp.certificateEndsAt?.getTime()).toBeGreaterThan(Date.now())
  }
})

test("a bank without a valid certificate gets no request", async () => {
  const localhost = { name: "localhost", key: serverKey }
  const good = await bankWith(makeIdentity({ ...localhost, issuer: authority }))
  const expired = await bankWith(makeIdentity({ ...localhost, issuer: authority, days: -1 }))
  const selfSigned = await bankWith(makeIdentity(localhost))
  const doubtful = [
    connect(`https://127.0.0.1:${good}`),
    connect(`https://localhost:${good}`, { PIX_CA_FILE: "" }),
    connect(`https://localhost:${expired}`),
    connect(`https://localhost:${selfSigned}`),
  ]
  seen.length = 0
  for (const psp of doubtful) {
    await expect(psp.createCharge(request)).rejects.toMatchObject({ name: "PspError", failure: "unavailable" })
  }
  expect(seen).toEqual([])
})

test("a bank that asks for a certificate and gets none, or a stranger's, does nothing", async () => {
  const port = await bankWith(makeIdentity({ name: "localhost", issuer: authority, key: serverKey }))
  const stranger = makeIdentity({ name: "estranho", key: serverKey })
  const file = await folder.write("stranger.pem", stranger.cert + stranger.key)
  const psp = connect(`https://localhost:${port}`, { PIX_CERT_FILE: file, PIX_CERT_KEY_FILE: "" })
  const bare = { PIX_PROVIDER: "bb", PIX_ENVIRONMENT: "homologacao", PIX_APP_KEY: "app" }
  const without = connect(`https://localhost:${port}`, { ...bare, PIX_CERT_FILE: "", PIX_CERT_KEY_FILE: "" })
  seen.length = 0
  await expect(psp.createCharge(request)).rejects.toMatchObject({ name: "PspError", failure: "unavailable" })
  await expect(without.createCharge(request)).rejects.toMatchObject({ name: "PspError", failure: "unavailable" })
  expect(seen).toEqual([])
})
