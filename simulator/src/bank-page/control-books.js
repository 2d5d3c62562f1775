import { aimAt } from "./control-faults.js"
import { act, button, byId, call, element, instant, keepingFocus, row } from "./control-tools.js"

const reais = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" })

let books
let bookName = "avisos"

const bookTitles = {
  avisos: "Avisos",
  cobrancas: "Cobranças",
  recorrencias: "Recorrências",
  debitos: "Débitos",
  recebimentos: "Recebimentos",
  envios: "Envios",
  devolucoes: "Devoluções",
  contestacoes: "Contestações",
}

const good = ["CONCLUIDA", "APROVADA", "REALIZADO", "DEVOLVIDO"]
const underWay = ["ATIVA", "CRIADA", "EM_PROCESSAMENTO", "em_processamento"]
const tagOf = (status) => [
  status.replaceAll("_", " ").toLowerCase(),
  good.includes(status) ? "good" : underWay.includes(status) ? "open" : "bad",
]

const rowOf = {
  avisos: (notice) => ({
    title: instant(notice.criacao),
    tag: noticeTag(notice),
    texts: [
      `${notice.tentativas} tentativas${notice.ultimaResposta === null ? "" : ` · ${notice.ultimaResposta}`}`,
      notice.proximaTentativa === null ? "" : `próxima: ${instant(notice.proximaTentativa)}`,
    ],
    code: notice.corpo,
    actions: [
      button(
        "Reenviar",
        async () => {
          await call("POST", `/controle/avisos/${notice.id}/reenvios`)
          return "Aviso reenviado."
        },
        `Reenviar o aviso ${notice.id}`,
      ),
    ],
  }),
  cobrancas: (charge) => ({
    title: reais.format(Number(charge.valor)),
    tag: charge.expirou && charge.status === "ATIVA" ? ["expirada", "bad"] : tagOf(charge.status),
    texts: [charge.descricao ?? "", `criada ${instant(charge.criacao)} · válida até ${instant(charge.expiraEm)}`],
    code: charge.txid,
    actions: charge.status === "CONCLUIDA" ? [] : [aim(charge.txid), pay(charge)],
  }),
  recorrencias: ({ idRec, status, vinculo, valor, calendario, teto }) => ({
    title: valor === null ? "Valor de cada ciclo" : reais.format(Number(valor)),
    tag: tagOf(status),
    texts: [
      `${vinculo.objeto ?? vinculo.contrato} · ${calendario.periodicidade.toLowerCase()} desde ${calendario.dataInicial}`,
      teto === undefined ? "" : `teto do pagador: ${reais.format(Number(teto))}`,
    ],
    code: [idRec, vinculo.contrato].join("\n"),
    actions: [
      ...(status === "CRIADA" ? [answer(idRec, "autorizar"), answer(idRec, "recusar")] : []),
      ...(status === "APROVADA" ? [answer(idRec, "cancelar"), aim(vinculo.contrato)] : []),
    ],
  }),
  debitos: ({ txid, idRec, status, valor, calendario, tentativas }) => ({
    title: reais.format(Number(valor.original)),
    tag: tagOf(status),
    texts: [
      `vence ${calendario.dataDeVencimento}`,
      tentativas.map(({ dataLiquidacao, tipo, status: outcome }) => `${tipo} ${dataLiquidacao} ${outcome}`).join(" · "),
    ],
    code: [txid, idRec].join("\n"),
    actions: status === "CRIADA" || status === "ATIVA" ? [cancelDebit(txid), aim(txid)] : [],
  }),
  recebimentos: (pix) => ({
    title: reais.format(Number(pix.valor)),
    tag: pix.txid === null ? ["sem txid", "bad"] : ["recebido", "good"],
    texts: [instant(pix.horario)],
    code: [pix.endToEndId, pix.txid ?? ""].join("\n"),
    actions: [
      button(
        "Contestar (MED)",
        async () => {
          await call("POST", "/infracoes", { endToEndId: pix.endToEndId })
          return "Contestação aberta."
        },
        `Contestar ${pix.endToEndId}`,
      ),
      aim(pix.endToEndId),
    ],
  }),
  envios: (payout) => ({
    title: reais.format(Number(payout.valor)),
    tag: tagOf(payout.status),
    texts: [`para ${payout.favorecido.chave}`, instant(payout.horario.solicitacao)],
    code: payout.idEnvio ?? payout.endToEndId,
    actions: decisions(payout, { idEnvio: payout.idEnvio }),
  }),
  devolucoes: (refund) => ({
    title: reais.format(Number(refund.valor)),
    tag: tagOf(refund.status),
    texts: [`${refund.natureza.toLowerCase().replaceAll("_", " ")} · ${instant(refund.horario.solicitacao)}`],
    code: [refund.endToEndId, refund.id].join("\n"),
    actions: decisions(refund, { endToEndId: refund.endToEndId, id: refund.id }),
  }),
  contestacoes: (dispute) => ({
    title: reais.format(Number(dispute.valor)),
    tag: disputeTag(dispute),
    texts: [
      `${dispute.tipoSituacao} · aberta ${instant(dispute.dadosAnalise.abertura)}`,
      `defesa até ${instant(dispute.dadosAnalise.prazoFinalizacao)}`,
      dispute.defesa === undefined ? "" : `defesa: ${dispute.defesa}`,
    ],
    code: dispute.endToEndId,
    actions: outcomes(dispute),
  }),
}

function noticeTag({ proximaTentativa, ultimaResposta }) {
  if (proximaTentativa !== null) return ["devido", "open"]
  return /respondeu 2/.test(ultimaResposta ?? "") ? ["entregue", "good"] : ["perdido", "bad"]
}

function disputeTag({ status, dadosAnalise }) {
  const words = status.replaceAll("_", " ").toLowerCase()
  if (dadosAnalise.finalizacao === undefined) return [words, "open"]
  return [words, status === "ACEITA" ? "bad" : "good"]
}

function outcomes({ idInfracao, dadosAnalise }) {
  if (dadosAnalise.finalizacao !== undefined) return []
  const close = (status) => async () => {
    await call("PUT", `/infracoes/${idInfracao}`, { status })
    return "Contestação encerrada."
  }
  return [
    button("Aceitar", close("ACEITA"), `Aceitar a contestação ${idInfracao}`),
    button("Rejeitar", close("REJEITADA"), `Rejeitar a contestação ${idInfracao}`),
  ]
}

function decisions({ status }, names) {
  if (status !== "EM_PROCESSAMENTO") return []
  const decide = (recusado) => async () => {
    await call("POST", "/controle/desfechos", { ...names, recusado })
    return recusado ? "Recusado pelo banco." : "Concluído pelo banco."
  }
  const named = names.idEnvio ?? names.id
  return [button("Concluir", decide(false), `Concluir ${named}`), button("Recusar", decide(true), `Recusar ${named}`)]
}

function aim(name) {
  return button("Mirar falha", async () => aimAt(name), `Limitar a próxima falha a ${name}`)
}

function answer(idRec, verb) {
  return button(
    verb[0].toUpperCase() + verb.slice(1),
    async () => {
      const { status } = await call("POST", `/recorrencias/${idRec}/${verb}`, {})
      return `Recorrência ${status.toLowerCase()}.`
    },
    `${verb} a recorrência ${idRec}`,
  )
}

function cancelDebit(txid) {
  return button(
    "Cancelar",
    async () => {
      await call("POST", `/debitos/${txid}/cancelar`, {})
      return "Débito cancelado pelo pagador."
    },
    `Cancelar o débito ${txid}`,
  )
}

function pay({ pixCopiaECola, txid }) {
  return button(
    "Pagar",
    async () => {
      await call("POST", "/pagamentos", { pixCopiaECola })
      return "Cobrança paga."
    },
    `Pagar a cobrança ${txid}`,
  )
}

export function showBooks(told) {
  books = told
  showBook()
}

function showBook() {
  const entries = books[bookName]
  byId("forge").hidden = bookName !== "avisos"
  byId("book").setAttribute("aria-labelledby", `tab-${bookName}`)
  for (const tab of byId("tabs").children) {
    const isChosen = tab.id === `tab-${bookName}`
    tab.setAttribute("aria-selected", String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    tab.textContent = `${bookTitles[tab.dataset.book]} ${books[tab.dataset.book].length}`
  }
  keepingFocus(
    byId("entries"),
    entries.map((entry) => row(rowOf[bookName](entry))),
    "Nada aqui ainda.",
  )
}

export function drawTabs() {
  const tabs = Object.keys(bookTitles).map((name) => {
    const tab = element("button", "small", bookTitles[name])
    tab.type = "button"
    tab.id = `tab-${name}`
    tab.dataset.book = name
    tab.setAttribute("role", "tab")
    tab.setAttribute("aria-controls", "book")
    tab.addEventListener("click", () => chooseBook(name))
    return tab
  })
  byId("tabs").replaceChildren(...tabs)
  byId("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const names = Object.keys(bookTitles)
    chooseBook(names.at((names.indexOf(bookName) + step) % names.length))
    byId(`tab-${bookName}`).focus()
  })
}

function chooseBook(name) {
  bookName = name
  showBook()
}

byId("forge").addEventListener("submit", (event) => {
  event.preventDefault()
  void act(async () => {
    const txid = byId("forged-txid").value.trim()
    await call("POST", "/controle/avisos", txid === "" ? {} : { txid })
    return "Aviso falso enviado."
  })
})
