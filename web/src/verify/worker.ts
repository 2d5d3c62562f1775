/** The page needs these to check a signature without a network. No receipt is kept. */
const kept = ["/verificar", "/verificar/page.js", "/verificar/decode.js", "/.well-known/tilinta/receipts.json"]
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
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(kept)))
  void worker.skipWaiting()
})

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (event.request.method !== "GET" || origin !== location.origin || !kept.includes(pathname)) return
  event.respondWith(fresh(event.request, pathname))
})

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
