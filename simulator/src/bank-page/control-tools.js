export const byId = (id) => document.getElementById(id)
export const minute = 60_000

const root = "/simulador/api"
const saoPaulo = new Intl.DateTimeFormat("pt-BR", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone: "America/Sao_Paulo",
})

export const instant = (text) => saoPaulo.format(new Date(text))

export function element(tag, className, text) {
  const made = document.createElement(tag)
  if (className !== "") made.className = className
  if (text !== undefined) made.textContent = text
  return made
}

export function button(text, work, label) {
  const made = element("button", "small", text)
  made.type = "button"
  if (label !== undefined) made.setAttribute("aria-label", label)
  made.addEventListener("click", () => act(work))
  return made
}

export async function call(method, path, body) {
  const answer = await fetch(root + path, {
    method,
    ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => undefined)
  const told = await answer?.json().catch(() => undefined)
  if (answer?.ok) return told
  throw new Error(told?.message ?? "Não foi possível falar com o simulador. Tente novamente.")
}

export function showProblem(message, kind = "deed") {
  byId("problem").dataset.kind = kind
  byId("problem").textContent = message
  byId("problem").hidden = message === ""
}

/** Runs an action of the page's user: reports its outcome and refreshes what it changed. */
export async function act(work) {
  showProblem("")
  byId("done").textContent = ""
  try {
    byId("done").textContent = (await work()) ?? ""
    document.dispatchEvent(new Event("bank-changed"))
  } catch (error) {
    showProblem(error.message)
    byId("problem").scrollIntoView({ block: "nearest" })
  }
}

export function row({ title, tag: [tag, mood], texts, code = "", actions }) {
  const head = element("div", "row-head")
  head.append(element("span", "sum", title), element("span", `tag ${mood}`, tag))
  const item = element("li", "")
  item.append(head, ...texts.filter((text) => text !== "").map((text) => element("div", "row-text", text)))
  if (code !== "")
    item.append(
      ...code
        .split("\n")
        .filter(Boolean)
        .map((line) => element("div", "row-code", line)),
    )
  const buttons = element("div", "row-actions")
  buttons.append(...actions)
  item.append(buttons)
  return item
}

/** Refreshed every few seconds, but rerendered only on a change, and the focus is restored. */
export function keepingFocus(list, rows, whenEmpty) {
  const drawn = rows.length > 0 ? rows : [element("li", "empty", whenEmpty)]
  const textOf = (items) => items.map(({ innerHTML }) => innerHTML).join("")
  if (textOf(drawn) === textOf([...list.children])) return
  const label = list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null
  list.replaceChildren(...drawn)
  if (label !== null) list.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus()
}
