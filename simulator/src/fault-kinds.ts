export const operations = ["cob", "pix", "devolucao", "envio", "contestacao", "webhook", "token"] as const

/** A call of the API. */
export type Operation = (typeof operations)[number]

const faultGroups = [
  "Respostas da API",
  "Formato das respostas",
  "Código Pix",
  "Avisos (webhooks)",
  "Dinheiro",
] as const

type FaultKind = {
  grupo: (typeof faultGroups)[number]
  titulo: string
  explicacao: string
  /** True for faults of API answers, which can be limited to some operations. */
  porOperacao: boolean
  valor?: { rotulo: string; padrao: number; maximo: number }
}

const day = 86_400_000
const answers = { grupo: "Respostas da API", porOperacao: true } as const
const shapes = { grupo: "Formato das respostas", porOperacao: true } as const
const codes = { grupo: "Código Pix", porOperacao: false } as const
const notices = { grupo: "Avisos (webhooks)", porOperacao: false } as const
const money = { grupo: "Dinheiro", porOperacao: false } as const
const ms = (padrao: number) => ({ rotulo: "milissegundos", padrao, maximo: day })

/** Every fault that real banks were seen to have, by the name that switches it on. */
export const faultKinds = {
  "timeout-antes": {
    ...answers,
    titulo: "Conexão cai antes de aceitar",
    explicacao: "O pedido não é feito e não há resposta; a linha fica muda pelo tempo dado e cai.",
    valor: ms(0),
  },
  "timeout-apos-aceitar": {
    ...answers,
    titulo: "Conexão cai depois de aceitar",
    explicacao: "O pedido é feito, mas a resposta nunca chega.",
    valor: ms(0),
  },
  atraso: { ...answers, titulo: "Resposta atrasada", explicacao: "A resposta certa, mais tarde.", valor: ms(2_000) },
  indisponivel: { ...answers, titulo: "503 com problema em JSON", explicacao: "Fora do ar, como o padrão prevê." },
  "erro-html": { ...answers, titulo: "502 com página HTML", explicacao: "Quem responde é o proxy do banco." },
  "erro-xml": { ...answers, titulo: "500 com falha SOAP", explicacao: "Um sistema antigo aparece na resposta." },
  "erro-apos-aceitar": {
    ...answers,
    titulo: "500 depois de aceitar",
    explicacao: "O pedido é feito e a resposta diz erro.",
  },
  "muitas-requisicoes": {
    ...answers,
    titulo: "429 com Retry-After",
    explicacao: "O banco pede calma.",
    valor: { rotulo: "segundos de espera", padrao: 1, maximo: 3600 },
  },
  "nao-autorizado": {
    ...answers,
    titulo: "401 e o token deixa de valer",
    explicacao: "O cliente precisa de um token novo.",
  },
  "token-curto": {
    ...answers,
    porOperacao: false,
    titulo: "Token de vida curta",
    explicacao: "O próximo token emitido acaba logo.",
    valor: { rotulo: "segundos de vida", padrao: 2, maximo: 3600 },
  },
  gotejamento: {
    ...answers,
    titulo: "Resposta a conta-gotas",
    explicacao: "O corpo chega aos pedaços, durante o tempo dado.",
    valor: ms(3_000),
  },
  "resposta-enorme": {
    ...answers,
    titulo: "Resposta enorme",
    explicacao: "A resposta certa com um campo gigante a mais.",
    valor: { rotulo: "bytes", padrao: 2_097_152, maximo: 64 * 1_048_576 },
  },
  "json-cortado": { ...answers, titulo: "JSON pela metade", explicacao: "A resposta acaba no meio." },
  redirecionamento: { ...answers, titulo: "302 para outro endereço", explicacao: "O banco manda ir a outro lugar." },

  "status-200": { ...shapes, titulo: "200 em vez de 201", explicacao: "Criou, mas responde como quem consulta." },
  "numeros-como-texto": {
    ...shapes,
    titulo: "Números como texto",
    explicacao: "expiracao, revisao e paginação entre aspas.",
  },
  "horario-local": {
    ...shapes,
    titulo: "Horário local sem fuso",
    explicacao: "Horário de Brasília sem Z e sem deslocamento.",
  },
  "erro-proprietario": {
    ...shapes,
    titulo: "Erros fora do padrão",
    explicacao: "{nome, mensagem} em vez do problema do padrão.",
  },
  "repetido-409": { ...shapes, titulo: "409 para pedido repetido", explicacao: "O mesmo pedido outra vez é recusado." },
  brcode: { ...shapes, titulo: "brcode em vez de pixCopiaECola", explicacao: "O código vem com outro nome." },
  "recebimento-ilegivel": {
    ...shapes,
    porOperacao: false,
    titulo: "Recebimento que não se lê",
    explicacao: "O valor de um recebimento vem escrito como num extrato: R$ 10,00.",
  },
  "so-location": { ...shapes, titulo: "Só a location", explicacao: "Sem código: o recebedor o monta." },

  "codigo-crc-errado": { ...codes, titulo: "CRC que não confere", explicacao: "O código está danificado." },
  "codigo-outro-valor": {
    ...codes,
    titulo: "Código com outro valor",
    explicacao: "O código pede um valor diferente do da cobrança.",
    valor: { rotulo: "centavos a mais", padrao: 100, maximo: 1_000_000 },
  },
  "codigo-outra-chave": {
    ...codes,
    titulo: "Código com outra chave",
    explicacao: "Um código estático que paga outra pessoa.",
  },

  "webhook-perdido": { ...notices, titulo: "Aviso perdido", explicacao: "Nunca sai do banco." },
  "webhook-atrasado": { ...notices, titulo: "Aviso atrasado", explicacao: "Sai mais tarde.", valor: ms(5_000) },
  "webhook-repetido": {
    ...notices,
    titulo: "Aviso repetido",
    explicacao: "O mesmo aviso outras vezes, além da primeira.",
    valor: { rotulo: "vezes a mais", padrao: 3, maximo: 1_000 },
  },
  "webhook-fora-de-ordem": {
    ...notices,
    titulo: "Aviso fora de ordem",
    explicacao: "Espera o próximo aviso e sai depois dele (no máximo um minuto).",
  },
  "webhook-lista": { ...notices, titulo: "Aviso como lista nua", explicacao: '[…] em vez de {"pix":[…]}.' },
  "webhook-sem-sufixo": {
    ...notices,
    titulo: "Aviso sem /pix",
    explicacao: "Enviado ao endereço tal como foi registrado.",
  },
  "webhook-de-envio": {
    ...notices,
    titulo: "Aviso de envio",
    explicacao: "O Pix enviado é avisado na mesma lista dos recebidos.",
  },

  "paga-outro-valor": {
    ...money,
    titulo: "Pagador paga outro valor",
    explicacao: "A cobrança é paga com um valor diferente.",
    valor: { rotulo: "centavos", padrao: 1, maximo: 999_999_999 },
  },
  "sem-txid": { ...money, titulo: "Recebimento sem txid", explicacao: "O banco do pagador perde o identificador." },
  "paga-duas-vezes": { ...money, titulo: "Pagamento em dobro", explicacao: "A mesma cobrança é paga duas vezes." },
  "aceita-fora-do-prazo": {
    ...money,
    titulo: "Pago no instante do fim",
    explicacao: "O banco aceita a cobrança que acabou de expirar ou de ser cancelada.",
  },
  "devolucao-recusada": {
    ...money,
    titulo: "Devolução não realizada",
    explicacao: "Aceita e depois recusada, em definitivo.",
  },
  "devolucao-sem-desfecho": {
    ...money,
    titulo: "Devolução sem desfecho",
    explicacao: "Em processamento até que alguém decida.",
  },
  "envio-recusado": { ...money, titulo: "Envio não realizado", explicacao: "Aceito e depois recusado, em definitivo." },
  "envio-recusado-na-hora": { ...money, titulo: "Envio recusado na hora", explicacao: "400, e o envio não existe." },
  "envio-sem-desfecho": {
    ...money,
    titulo: "Envio sem desfecho",
    explicacao: "Em processamento até que alguém decida.",
  },
  "envio-devolvido": {
    ...money,
    titulo: "Envio devolvido por quem recebeu",
    explicacao: "Realizado e, depois do tempo dado, de volta à nossa conta.",
    valor: ms(1_000),
  },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultKinds

export const faultNames = Object.keys(faultKinds) as [FaultName, ...FaultName[]]

export function valueOf(kind: FaultName): FaultKind["valor"] {
  const described: FaultKind = faultKinds[kind]
  return described.valor
}
