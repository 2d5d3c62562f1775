import { AsyncLocalStorage } from "node:async_hooks"

const requests = new AsyncLocalStorage<object>()

/** Runs work of one request, so that its steps are known as belonging together. */
export function inRequest<Result>(request: object, work: () => Result): Result {
  return requests.run(request, work)
}

/** Undefined outside requests, as in jobs. */
export function currentRequest(): object | undefined {
  return requests.getStore()
}
