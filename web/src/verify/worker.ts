/** The pages need these to check signatures without a network. No receipt and no statement is kept. */
const scripts = ["page", "statement", "parts", "decode"].map((name) => `/verificar/${name}.js`)
const needed = ["/verificar", "/verificar/extrato", ...scripts, "/.well-known/tilinta/receipts.json"]
/** There is none before the first block is sealed. */
const whereThere = ["/.well-known/tilinta/checkpoint", "/.well-known/tilinta/checkpoint.pub"]
const kept = [...needed, ...whereThere]
const cacheName = "verificar"

/** The part of a service worker's world that is used here: the page's types know no worker. */
interface WorkerEvent extends Event {
  readonly request: Request
  waitUntil(work: Promise<unknown>): void
  respondWith(reply: Promise<Response>): void
}

const worker = globalThis as unknown as {
  addEventListener(name: "install" | "activate" | "fetch", handle: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
}

worker.addEventListener("install", (event) => {
  event.waitUntil(keepAll())
  void worker.skipWaiting()
})

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== "GET" || origin !== location.origin || !kept.includes(pathname)) return
  event.respondWith(fresh(event.request, pathname))
})

async function keepAll(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll(needed)
  await Promise.allSettled(whereThere.map((path) => cache.add(path)))
}

/** The network first, so that a new version or key shows at once. The address's query, which may hold a receipt, isn't kept. */
async function fresh(request: Request, pathname: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  try {
    const reply = await fetch(request)
    if (reply.ok) await cache.put(pathname, reply.clone())
    return reply
  } catch (error) {
    const known = await cache.match(pathname)
    if (known === undefined) throw error
    return known
  }
}
