// Says that there is no network, keeps the counter's screen for then, and shows notices. Answers of the API are never kept.
const counter = "/counter"
const shellName = "shell"
// The build writes the app's first file here, so that each version has a worker of its own.
const firstFile = "/assets/index.js"

function page(more) {
  return `<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>Sem internet</title>
<style>body{margin:0;min-height:100dvh;display:grid;place-content:center;gap:12px;padding:24px;text-align:center;background:#091114;
color:#c0c9cc;font:16px/1.5 system-ui,sans-serif}h1{margin:0;font-size:24px;color:#f4f7f7}a{color:#52e5bd;font-weight:600;padding:12px}</style>
<main><h1>Sem internet</h1><p>O que você já fez está guardado.</p><p><a href="">Tentar novamente</a></p>${more}</main></html>`
}

const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}

// It waits until the app is opened anew: what is open goes on with the version that it began with.
self.addEventListener("install", (event) => {
  event.waitUntil(tellNewVersion())
})

async function tellNewVersion() {
  if (self.registration.active === null) return
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true })
  for (const client of open) client.postMessage([firstFile, "Há uma versão nova. Ela entra quando você abrir de novo."])
}

// The counter sends the addresses of what it has loaded.
self.addEventListener("message", (event) => {
  event.waitUntil(keepShell(event.data))
})

/** Keeps exactly what the counter loaded, which is cached by the browser: the document alone is fetched again. */
async function keepShell(addresses) {
  const files = addresses.filter((address) => isAsset(new URL(address)))
  const shell = await fetch(counter)
  const [first] = /\/assets\/index-[\w-]+\.js/.exec(await shell.clone().text()) ?? []
  // A newer document would ask for files that this counter has not loaded.
  if (!shell.ok || !files.some((address) => new URL(address).pathname === first)) return
  const cache = await caches.open(shellName)
  const kept = await cache.keys()
  await cache.addAll(files.filter((address) => !kept.some(({ url }) => url === address)))
  await cache.put(counter, shell)
  const old = kept.filter(({ url }) => !files.includes(url) && new URL(url).pathname !== counter)
  await Promise.all(old.map((request) => cache.delete(request)))
}

function isAsset({ origin, pathname }) {
  return origin === location.origin && pathname.startsWith("/assets/")
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => withoutNetwork(new URL(request.url))))
  // Names hold a digest of the content: what is kept is never old.
  else if (isAsset(new URL(request.url))) event.respondWith(kept(request).then((asset) => asset ?? fetch(request)))
})

async function withoutNetwork({ pathname }) {
  const shell = await kept(counter)
  if (shell === undefined) return new Response(page(""), { status: 503, headers })
  const link = `<p><a href="${counter}">Abrir o balcão</a></p>`
  return pathname === counter ? shell : new Response(page(link), { status: 503, headers })
}

function kept(request) {
  return caches.match(request, { ignoreVary: true })
}

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
