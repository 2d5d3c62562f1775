import type { Endpoint } from "@tilinta/contract/api/define-endpoint"

/** An endpoint without its schemas: screens of the first load take the types alone, so that zod stays behind. */
export interface LeanEndpoint<E extends Endpoint> {
  method: E["method"]
  path: E["path"]
  readonly contract?: E
}

export function leanEndpoint<E extends Endpoint>(method: E["method"], path: E["path"]): LeanEndpoint<E> {
  return { method, path }
}
