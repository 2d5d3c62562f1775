/** The parts of the library that a bank's call needs. */
declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici"

  const agent: typeof Agent
  export default agent
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici"

  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions & { origin: string },
  ): Promise<Dispatcher.ResponseData>
}
