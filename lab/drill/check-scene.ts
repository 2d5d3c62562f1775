import { eventually } from "../crash-tests/eventually.ts"
import { type Market, replaceNode } from "../crash-tests/exchanges/market.ts"
import { untilSettled } from "../crash-tests/exchanges/settle-market.ts"
import { askOverTls } from "./ask-over-tls.ts"
import type { Cluster } from "./cluster.ts"

const readyWithinMs = 15_000
const shortly = () => AbortSignal.timeout(2_000)

/** Each server takes writes, and HAProxy leads there. */
export async function untilReady({ nodes }: Market, { site }: Cluster): Promise<void> {
  const asks = [
    ...nodes.map(
      ({ url }) =>
        async () =>
          (await fetch(`${url}/readyz`, { signal: shortly() })).status,
    ),
    async () => (await askOverTls(`${site.origin}/readyz`, { ...site.credentials, signal: shortly() })).status,
  ]
  const statuses = () => Promise.all(asks.map((ask) => ask().catch(() => 0)))
  await eventually(statuses, (all) => all.every((status) => status === 200), readyWithinMs)
}

/** While nobody trades: all that the bank has is booked here, and the books agree with themselves. */
export async function checkBooks(market: Market): Promise<string[]> {
  // Work that was put off by a clock that was ahead is taken up every ten minutes, and by a server that starts.
  await replaceNode(market)
  await untilSettled(market)
  const { code, output } = await market.installation.verify()
  return code === 0 ? [] : [output]
}
