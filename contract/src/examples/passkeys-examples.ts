import {
  addPasskeyEndpoint,
  listPasskeysEndpoint,
  passkeyOptionsEndpoint,
  passkeySignInOptionsEndpoint,
  removePasskeyEndpoint,
  renamePasskeyEndpoint,
  signInByPasskeyEndpoint,
  stepUpOptionsEndpoint,
} from "../api/passkeys-endpoints.ts"
import { loginReply } from "./auth-examples.ts"
import { defineExample } from "./define-example.ts"

const passkey = {
  _id: "0193a4c0-7c1a-7d3e-9b52-4f0d6c8e1b31",
  name: "Chrome no Android",
  createdAt: "2026-11-21T12:00:00.000Z",
  lastUsedAt: null,
  answersHere: true,
}

const challenge = "q1JbE0cJpXk2Jv4nVtq0nqk7mQp2o5b1yZ8uLw3xT9s"
const descriptor = { id: "mZ2vB0cJpXk2Jv4nVtq0ng", type: "public-key" as const, transports: ["internal"] }

const requestOptions = {
  challenge,
  rpId: "pix.loja.example",
  timeout: 300_000,
  userVerification: "required" as const,
}

const ofCredential = { id: descriptor.id, rawId: descriptor.id, type: "public-key" as const }
const clientDataJSON = "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoicTFKYkUwY0oifQ"

export const passkeysExamples = [
  defineExample(passkeySignInOptionsEndpoint, {
    reply: { status: "success", data: { publicKey: { ...requestOptions, allowCredentials: [] } } },
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
    failures: ["second_factor_invalid", "account_disabled", "passkeys_unavailable"],
  }),
  defineExample(stepUpOptionsEndpoint, {
    reply: { status: "success", data: { publicKey: { ...requestOptions, allowCredentials: [descriptor] } } },
    failures: ["passkey_not_found", "passkeys_unavailable", "too_many_requests"],
  }),
  defineExample(listPasskeysEndpoint, {
    reply: { status: "success", data: { passkeys: [passkey], origin: "https://pix.loja.example" } },
    failures: [],
  }),
  defineExample(passkeyOptionsEndpoint, {
    reply: {
      status: "success",
      data: {
        publicKey: {
          challenge,
          rp: { id: "pix.loja.example", name: "Tilinta" },
          user: {
            id: "Vtq0nqk7mQp2o5b1yZ8uLw3xT9sq1JbE0cJpXk2Jv4n",
            name: "ana@loja.example",
            displayName: "Ana Souza",
          },
          pubKeyCredParams: [{ type: "public-key", alg: -7 }],
          timeout: 300_000,
          attestation: "none",
          excludeCredentials: [],
          authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        },
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
    reply: { status: "success", data: { passkey, recoveryCodes: ["Q7MKPA-2VXHRT-9CNWDE-4GJBYS"] } },
    failures: ["second_factor_invalid", "passkey_already_enrolled", "too_many_passkeys", "passkeys_unavailable"],
  }),
  defineExample(renamePasskeyEndpoint, {
    params: { id: passkey._id },
    body: { name: "Chave da loja" },
    reply: { status: "success", data: { passkey: { ...passkey, name: "Chave da loja" } } },
    failures: ["passkey_not_found"],
  }),
  defineExample(removePasskeyEndpoint, { params: { id: passkey._id }, failures: ["passkey_not_found"] }),
]
