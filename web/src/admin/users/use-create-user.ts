import { useQueryClient } from "@tanstack/react-query"
import type { createUserEndpoint } from "@tilinta/contract/api/admin-users-endpoints"
import * as heads from "@tilinta/contract/heads"
import { useRef } from "react"
import { type CallInput, call } from "#api/client.ts"
import { createSubmissions } from "#api/idempotency-key.ts"
import { usersKey } from "./users-data.ts"

export type CreateUser = (
  body: CallInput<typeof createUserEndpoint>["body"],
) => Promise<{ pending?: boolean | undefined }>

/**
 * The same request keeps its idempotency key until it is known to have succeeded, even after the dialog was closed and
 * opened again.
 */
export function useCreateUser(): CreateUser {
  const queryClient = useQueryClient()
  const submissions = useRef(createSubmissions())

  return async (body) => {
    const { data } = await call(heads.createUser, {
      body,
      headers: { "Idempotency-Key": submissions.current(body).key },
    })
    submissions.current = createSubmissions()
    void queryClient.invalidateQueries({ queryKey: usersKey })
    return data
  }
}
