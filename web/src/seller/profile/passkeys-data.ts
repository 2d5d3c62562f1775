import { queryOptions } from "@tanstack/react-query"
import type { PasskeyCreationOptions, PasskeyView } from "@tilinta/contract/api/passkeys-endpoints"
import * as heads from "@tilinta/contract/heads"
import { call } from "#api/client.ts"
import { makePasskey } from "#api/passkeys.ts"

export type { PasskeyCreationOptions, PasskeyView }

export const passkeysQuery = queryOptions({
  queryKey: ["seller", "passkeys"],
  queryFn: async ({ signal }) => (await call(heads.listPasskeys, { signal })).data,
})

/** Asked for before the name is: browsers want little time between a click and their own question. */
export async function beginPasskey(): Promise<PasskeyCreationOptions> {
  return (await call(heads.passkeyOptions)).data.publicKey
}

/** Returns the recovery codes, which are shown once; none unless it is the first second factor. */
export async function addPasskey(options: PasskeyCreationOptions, name: string): Promise<string[]> {
  const credential = await makePasskey(options)
  return (await call(heads.addPasskey, { body: { name, credential } })).data.recoveryCodes
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await call(heads.renamePasskey, { params: { id }, body: { name } })
}

export async function removePasskey(id: string): Promise<void> {
  await call(heads.removePasskey, { params: { id } })
}
