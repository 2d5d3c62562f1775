import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import forge from "node-forge"

interface Identity {
  cert: string
  key: string
}

interface Wishes {
  name: string
  /** Days of validity from now; negative for an expired certificate. */
  days?: number
  /** Days of validity before now; negative for one that isn't valid yet. */
  sinceDays?: number
  issuer?: Identity
  isAuthority?: boolean
  /** An existing key, because generating one is slow. */
  key?: string
}

let serial = 0

/** A certificate and its key, signed by the issuer or self-signed. */
export function makeIdentity(wishes: Wishes): Identity {
  const { name, days = 30, sinceDays = 60, issuer, isAuthority = false, key: privateKey = newKey() } = wishes
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString()
  const certificate = forge.pki.createCertificate()
  serial += 1
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey)
  certificate.serialNumber = (0x10000000 + serial).toString(16)
  certificate.validity.notBefore = daysFromNow(-sinceDays)
  certificate.validity.notAfter = daysFromNow(days)
  const subject = [{ name: "commonName", value: name }]
  certificate.setSubject(subject)
  certificate.setIssuer(issuer === undefined ? subject : forge.pki.certificateFromPem(issuer.cert).subject.attributes)
  certificate.setExtensions([
    { name: "basicConstraints", cA: isAuthority },
    { name: "subjectAltName", altNames: [{ type: 2, value: name }] },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(issuer?.key ?? privateKey), forge.md.sha256.create())
  return { cert: forge.pki.certificateToPem(certificate), key: privateKey }
}

export function newKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return privateKey.export({ type: "pkcs1", format: "pem" }).toString()
}

export function pkcs12Of({ cert, key }: Identity, password: string): Buffer {
  const asn1 = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(key),
    [forge.pki.certificateFromPem(cert)],
    password,
    { algorithm: "aes256" },
  )
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "binary")
}

export function encryptedKeyOf({ key }: Identity, password: string): string {
  return forge.pki.encryptRsaPrivateKey(forge.pki.privateKeyFromPem(key), password, { algorithm: "aes256" })
}

/** A temporary folder, removed after the test. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "tilinta-tls-"))
  return {
    async write(name: string, content: string | Buffer): Promise<string> {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    missing: join(folder, "missing.pem"),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function daysFromNow(days: number): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000)
}
