const byId = (id) => document.getElementById(id)
const views = { code: byId("code-view"), review: byId("review-view"), receipt: byId("receipt-view") }
const code = byId("code")

const reais = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })
const saoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

const unreachable = "Não foi possível falar com o banco. Tente novamente."
const unknownOutcome = "O banco não respondeu. Consulte o código de novo antes de repetir o pagamento."

let pixCode = ""
let charge

function show(name) {
  for (const [other, view] of Object.entries(views)) view.hidden = other !== name
  document.body.dataset.view = name
  if (name === "code") return code.focus()
  byId(`${name}-title`).focus()
  window.scrollTo({ top: 0 })
}

async function send(path, failure) {
  const answer = await fetch(`/simulador/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ pixCopiaECola: pixCode }),
  }).catch(() => undefined)
  const body = await answer?.json().catch(() => undefined)
  if (answer?.ok && body !== undefined) return { body }
  return { refusal: body?.message ?? failure, isFinal: answer?.status === 422 }
}

async function busy(button, label, work) {
  if (button.getAttribute("aria-disabled") === "true") return
  const idle = [...button.childNodes]
  button.setAttribute("aria-disabled", "true")
  button.textContent = label
  try {
    await work()
  } finally {
    button.replaceChildren(...idle)
    button.removeAttribute("aria-disabled")
  }
}

function showError(id, message) {
  byId(id).textContent = message
  if (id === "code-error") code.setAttribute("aria-invalid", String(message !== ""))
}

function showAmount(view, valor) {
  const parts = reais.formatToParts(Number(valor))
  const text = (types) =>
    parts
      .filter(({ type }) => types.includes(type))
      .map(({ value }) => value)
      .join("")
  const amount = view.querySelector("[data-field=amount]")
  amount.replaceChildren(
    element("span", "currency", `${text(["currency"])} `),
    element("span", "whole", text(["integer", "group"])),
    element("span", "cents", text(["decimal", "fraction"])),
  )
}

function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className !== "") made.className = className
  made.textContent = text
  return made
}

function showDetails(list, rows) {
  const present = rows.filter(([, value]) => value)
  list.replaceChildren(
    ...present.map(([label, value, className = ""]) => {
      const row = element("div", className, "")
      row.append(element("dt", "", label), element("dd", "", value))
      return row
    }),
  )
}

const receiverRows = () => [
  ["De", charge.daConta && "Conta da plataforma"],
  ["Para", charge.recebedor.nome],
  ["Chave Pix", charge.daConta && charge.recebedor.chave],
  ["Cidade", charge.recebedor.cidade],
]

/** Whether the code only authorises what comes later. */
const isAuthorisation = () => charge.recorrencia !== undefined && charge.txid === null

const reviewTitle = () => (isAuthorisation() ? "Você vai autorizar" : "Você vai pagar")

function payLabel() {
  if (isAuthorisation()) return "Autorizar débitos"
  const paying = `Pagar ${reais.format(Number(charge.valor))}`
  return charge.recorrencia === undefined ? paying : `${paying} e autorizar`
}

function showReview() {
  const isPayable = charge.pagavel
  byId("review-title").textContent = isPayable ? reviewTitle() : "Não dá para pagar"
  byId("review-notice").textContent = charge.message ?? ""
  byId("review-notice").hidden = isPayable
  byId("pay").hidden = !isPayable
  byId("pay").textContent = payLabel()
  showAmount(views.review, charge.valor)
  showDetails(byId("review-details"), [
    ...receiverRows(),
    ["Descrição", charge.descricao],
    ...charge.infoAdicionais.map(({ nome, valor }) => [nome, valor]),
    ["Válido até", charge.expiraEm && saoPaulo.format(new Date(charge.expiraEm))],
  ])
  showError("review-error", "")
  show("review")
}

let endToEndId = null

function showReceipt(payment) {
  endToEndId = payment.endToEndId
  byId("copy").hidden = !endToEndId
  byId("copied").textContent = ""
  byId("receipt-title").textContent = isAuthorisation() ? "Débitos autorizados" : "Pagamento realizado"
  showAmount(views.receipt, payment.valor)
  showDetails(byId("receipt-details"), [
    ...receiverRows(),
    ["Descrição", charge.descricao],
    ["Data e hora", saoPaulo.format(new Date(payment.horario))],
    ["ID do Pix", payment.endToEndId, "code"],
    ["Identificador", payment.txid, "code"],
    ["Recorrência", payment.recorrencia?.idRec, "code"],
  ])
  show("receipt")
}

async function lookUp() {
  pixCode = code.value.trim()
  showError("code-error", "")
  const { body, refusal } =
    pixCode === "" ? { refusal: "Cole o código Pix para continuar." } : await send("consultas", unreachable)
  if (refusal !== undefined) {
    showError("code-error", refusal)
    return code.focus()
  }
  charge = body
  showReview()
}

async function pay() {
  showError("review-error", "")
  const { body, refusal, isFinal } = await send("pagamentos", unknownOutcome)
  if (refusal === undefined) return showReceipt(body)
  showError("review-error", refusal)
  if (!isFinal) return
  byId("review-title").textContent = "Não dá para pagar"
  byId("pay").hidden = true
  byId("cancel").focus()
}

function startOver() {
  history.replaceState(null, "", "/simulador")
  code.value = ""
  showError("code-error", "")
  show("code")
}

views.code.addEventListener("submit", (event) => {
  event.preventDefault()
  void busy(byId("look-up"), "Consultando…", lookUp)
})
byId("pay").addEventListener("click", () => busy(byId("pay"), "Pagando…", pay))
byId("cancel").addEventListener("click", startOver)
byId("again").addEventListener("click", startOver)
byId("copy").addEventListener("click", async () => {
  const copied = navigator.clipboard?.writeText(endToEndId) ?? Promise.reject()
  byId("copied").textContent = await copied.then(
    () => "ID do Pix copiado.",
    () => "O navegador não deixou copiar. Selecione o ID e copie com o teclado.",
  )
})
code.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey) return
  event.preventDefault()
  views.code.requestSubmit()
})

if (navigator.clipboard?.readText !== undefined) {
  byId("paste").hidden = false
  byId("paste").addEventListener("click", async () => {
    const pasted = await navigator.clipboard.readText().catch(() => undefined)
    if (pasted === undefined) return showError("code-error", "O navegador não deixou colar. Cole com o teclado.")
    code.value = pasted
    views.code.requestSubmit()
  })
}

const given = new URLSearchParams(location.search).get("codigo")
if (given !== null) {
  code.value = given
  views.code.requestSubmit()
}
