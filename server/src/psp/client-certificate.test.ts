import { afterAll, expect, test } from "vitest"
import { readEnv } from "#start/env"
import { encryptedKeyOf, makeIdentity, newKey, openFolder, pkcs12Of } from "../../test-support/tls-files.ts"
import { readClientCertificate, readTrustedAuthorities } from "./client-certificate.ts"

const folder = await openFolder()
const good = makeIdentity({ name: "loja" })
const expired = makeIdentity({ name: "loja", days: -1, key: good.key })
const early = makeIdentity({ name: "loja", sinceDays: -5, key: good.key })
const write = (name: string, content: string | Buffer) => folder.write(name, content)
const files: Record<string, string> = {
  cert: await write("cert.pem", good.cert),
  key: await write("key.pem", good.key),
  both: await write("both.pem", good.cert + good.key),
  lockedKey: await write("locked.pem", encryptedKeyOf(good, "segredo")),
  pfx: await write("loja.p12", pkcs12Of(good, "segredo")),
  otherKey: await write("other.pem", newKey()),
  expired: await write("expired.p12", pkcs12Of(expired, "segredo")),
  early: await write("early.pem", early.cert + early.key),
  garbage: await write("garbage.pem", "nada"),
  badPem: await write("bad.pem", "-----BEGIN CERTIFICATE-----\nbmFkYQ==\n-----END CERTIFICATE-----\n"),
  missing: folder.missing,
}

afterAll(() => folder.remove())

type Variables = Record<string, string>

const settingsOf = (variables: Variables) => {
  const named = Object.entries(variables).map(([name, value]) => [name, files[value] ?? value])
  return readEnv(Object.fromEntries(named)).pix
}

const goodOnes: Variables[] = [
  { PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "key" },
  { PIX_CERT_FILE: "both" },
  { PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "lockedKey", PIX_CERT_PASSWORD: "segredo" },
  { PIX_CERT_FILE: "pfx", PIX_CERT_PASSWORD: "segredo" },
]

test.for(goodOnes)("%j is a certificate with an expiry", (variables) => {
  const { endsAt } = readClientCertificate(settingsOf(variables), new Date()) ?? {}
  const days = ((endsAt?.getTime() ?? 0) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29)
  expect(days).toBeLessThan(31)
})

test("without a file there is none, and without authorities none but the usual ones", () => {
  expect(readClientCertificate(settingsOf({}), new Date())).toBeNull()
  expect(readTrustedAuthorities(settingsOf({}))).toEqual([])
  expect(readTrustedAuthorities(settingsOf({ PIX_CA_FILE: "cert" }))).toEqual([good.cert.replaceAll("\r", "")])
})

const badOnes: [Variables, string, string][] = [
  [{ PIX_CERT_FILE: "missing" }, "PIX_CERT_FILE", "não existe"],
  [{ PIX_CERT_FILE: "garbage" }, "PIX_CERT_FILE", "PEM ou PKCS#12"],
  [{ PIX_CERT_FILE: "badPem", PIX_CERT_KEY_FILE: "key" }, "PIX_CERT", "em PEM"],
  [{ PIX_CERT_FILE: "cert" }, "PIX_CERT_KEY_FILE", "não traz a chave"],
  [{ PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "missing" }, "PIX_CERT_KEY_FILE", "não existe"],
  [{ PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "otherKey" }, "PIX_CERT_KEY_FILE", "não é a deste certificado"],
  [{ PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "garbage" }, "PIX_CERT_KEY_FILE", "em PEM"],
  [{ PIX_CERT_KEY_FILE: "key" }, "PIX_CERT_FILE", "ausente"],
  [{ PIX_CERT_FILE: "pfx", PIX_CERT_KEY_FILE: "key" }, "PIX_CERT_FILE", "deve ser PEM"],
  [{ PIX_CERT_FILE: "pfx", PIX_CERT_PASSWORD: "errada" }, "PIX_CERT_PASSWORD", "a senha não abre"],
  [{ PIX_CERT_FILE: "pfx" }, "PIX_CERT_PASSWORD", "pede uma senha"],
  [
    { PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "lockedKey", PIX_CERT_PASSWORD: "errada" },
    "PIX_CERT_PASSWORD",
    "a senha não abre",
  ],
  [{ PIX_CERT_FILE: "cert", PIX_CERT_KEY_FILE: "lockedKey" }, "PIX_CERT_PASSWORD", "pede uma senha"],
  [{ PIX_CERT_FILE: "expired", PIX_CERT_PASSWORD: "segredo" }, "PIX_CERT_FILE", "venceu em"],
  [{ PIX_CERT_FILE: "early" }, "PIX_CERT_FILE", "só vale a partir de"],
  [{ PIX_CA_FILE: "garbage" }, "PIX_CA_FILE", "não tem um certificado"],
  [{ PIX_CA_FILE: "badPem" }, "PIX_CA_FILE", "não tem um certificado"],
  [{ PIX_CA_FILE: "missing" }, "PIX_CA_FILE", "não existe"],
]

test.for(badOnes)("%j ends the start with a line that names %s and says: %s", ([variables, name, problem]) => {
  const settings = settingsOf(variables)
  const read = () => [readTrustedAuthorities(settings), readClientCertificate(settings, new Date())]
  expect(read).toThrow(new RegExp(`^Variável de ambiente ${name}\\w* .*${problem}`))
  expect(read).not.toThrow(/errada|tilinta-tls|\n/)
})
