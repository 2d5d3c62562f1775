import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { compressReply } from "#http/create-server"
import { noticePage } from "#http/notice-page"
import { limitAddresses } from "#http/rate-limits"
import { cameraPolicy, noncePolicy, workerPolicy } from "#http/security-headers"
import { StartError } from "#kit/errors"
import { readPlatform } from "#platform/settings/reads"
import type { HttpDeps } from "#start/deps"

const perAddress = { burst: 600, perSecond: 50, keys: 20_000 }

/** The pages on which anybody checks a receipt or a statement, and the worker that keeps them for when there is no network. */
export async function verifyPageRoutes(
  scope: FastifyInstance,
  deps: Pick<HttpDeps, "db" | "clock" | "siteFolder">,
): Promise<void> {
  const scripts = await readScripts(join(deps.siteFolder, "verify"))
  limitAddresses(scope, deps, perAddress)

  async function sendPage(request: FastifyRequest, reply: FastifyReply, { title, html }: Page) {
    const { name: platformName } = await readPlatform(deps.db)
    const nonce = randomBytes(16).toString("base64")
    const page = noticePage({ platformName, title, html, nonce, style })
    reply
      .headers({ "content-security-policy": noncePolicy(nonce, { runsOwn: true }), "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
    return reply.send(await compressReply(request, reply, page))
  }

  scope.get("/verificar", async (request, reply) => {
    reply.header("permissions-policy", cameraPolicy)
    return sendPage(request, reply, receiptPage)
  })
  scope.get("/verificar/extrato", (request, reply) => sendPage(request, reply, statementPage))

  scope.get<{ Params: { name: string } }>("/verificar/:name", async (request, reply) => {
    const script = scripts.get(request.params.name)
    if (script === undefined) return reply.callNotFound()
    reply
      // A worker may otherwise serve only what lies below its own address.
      .headers({ "service-worker-allowed": "/verificar", "cache-control": "no-cache" })
      .header("content-security-policy", workerPolicy)
      .type("text/javascript; charset=utf-8")
    return reply.send(await compressReply(request, reply, script))
  })
}

async function readScripts(folder: string): Promise<Map<string, string>> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".js"))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
    return new Map(names.map((name, at) => [name, texts[at] ?? ""]))
  } catch (error) {
    throw new StartError("As páginas não foram preparadas (web/dist): rode npm run build.", { cause: error })
  }
}

const style = `
  textarea { width: 100%; padding: .5rem .75rem; border: 1px solid #4b5f66; border-radius: .5rem; background: #0b1214; color: #eef4f3; font: .875rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; resize: vertical }
  video { width: 100%; margin-bottom: 1rem; border-radius: .5rem; background: #000 }
  input[type="file"] { width: 100%; padding: .625rem .75rem; border: 1px solid #4b5f66; border-radius: .5rem; background: #0b1214; color: #eef4f3; font: inherit }
  .outcome ul { margin: 0; padding-left: 1.125rem; color: #eef4f3; font-size: .9375rem; overflow-wrap: anywhere }
  [hidden] { display: none !important }
  .other { position: relative; display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; margin-bottom: 1rem; padding: .5rem 1rem; border: 1px solid #4b5f66; border-radius: .5rem; background: none; color: #eef4f3; font-weight: 600; text-align: center; cursor: pointer }
  .other input { position: absolute; inset: 0; opacity: 0; cursor: pointer }
  .other:focus-within { outline: 2px solid #5fe0bb; outline-offset: 3px }
  #result { outline: 0; margin-bottom: 1rem }
  .outcome { padding: 1rem 1.25rem; border: 1px solid currentColor; border-radius: .75rem }
  .outcome h2 { display: flex; gap: .625rem; align-items: center; margin-top: 0; font-size: 1.1875rem }
  .mark { flex: none; width: 1.75rem; height: 1.75rem; border: 2px solid; border-radius: 50%; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round }
  .outcome dl { margin-bottom: 0 }
  .outcome dl > div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .75rem; padding: .375rem 0 }
  .outcome dt { color: #93a5a6; font-size: .875rem }
  .outcome dd { margin: 0; color: #eef4f3; text-align: right; overflow-wrap: anywhere; font-size: .9375rem }
  .good { color: #5fe0bb }
  .warn { color: #f3c988 }
  .bad { color: #ff8f7d }
`

interface Page {
  title: string
  html: string
}

const receiptPage: Page = {
  title: "Conferir um comprovante",
  html: `<p>Cole o texto assinado ou o link do comprovante. Ele diz se o pagamento foi feito, a quem e quando.</p>
<noscript><p class="warning">Esta página precisa de JavaScript para conferir a assinatura.</p></noscript>
<form id="form">
<p class="field"><label for="receipt">Comprovante</label>
<textarea id="receipt" rows="4" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="TLR1."></textarea></p>
<button type="submit">Conferir</button>
</form>
<video id="video" hidden muted playsinline></video>
<button type="button" class="other" id="camera" hidden>Ler com a câmera</button>
<label class="other" id="picture-label" hidden>Ler de uma imagem<input type="file" id="picture" accept="image/*"></label>
<section id="result" role="status" tabindex="-1" aria-label="Resultado"></section>
<p class="small">A conferência da assinatura é feita neste aparelho e funciona sem internet depois da primeira visita. Sem internet não dá para saber de estornos.</p>
<script type="module" src="/verificar/page.js"></script>`,
}

const statementPage: Page = {
  title: "Conferir um extrato",
  html: `<p>Escolha o CSV com provas de um extrato. Ele leva as provas de que cada linha é a que foi selada aqui.</p>
<noscript><p class="warning">Esta página precisa de JavaScript para conferir as provas.</p></noscript>
<form id="form">
<p class="field"><label for="file">Extrato em CSV com provas</label>
<input type="file" id="file" accept=".csv,text/csv"></p>
<p class="field"><label for="checkpoint">Ponto de controle</label>
<textarea id="checkpoint" rows="6" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="own"></textarea></p>
<p class="field"><label for="key">Chave pública</label>
<textarea id="key" rows="3" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="own"></textarea></p>
<p class="small" id="own">Vêm preenchidos com os de agora. Quem não confia neste servidor cola os seus: os que recebeu por e-mail ou guardou antes.</p>
<button type="submit">Conferir</button>
</form>
<section id="result" role="status" tabindex="-1" aria-label="Resultado"></section>
<p class="small">O arquivo não sai deste aparelho, e a conferência funciona sem internet depois da primeira visita. As provas não dizem se falta uma linha nem qual era o saldo no início.</p>
<script type="module" src="/verificar/statement.js"></script>`,
}
