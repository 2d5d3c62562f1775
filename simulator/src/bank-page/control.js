import { drawTabs, showBooks } from "./control-books.js"
import { openFaults, showRules } from "./control-faults.js"
import { act, button, byId, call, instant, minute, showProblem } from "./control-tools.js"

const refreshMs = 3000

/** Difference between this page's clock and the bank's, so that the bank's time can be shown without polling. */
let clockOffset = 0

async function refresh() {
  const [rules, clock, switches, now, disputes] = await Promise.all([
    call("GET", "/controle/falhas"),
    call("GET", "/controle/relogio"),
    call("GET", "/controle"),
    call("GET", "/livros"),
    call("GET", "/infracoes"),
  ])
  showRules(rules.falhas)
  showClock(clock)
  showSwitches(switches)
  showBooks({ ...now, contestacoes: disputes.infracoes })
}

const jumps = [
  ["+1 min", minute],
  ["+1 h", 60 * minute],
  ["+1 dia", 1440 * minute],
  ["+31 dias", 31 * 1440 * minute],
]

function drawJumps() {
  const ahead = jumps.map(([text, avancarMs]) =>
    button(text, async () => {
      await call("PUT", "/controle/relogio", { avancarMs })
      return `Relógio adiantado: ${text}.`
    }),
  )
  const back = button("Voltar ao presente", async () => {
    await call("PUT", "/controle/relogio", { adiantadoMs: 0 })
    return "O relógio do banco voltou ao presente. Os dias da plataforma ficam onde estão."
  })
  byId("jumps").replaceChildren(...ahead, back)
}

function showClock({ agora, adiantadoMs }) {
  clockOffset = Date.parse(agora) - performance.now()
  tick()
  const hours = Math.floor(adiantadoMs / (60 * minute))
  const parts = [Math.floor(hours / 24), hours % 24, Math.floor(adiantadoMs / minute) % 60]
  const text = ["d", "h", "min"]
    .flatMap((unit, index) => (parts[index] > 0 ? [`${parts[index]} ${unit}`] : []))
    .join(" ")
  byId("ahead").textContent = adiantadoMs === 0 ? "No presente." : `Adiantado em ${text || "menos de um minuto"}.`
}

function tick() {
  byId("clock").textContent = instant(clockOffset + performance.now())
}

function showSwitches(switches) {
  for (const [name, value] of Object.entries(switches)) {
    const field = byId("switches").elements[name]
    if (field === undefined || field === document.activeElement) continue
    if (field.type === "checkbox") field.checked = value
    else field.value = value ?? ""
  }
}

byId("switches").addEventListener("submit", (event) => event.preventDefault())
byId("switches").addEventListener("change", ({ target }) =>
  act(async () => {
    const value =
      target.type === "checkbox" ? target.checked : target.type === "number" ? Number(target.value) : target.value
    await call("PUT", "/controle", { [target.name]: value === "" ? null : value })
    return "Controle atualizado."
  }),
)
/** Shows a warning while the refresh fails. */
async function refreshAndTell() {
  await refresh().then(
    () => byId("problem").dataset.kind === "refresh" && showProblem(""),
    (error) => showProblem(error.message, "refresh"),
  )
}

drawJumps()
drawTabs()
document.addEventListener("bank-changed", refreshAndTell)
await act(openFaults)
setInterval(tick, 1000)
setInterval(() => {
  if (!document.hidden) void refreshAndTell()
}, refreshMs)
