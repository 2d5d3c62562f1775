import { act, button, byId, call, element, keepingFocus, row } from "./control-tools.js"

let kinds = []

const operationNames = {
  cob: "Cobranças",
  cobv: "Cobranças com vencimento",
  pix: "Recebimentos",
  devolucao: "Devoluções",
  envio: "Envios",
  contestacao: "Contestações",
  webhook: "Registro de avisos",
  token: "Tokens",
}

function drawKinds() {
  const groups = new Map()
  for (const kind of kinds) {
    const group = groups.get(kind.grupo) ?? element("optgroup", "")
    group.label = kind.grupo
    const option = element("option", "", kind.titulo)
    option.value = kind.tipo
    group.append(option)
    groups.set(kind.grupo, group)
  }
  byId("kind").replaceChildren(...groups.values())
  const chips = Object.entries(operationNames).map(([operation, text]) => {
    const chip = element("label", "chip")
    const box = element("input", "")
    box.type = "checkbox"
    box.value = operation
    chip.append(box, text)
    return chip
  })
  byId("operations")
    .querySelector(".chips")
    .replaceChildren(...chips)
  showKind()
}

const chosenKind = () => kinds.find(({ tipo }) => tipo === byId("kind").value)

function showKind() {
  const { explicacao, valor, porOperacao } = chosenKind()
  byId("kind-text").textContent = explicacao
  byId("value-field").hidden = valor === undefined
  byId("value-label").textContent = valor === undefined ? "" : `Quanto, em ${valor.rotulo}`
  byId("value").value = valor?.padrao ?? ""
  byId("operations").hidden = !porOperacao
  byId("method-field").hidden = !porOperacao
}

function numberOf(id) {
  const { value } = byId(id)
  return value === "" ? undefined : Number(value)
}

function wishedRule() {
  const { tipo, valor, porOperacao } = chosenKind()
  const operacoes = [...byId("operations").querySelectorAll(":checked")].map(({ value }) => value)
  const chance = numberOf("chance")
  const alvo = byId("target").value.trim()
  return {
    tipo,
    ...(valor !== undefined && { valor: numberOf("value") ?? valor.padrao }),
    ...(numberOf("times") !== undefined && { vezes: numberOf("times") }),
    ...(chance !== undefined && { probabilidade: chance / 100 }),
    ...(numberOf("seed") !== undefined && { semente: numberOf("seed") }),
    ...(alvo !== "" && { alvo }),
    ...(porOperacao && operacoes.length > 0 && { operacoes }),
    ...(porOperacao && byId("method").value !== "" && { metodo: byId("method").value }),
  }
}

export function showRules(rules) {
  byId("clear").hidden = rules.length === 0
  const rows = rules.map((rule) => {
    const kind = kinds.find(({ tipo }) => tipo === rule.tipo)
    const isSpent = rule.vezes !== undefined && rule.atingidas >= rule.vezes
    const limits = [
      rule.valor !== undefined && `${rule.valor} ${kind?.valor?.rotulo ?? ""}`,
      rule.operacoes?.map((operation) => operationNames[operation]).join(", "),
      rule.metodo,
      rule.alvo !== undefined && `só ${rule.alvo}`,
      rule.probabilidade < 1 && `${Math.round(rule.probabilidade * 100)} % das vezes, semente ${rule.semente}`,
    ].filter((limit) => typeof limit === "string" && limit !== "")
    const times =
      rule.vezes === undefined ? `aconteceu ${rule.atingidas}×` : `aconteceu ${rule.atingidas} de ${rule.vezes}×`
    const title = kind?.titulo ?? rule.tipo
    return row({
      title,
      tag: [isSpent ? "esgotada" : "ligada", isSpent ? "" : "open"],
      texts: [times, limits.join(" · ")],
      actions: [button("Encerrar", () => endRule(rule.id), `Encerrar: ${title}`)],
    })
  })
  keepingFocus(byId("rules"), rows, "Nenhuma falha ligada: o banco se comporta.")
}

async function endRule(id) {
  await call("DELETE", `/controle/falhas/${id}`)
  return "Falha encerrada."
}

/** Called once, before the faults are shown. */
export async function openFaults() {
  kinds = (await call("GET", "/controle/tipos")).tipos
  drawKinds()
}

/** Limits the next fault to this name. */
export function aimAt(name) {
  byId("target").value = name
  byId("target").closest("details").open = true
  byId("target").focus()
}

byId("kind").addEventListener("change", showKind)
byId("fault-form").addEventListener("submit", (event) => {
  event.preventDefault()
  void act(async () => {
    await call("POST", "/controle/falhas", wishedRule())
    return `Falha ligada: ${chosenKind().titulo}.`
  })
})
byId("clear").addEventListener("click", () =>
  act(async () => {
    await call("DELETE", "/controle/falhas")
    return "Todas as falhas foram encerradas."
  }),
)
