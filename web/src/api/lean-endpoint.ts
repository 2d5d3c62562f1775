import type { Endpoint } from "@tilinta/contract/api/define-endpoint"

/** An endpoint without its schemas: screens of the first load import only the types, so that zod loads later. */
export interface LeanEndpoint<E extends Endpoint> {
  method: E["method"]
  path: E["path"]
  readonly contract?: E
}

export function leanEndpoint<E extends Endpoint>(method: E["method"], path: E["path"]): LeanEndpoint<E> {
  return { method, path }
}
