export const operations = [
  "cob",
  "cobv",
  "rec",
  "cobr",
  "pix",
  "devolucao",
  "envio",
  "contestacao",
  "webhook",
  "token",
] as const

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

const kindsOf =
  (grupo: FaultKind["grupo"], porOperacao: boolean) =>
  (titulo: string, explicacao: string, valor?: FaultKind["valor"]): FaultKind =>
    valor === undefined ? { grupo, porOperacao, titulo, explicacao } : { grupo, porOperacao, titulo, explicacao, valor }

const answer = kindsOf("Respostas da API", true)
const token = kindsOf("Respostas da API", false)
const shape = kindsOf("Formato das respostas", true)
const receipt = kindsOf("Formato das respostas", false)
const code = kindsOf("Código Pix", false)
const notice = kindsOf("Avisos (webhooks)", false)
const money = kindsOf("Dinheiro", false)
const value = (rotulo: string, padrao: number, maximo: number) => ({ rotulo, padrao, maximo })
const ms = (padrao: number) => value("milissegundos", padrao, 86_400_000)

/** Every fault that real banks were seen to have, by the name that switches it on. */
export const faultKinds = {
  "timeout-antes": answer(
    "Conexão cai antes de aceitar",
    "O pedido não é feito e não há resposta; a linha fica muda pelo tempo dado e cai.",
    ms(0),
  ),
  "timeout-apos-aceitar": answer(
    "Conexão cai depois de aceitar",
    "O pedido é feito, mas a resposta nunca chega.",
    ms(0),
  ),
  atraso: answer("Resposta atrasada", "A resposta certa, mais tarde.", ms(2_000)),
  indisponivel: answer("503 com problema em JSON", "Fora do ar, como o padrão prevê."),
  "erro-html": answer("502 com página HTML", "Quem responde é o proxy do banco."),
  "erro-xml": answer("500 com falha SOAP", "Um sistema antigo aparece na resposta."),
  "erro-apos-aceitar": answer("500 depois de aceitar", "O pedido é feito e a resposta diz erro."),
  "muitas-requisicoes": answer("429 com Retry-After", "O banco pede calma.", value("segundos de espera", 1, 3600)),
  "nao-autorizado": answer("401 e o token deixa de valer", "O cliente precisa de um token novo."),
  "token-curto": token(
    "Token de vida curta",
    "O próximo token emitido acaba logo.",
    value("segundos de vida", 2, 3600),
  ),
  gotejamento: answer("Resposta a conta-gotas", "O corpo chega aos pedaços, durante o tempo dado.", ms(3_000)),
  "resposta-enorme": answer(
    "Resposta enorme",
    "A resposta certa com um campo gigante a mais.",
    value("bytes", 2_097_152, 64 * 1_048_576),
  ),
  "json-cortado": answer("JSON pela metade", "A resposta acaba no meio."),
  redirecionamento: answer("302 para outro endereço", "O banco manda ir a outro lugar."),

  "status-200": shape("200 em vez de 201", "Criou, mas responde como quem consulta."),
  "numeros-como-texto": shape("Números como texto", "expiracao, revisao e paginação entre aspas."),
  "horario-local": shape("Horário local sem fuso", "Horário de Brasília sem Z e sem deslocamento."),
  "erro-proprietario": shape("Erros fora do padrão", "{nome, mensagem} em vez do problema do padrão."),
  "repetido-409": shape("409 para pedido repetido", "O mesmo pedido outra vez é recusado."),
  brcode: shape("brcode em vez de pixCopiaECola", "O código vem com outro nome."),
  "recebimento-ilegivel": receipt(
    "Recebimento que não se lê",
    "O valor de um recebimento vem escrito como num extrato: R$ 10,00.",
  ),
  "sem-dados-qr": shape("Recorrência sem dadosQR", "Sem código: o recebedor o monta das duas locations."),
  "outro-contrato": shape("Recorrência de outro contrato", "O banco responde com outra do que se pediu."),
  "so-location": shape("Só a location", "Sem código: o recebedor o monta."),

  "codigo-crc-errado": code("CRC que não confere", "O código está danificado."),
  "codigo-outro-valor": code(
    "Código com outro valor",
    "O código pede um valor diferente do da cobrança.",
    value("centavos a mais", 100, 1_000_000),
  ),
  "codigo-outra-chave": code("Código com outra chave", "Um código estático que paga outra pessoa."),

  "webhook-perdido": notice("Aviso perdido", "Nunca sai do banco."),
  "webhook-atrasado": notice("Aviso atrasado", "Sai mais tarde.", ms(5_000)),
  "webhook-repetido": notice(
    "Aviso repetido",
    "O mesmo aviso outras vezes, além da primeira.",
    value("vezes a mais", 3, 1_000),
  ),
  "webhook-fora-de-ordem": notice(
    "Aviso fora de ordem",
    "Espera o próximo aviso e sai depois dele (no máximo um minuto).",
  ),
  "webhook-lista": notice("Aviso como lista nua", '[…] em vez de {"pix":[…]}.'),
  "webhook-sem-sufixo": notice("Aviso sem /pix", "Enviado ao endereço tal como foi registrado."),
  "webhook-de-envio": notice("Aviso de envio", "O Pix enviado é avisado na mesma lista dos recebidos."),

  "paga-outro-valor": money(
    "Pagador paga outro valor",
    "A cobrança é paga com um valor diferente.",
    value("centavos", 1, 999_999_999),
  ),
  "sem-txid": money("Recebimento sem txid", "O banco do pagador perde o identificador."),
  "paga-duas-vezes": money("Pagamento em dobro", "A mesma cobrança é paga duas vezes."),
  "aceita-fora-do-prazo": money(
    "Pago no instante do fim",
    "O banco aceita a cobrança que acabou de expirar ou de ser cancelada.",
  ),
  "arredonda-para-baixo": money(
    "Parcelas arredondadas para baixo",
    "O banco corta os centavos de multa, juros e desconto de uma cobrança com vencimento.",
  ),
  "nao-prorroga-vencimento": money(
    "Vencimento que não passa ao dia útil",
    "O fim de semana e o feriado contam como atraso.",
  ),
  "feriado-municipal": money("Feriado na cidade do pagador", "O vencimento passa para mais um dia útil."),
  "paga-valor-da-revisao-anterior": money(
    "Valor da revisão anterior",
    "O pagador leu a cobrança antes da última alteração.",
  ),
  "aceita-depois-da-validade": money("Paga depois da validade", "O banco aceita a cobrança vencida há tempo demais."),
  "recusa-na-segunda": money("Validade que acaba no fim de semana", "O banco recusa a cobrança na segunda-feira."),
  "sem-componentes": receipt("Recebimento sem componentesValor", "O banco não diz de que o valor se compõe."),
  "componentes-como-numero": receipt("componentesValor como números", "Os componentes vêm sem o objeto do padrão."),
  "componentes-nao-somam": receipt("componentesValor que não somam", "O original vem com um real a mais."),
  "paga-sem-autorizar": money("Paga e não autoriza", "O primeiro pagamento chega, a recorrência continua CRIADA."),
  "autoriza-sem-pagar": money("Autoriza e não paga", "A recorrência é aprovada antes do primeiro pagamento."),
  "sem-saldo": money("Débito sem saldo", "A conta do pagador está vazia na hora do débito."),
  "falha-operacional": money("Falha do banco do pagador", "O débito da manhã falha e é repetido à noite (RIFL)."),
  "debito-apos-cancelamento": money("Débito cancelado que acontece", "Cancelado a tempo e, mesmo assim, pago."),
  "devolucao-recusada": money("Devolução não realizada", "Aceita e depois recusada, em definitivo."),
  "devolucao-sem-desfecho": money("Devolução sem desfecho", "Em processamento até que alguém decida."),
  "envio-recusado": money("Envio não realizado", "Aceito e depois recusado, em definitivo."),
  "envio-recusado-na-hora": money("Envio recusado na hora", "400, e o envio não existe."),
  "envio-sem-desfecho": money("Envio sem desfecho", "Em processamento até que alguém decida."),
  "envio-devolvido": money(
    "Envio devolvido por quem recebeu",
    "Realizado e, depois do tempo dado, de volta à nossa conta.",
    ms(1_000),
  ),
} satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultKinds

export const faultNames = Object.keys(faultKinds) as [FaultName, ...FaultName[]]

export function valueOf(kind: FaultName): FaultKind["valor"] {
  return faultKinds[kind].valor
}
