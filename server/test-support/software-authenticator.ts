import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from "@tilinta/contract/passkeys"

/** Mistakes that a test may let happen. */
interface Deviation {
  origin?: string
  rpId?: string
  /** False when the person was not recognised. */
  isVerified?: boolean
  signCount?: number
  challenge?: string
  userHandle?: string | null
  /** The kind of the statement about its make, which nobody asked for. */
  format?: string
  /** Signs with another key. */
  key?: KeyObject
}

const bit = { present: 0x01, verified: 0x04, hasKey: 0x40 }

/** A browser and its authenticator in one: it holds one passkey (ES256), and counts its uses. */
export interface SoftwareAuthenticator {
  create(options: PasskeyCreationOptions, deviation?: Deviation): PasskeyAttestation
  get(options: PasskeyRequestOptions, deviation?: Deviation): PasskeyAssertion
}

export function newAuthenticator(siteOrigin = "http://localhost:3000"): SoftwareAuthenticator {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const credentialId = randomBytes(16)
  let handle = randomBytes(32).toString("base64url")
  let uses = 0

  function credential() {
    const id = credentialId.toString("base64url")
    return { id, rawId: id, type: "public-key" as const }
  }

  return {
    create({ challenge, rp, user }, deviation = {}) {
      handle = user.id
      const attested = Buffer.concat([
        Buffer.alloc(16),
        uint16(credentialId.length),
        credentialId,
        coseKeyOf(privateKey),
      ])
      const authData = Buffer.concat([authenticatorData(deviation.rpId ?? rp.id, bit.hasKey, 0, deviation), attested])
      const clientDataJSON = clientData("webauthn.create", challenge, siteOrigin, deviation).toString("base64url")
      const attestationObject = cborMap(
        ["fmt", deviation.format ?? "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", authData],
      )
      return {
        ...credential(),
        response: {
          clientDataJSON,
          attestationObject: attestationObject.toString("base64url"),
          transports: ["internal"],
        },
      }
    },
    get({ challenge, rpId }, deviation = {}) {
      uses += 1
      const data = authenticatorData(deviation.rpId ?? rpId, 0, deviation.signCount ?? uses, deviation)
      const clientDataJson = clientData("webauthn.get", challenge, siteOrigin, deviation)
      const signed = Buffer.concat([data, createHash("sha256").update(clientDataJson).digest()])
      return {
        ...credential(),
        response: {
          clientDataJSON: clientDataJson.toString("base64url"),
          authenticatorData: data.toString("base64url"),
          signature: sign("sha256", signed, deviation.key ?? privateKey).toString("base64url"),
          userHandle: deviation.userHandle === undefined ? handle : deviation.userHandle,
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string, deviation: Deviation): Buffer {
  const said = { type, challenge: deviation.challenge ?? challenge, origin: deviation.origin ?? origin }
  return Buffer.from(JSON.stringify({ ...said, crossOrigin: false }))
}

function authenticatorData(rpId: string, flags: number, signCount: number, { isVerified = true }: Deviation): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(signCount)
  const allFlags = flags | bit.present | (isVerified ? bit.verified : 0)
  return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([allFlags]), counter])
}

/** The COSE_Key of P-256: kty 2, alg -7, crv 1, x, y. */
function coseKeyOf(privateKey: KeyObject): Buffer {
  const { x = "", y = "" } = createPublicKey(privateKey).export({ format: "jwk" })
  const [start, middle] = [Buffer.from("a5010203262001215820", "hex"), Buffer.from("225820", "hex")]
  return Buffer.concat([start, Buffer.from(x, "base64url"), middle, Buffer.from(y, "base64url")])
}

type Cbor = string | Buffer | ReadonlyMap<string, string>

/** As much of CBOR as an attestation object needs: texts, bytes and an empty map. */
function cborMap(...entries: [string, Cbor][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat().map(cborOf)])
}

function cborOf(value: Cbor): Buffer {
  if (typeof value !== "string" && !Buffer.isBuffer(value)) return cborHead(5, 0)
  const bytes = Buffer.from(value)
  return Buffer.concat([cborHead(typeof value === "string" ? 3 : 2, bytes.length), bytes])
}

function cborHead(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count])
  return count < 256
    ? Buffer.from([(type << 5) | 24, count])
    : Buffer.concat([Buffer.from([(type << 5) | 25]), uint16(count)])
}

function uint16(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}
