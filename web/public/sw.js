// Keeps the shell of the app for a bad network, and shows notices. Answers of the API are never kept.
const cacheName = "shell"
const shellUrl = "/login"
const notTheApp = /^\/(api|checkout|payment|assinar|assinatura|cobranca|simulador|tela)(\/|$)/

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add(shellUrl)))
})

self.addEventListener("fetch", (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== "GET" || url.origin !== location.origin || notTheApp.test(url.pathname)) return
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(shellUrl)))
  else if (url.pathname.startsWith("/assets/")) event.respondWith(assetOf(request))
})

/** Names hold a digest of the content: what is kept is never old. */
async function assetOf(request) {
  const cache = await caches.open(cacheName)
  const kept = await cache.match(request)
  if (kept) return kept
  const reply = await fetch(request)
  if (reply.ok) await cache.put(request, reply.clone())
  return reply
}

/** Clears the assets of former versions once the new shell is here. */
self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .delete(cacheName)
      .then(() => caches.open(cacheName))
      .then((cache) => cache.add(shellUrl)),
  )
})

self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json()
  const shown = { body, tag, renotify: true, icon: "/icon-192.png", lang: "pt-BR", data: { url } }
  event.waitUntil(self.registration.showNotification(title, shown))
})

self.addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(openScreen(event.notification.data.url))
})

async function openScreen(path) {
  const [open] = await clients.matchAll({ type: "window" })
  if (open === undefined) return clients.openWindow(path)
  await open.focus()
  return open.navigate(path)
}
