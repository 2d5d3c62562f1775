import * as z from "zod/mini"
import { loginReply, sessionReply } from "./auth.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { id, isoDateTime, malformed, requiredLine, success, text } from "./fields.ts"
import * as heads from "./heads.ts"

const tag = "Segurança"

function base64url(maxLength: number) {
  const error = "Use base64url, sem preenchimento."
  return text(maxLength).check(z.refine((value) => /^[\w-]+$/.test(value), { error, params: malformed }))
}

const credential = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal("public-key", "Deve ser public-key."),
}

/** A browser's `PublicKeyCredential` as JSON: the answer of an authenticator that signed a challenge. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: z.nullish(base64url(100)),
  }),
})
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>

/** The same of an authenticator that made a new key pair. */
const passkeyAttestation = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.optional(z.array(text(40)).check(z.maxLength(10))),
  }),
})
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>

/** By which a browser recognises a passkey. */
export const passkeyDescriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()),
})

/** For `navigator.credentials.get({ publicKey })`, with base64url where the browser takes bytes. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal("required"),
  /** Empty for a sign-in: the authenticator offers what it has. */
  allowCredentials: z.array(passkeyDescriptor),
})
export type PasskeyRequestOptions = z.infer<typeof passkeyRequestOptions>

/** For `navigator.credentials.create({ publicKey })`, with base64url where the browser takes bytes. */
const passkeyCreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(passkeyDescriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
})
export type PasskeyCreationOptions = z.infer<typeof passkeyCreationOptions>

export const passkeyView = z.object({
  _id: id,
  name: z.string(),
  createdAt: isoDateTime,
  /** Null before the first use. */
  lastUsedAt: z.nullable(isoDateTime),
  /** False for one that was made under another public address, where alone it answers. */
  answersHere: z.boolean(),
})
export type PasskeyView = z.infer<typeof passkeyView>

export const passkeySignInOptionsEndpoint = defineEndpoint("passkeySignInOptions", heads.passkeySignInOptions, {
  audience: "public",
  tag: "Autenticação",
  summary: "O desafio para entrar com uma chave de acesso (passkey); vale uma vez, por cinco minutos",
  reply: { status: 200, schema: success(z.object({ publicKey: passkeyRequestOptions })) },
})

export const signInByPasskeyEndpoint = defineEndpoint("signInByPasskey", heads.signInByPasskey, {
  audience: "public",
  tag: "Autenticação",
  summary: "Abre uma sessão com uma chave de acesso (passkey), sem senha; responde como auth/login",
  body: z.object({ credential: passkeyAssertion }),
  reply: { status: 200, schema: sessionReply },
})

export const stepUpOptionsEndpoint = defineEndpoint("stepUpOptions", heads.stepUpOptions, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag: "Autenticação",
  summary: "O desafio para confirmar quem está nesta sessão com uma chave de acesso; só esta sessão pode usá-lo",
  reply: { status: 200, schema: success(z.object({ publicKey: passkeyRequestOptions })) },
})

export const listPasskeysEndpoint = defineEndpoint("listPasskeys", heads.listPasskeys, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag,
  summary:
    "As chaves de acesso (passkeys) da própria conta; `origin` é o endereço em que funcionam, null onde não pode haver",
  reply: {
    status: 200,
    schema: success(z.object({ passkeys: z.array(passkeyView), origin: z.nullable(z.string()) })),
  },
})

export const passkeyOptionsEndpoint = defineEndpoint("passkeyOptions", heads.passkeyOptions, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary: "O desafio para criar uma chave de acesso; só esta sessão pode usá-lo, uma vez, por cinco minutos",
  reply: { status: 200, schema: success(z.object({ publicKey: passkeyCreationOptions })) },
})

const name = requiredLine(60, "Dê um nome à chave de acesso.")

export const addPasskeyEndpoint = defineEndpoint("addPasskey", heads.addPasskey, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary:
    "Guarda uma chave de acesso e encerra as outras sessões; `recoveryCodes` só vem, e só nesta resposta, com o primeiro segundo fator",
  body: z.object({ name, credential: passkeyAttestation }),
  reply: { status: 201, schema: success(z.object({ passkey: passkeyView, recoveryCodes: z.array(z.string()) })) },
})

export const renamePasskeyEndpoint = defineEndpoint("renamePasskey", heads.renamePasskey, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  tag,
  summary: "Troca o nome de uma chave de acesso",
  params: z.object({ id: text(200) }),
  body: z.object({ name }),
  reply: { status: 200, schema: success(z.object({ passkey: passkeyView })) },
})

export const removePasskeyEndpoint = defineEndpoint("removePasskey", heads.removePasskey, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary: "Remove uma chave de acesso: ela deixa de valer na hora; encerra as outras sessões",
  params: z.object({ id: text(200) }),
  reply: { status: 204 },
})

const passkey = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1b31",
  name: "Chrome no Android",
  createdAt: "2026-11-21T12:00:00.000Z",
  lastUsedAt: null,
  answersHere: true,
}

const challenge = "q1JbE0cJpXk2Jv4nVtq0nqk7mQp2o5b1yZ8uLw3xT9s"
const descriptor = { id: "mZ2vB0cJpXk2Jv4nVtq0ng", type: "public-key" as const, transports: ["internal"] }

const requestOptions = { challenge, rpId: "pix.loja.example", timeout: 300_000, userVerification: "required" as const }

const ofCredential = { id: descriptor.id, rawId: descriptor.id, type: "public-key" as const }
const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoicTFKYkUwY0oifQ"

export const passkeysExamples = [
  defineExample(passkeySignInOptionsEndpoint, {
    data: { publicKey: { ...requestOptions, allowCredentials: [] } },
    failures: ["passkeys_unavailable"],
  }),
  defineExample(signInByPasskeyEndpoint, {
    body: {
      credential: {
        ...ofCredential,
        response: {
          clientDataJSON,
          authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ",
          signature: "MEUCIQCq0nqk7mQp2o5b1yZ8uLw3xT9sAiBq1JbE0cJpXk2Jv4nVtg",
          userHandle: "Vtq0nqk7mQp2o5b1yZ8uLw3xT9sq1JbE0cJpXk2Jv4n",
        },
      },
    },
    reply: loginReply,
    failures: ["second_factor_invalid", "account_disabled", "password_reset_required", "passkeys_unavailable"],
  }),
  defineExample(stepUpOptionsEndpoint, {
    data: { publicKey: { ...requestOptions, allowCredentials: [descriptor] } },
    failures: ["passkey_not_found", "passkeys_unavailable", "too_many_requests"],
  }),
  defineExample(listPasskeysEndpoint, {
    data: { passkeys: [passkey], origin: "https://pix.loja.example" },
    failures: [],
  }),
  defineExample(passkeyOptionsEndpoint, {
    data: {
      publicKey: {
        challenge,
        rp: { id: "pix.loja.example", name: "Tilinta" },
        user: { id: "Vtq0nqk7mQp2o5b1yZ8uLw3xT9sq1JbE0cJpXk2Jv4n", name: "ana@loja.example", displayName: "Ana Souza" },
        pubKeyCredParams: [{ type: "public-key", alg: -7 }],
        timeout: 300_000,
        attestation: "none",
        excludeCredentials: [],
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      },
    },
    failures: ["too_many_passkeys", "passkeys_unavailable", "too_many_requests"],
  }),
  defineExample(addPasskeyEndpoint, {
    body: {
      name: "Chrome no Android",
      credential: {
        ...ofCredential,
        response: {
          clientDataJSON,
          attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg",
          transports: ["internal"],
        },
      },
    },
    data: { passkey, recoveryCodes: ["Q7MKPA-2VXHRT-9CNWDE-4GJBYS"] },
    failures: ["second_factor_invalid", "passkey_already_enrolled", "too_many_passkeys", "passkeys_unavailable"],
  }),
  defineExample(renamePasskeyEndpoint, {
    params: { id: passkey._id },
    body: { name: "Chave da loja" },
    data: { passkey: { ...passkey, name: "Chave da loja" } },
    failures: ["passkey_not_found"],
  }),
  defineExample(removePasskeyEndpoint, { params: { id: passkey._id }, failures: ["passkey_not_found"] }),
]
