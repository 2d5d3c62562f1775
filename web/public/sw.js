// Says that there is no network, and shows notices. Nothing is kept: the files' names let the browser itself keep them, and
// answers of the API are never old.
const page = `<!doctype html><html lang="pt-BR"><meta name="viewport" content="width=device-width"><title>Sem internet</title>
<style>body{margin:0;min-height:100dvh;display:grid;place-content:center;gap:12px;padding:24px;text-align:center;background:#091114;
color:#c0c9cc;font:16px/1.5 system-ui,sans-serif}h1{margin:0;font-size:24px;color:#f4f7f7}a{color:#52e5bd;font-weight:600;padding:12px}</style>
<main><h1>Sem internet</h1><p>O que você já fez está guardado.</p><p><a href="">Tentar novamente</a></p></main></html>`
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
}

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return
  event.respondWith(fetch(event.request).catch(() => new Response(page, { status: 503, headers })))
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
