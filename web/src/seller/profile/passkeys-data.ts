import { queryOptions } from "@tanstack/react-query"
import type {
  addPasskeyEndpoint,
  listPasskeysEndpoint,
  PasskeyCreationOptions,
  PasskeyView,
  passkeyOptionsEndpoint,
  removePasskeyEndpoint,
  renamePasskeyEndpoint,
} from "@tilinta/contract/api/passkeys-endpoints"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { makePasskey } from "#api/passkeys.ts"

const list = leanEndpoint<typeof listPasskeysEndpoint>("GET", "/api/v1/users/me/passkeys")
const askOptions = leanEndpoint<typeof passkeyOptionsEndpoint>("POST", "/api/v1/users/me/passkeys/options")
const add = leanEndpoint<typeof addPasskeyEndpoint>("POST", "/api/v1/users/me/passkeys")
const rename = leanEndpoint<typeof renamePasskeyEndpoint>("PATCH", "/api/v1/users/me/passkeys/:id")
const remove = leanEndpoint<typeof removePasskeyEndpoint>("DELETE", "/api/v1/users/me/passkeys/:id")

export type { PasskeyCreationOptions, PasskeyView }

export const passkeysQuery = queryOptions({
  queryKey: ["seller", "passkeys"],
  queryFn: async ({ signal }) => (await call(list, { signal })).data,
})

/** Asked for before the name is: browsers want little time between a click and their own question. */
export async function beginPasskey(): Promise<PasskeyCreationOptions> {
  return (await call(askOptions)).data.publicKey
}

/** Returns the recovery codes, which are shown once; none unless it is the first second factor. */
export async function addPasskey(options: PasskeyCreationOptions, name: string): Promise<string[]> {
  const credential = await makePasskey(options)
  return (await call(add, { body: { name, credential } })).data.recoveryCodes
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await call(rename, { params: { id }, body: { name } })
}

export async function removePasskey(id: string): Promise<void> {
  await call(remove, { params: { id } })
}
