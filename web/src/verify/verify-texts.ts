import { formatReais } from "#format/money-text.ts"

type Tone = "good" | "warn" | "bad"

export interface Verdict {
  tone: Tone
  title: string
  text: string
}

export const verifyTexts = {
  checking: "Conferindo...",
  empty: "Cole o texto assinado ou o link do comprovante.",
  cameraRefused: "A câmera não abriu. Permita o uso dela, ou cole o texto assinado.",
  nothingInPicture: "Não achamos um QR code nesta imagem.",
  stopCamera: "Fechar a câmera",
  startCamera: "Ler com a câmera",
  facts: {
    amount: "Valor",
    receiver: "Quem recebeu",
    receiverDocument: "CPF ou CNPJ de quem recebeu",
    paidAt: "Pago em",
    endToEndId: "ID do Pix (endToEndId)",
    payerCpf: "CPF de quem pagou",
    payerCnpj: "CNPJ de quem pagou",
    refundedAmount: "Estornado desde então",
  },
} as const

export const verdicts = {
  valid: {
    tone: "good",
    title: "Comprovante verdadeiro",
    text: "O pagamento foi feito, e nada dele foi estornado até agora.",
  },
  forged: {
    tone: "bad",
    title: "Comprovante falso",
    text: "Este texto não foi assinado aqui, ou alguém mudou alguma coisa nele. Não entregue nada por causa dele.",
  },
  signedOffline: {
    tone: "good",
    title: "Assinatura verdadeira",
    text: "O pagamento foi feito. Sem conexão não dá para saber se o valor foi estornado depois.",
  },
  unknownOffline: {
    tone: "warn",
    title: "Não dá para conferir agora",
    text: "Este aparelho não conhece a chave que assinou o comprovante. Conecte-se à internet e confira de novo.",
  },
  unreachable: {
    tone: "warn",
    title: "Não dá para conferir agora",
    text: "Não conseguimos falar com o servidor. Tente de novo em alguns instantes.",
  },
} as const satisfies Record<string, Verdict>

export function refundedVerdict(amount: number, refunded: number): Verdict {
  const isWhole = refunded >= amount
  return {
    tone: "warn",
    title: isWhole ? "Verdadeiro, mas estornado" : "Verdadeiro, estornado em parte",
    text: isWhole
      ? "O pagamento foi feito, e o valor inteiro voltou para quem pagou."
      : `O pagamento foi feito, e ${formatReais(refunded)} voltaram para quem pagou.`,
  }
}

export const statementTexts = {
  checking: "Conferindo...",
  noFile: "Escolha o arquivo CSV com provas do extrato.",
  more: (count: number) => `e mais ${count}`,
} as const

export const statementVerdicts = {
  refused: {
    tone: "bad",
    title: "O extrato não confere",
    text: "Estas linhas não são o que foi selado, ou o ponto de controle não é o deste extrato:",
  },
  plain: {
    tone: "warn",
    title: "Este arquivo não tem provas",
    text: "É o CSV comum, que não dá para conferir. No Extrato, escolha Exportar e depois CSV com provas, do mesmo mês.",
  },
  unable: {
    tone: "warn",
    title: "Não dá para conferir aqui",
    text: "Este navegador não confere assinaturas Ed25519, ou não conseguiu ler o arquivo. Tente num navegador atual.",
  },
} as const satisfies Record<string, Verdict>

export function provedStatement(lines: number, isLinked: boolean): Verdict {
  const count = lines === 1 ? "A linha do arquivo está" : `As ${lines.toLocaleString("pt-BR")} linhas do arquivo estão`
  return {
    tone: isLinked ? "good" : "warn",
    title: isLinked ? "Extrato confirmado" : "Extrato assinado, sem prova",
    text: isLinked
      ? `${count} como foi selado, e levam a este ponto de controle.`
      : `${count} como foi selado em outro ponto de controle, assinado com a mesma chave. Nada prova que os dois são da mesma corrente: quem tem a chave pode ter assinado duas. Com internet esta página liga os dois.`,
  }
}
