import {
  ageMs,
  ago,
  type Condition,
  certificateCondition,
  countOf,
  danger,
  minute,
  type SystemFacts,
  warning,
  well,
} from "./finding.ts"

export function providerConditions(facts: SystemFacts): Condition[] {
  const { connection, bank, now } = facts
  return [
    contactCondition(facts),
    lagCondition(facts),
    connection?.webhookRegisteredAt
      ? well("O webhook está registrado")
      : warning(
          "O webhook ainda não foi registrado no banco",
          "Confira se PUBLIC_URL pode ser acessado pelo banco. A conciliação encontra os pagamentos enquanto isso.",
        ),
    ...(bank.certificateEndsAt === null
      ? []
      : [
          certificateCondition("O certificado do banco", bank.certificateEndsAt, {
            now,
            warnDays: 30,
            dangerDays: 7,
            advice: "Peça um novo certificado ao banco, troque o arquivo e reinicie o servidor.",
          }),
        ]),
  ]
}

function contactCondition({ connection, now }: SystemFacts): Condition {
  const lastContactAt = connection?.lastContactAt ?? null
  const lastFailure = connection?.lastFailure ?? null
  if (lastContactAt === null && lastFailure === null) return well("Ainda sem contato com o banco")
  const silentMs = lastContactAt === null ? Number.POSITIVE_INFINITY : ageMs(lastContactAt, now)
  if (silentMs > 5 * minute) {
    return danger(
      lastContactAt === null ? "O banco nunca respondeu" : `O banco não responde ${ago(lastContactAt, now)}`,
      "Códigos abertos ainda podem ser pagos, e nada se perde. Veja a última falha e o estado do serviço do banco; npm run psp:check diz mais.",
    )
  }
  const failsNow = lastFailure !== null && (lastContactAt === null || lastFailure.at > lastContactAt)
  return failsNow && silentMs > minute
    ? warning("As últimas chamadas ao banco falharam", "Elas são repetidas sozinhas.")
    : well("O banco responde")
}

function lagCondition({ connection, now }: SystemFacts): Condition {
  const seenUntil = connection?.receiptsSeenUntil
  const lagMs = ageMs(seenUntil, now)
  if (seenUntil === undefined || (lagMs >= -minute && lagMs < 3 * minute)) return well("A conciliação está em dia")
  if (lagMs < 0) {
    return danger(
      "A conciliação guardou um momento no futuro",
      "Um relógio esteve adiantado. O próximo ciclo volta ao que o banco ainda não mostrou; confira a hora de cada servidor.",
    )
  }
  return (lagMs < 15 * minute ? warning : danger)(
    `A conciliação está atrasada: viu tudo até ${ago(seenUntil, now)}`,
    "Pagamentos sem aviso do banco aparecem quando ela voltar. Veja a tarefa Conciliar recebimentos.",
  )
}

export function inboxCondition({ inbox, now }: SystemFacts): Condition {
  const { failing, waiting, oldestAt } = inbox
  if (failing.length > 0) {
    return warning(
      `${countOf(failing.length, "aviso falhou", "avisos falharam")} mais de uma vez`,
      "São repetidos sozinhos a cada minuto. O erro de cada um está em Sistema.",
    )
  }
  if (oldestAt !== null && ageMs(oldestAt, now) > 2 * minute) {
    return warning(
      `Há avisos esperando ${ago(oldestAt, now)}`,
      "Veja a conexão com o banco: sem resposta dele, os avisos esperam.",
    )
  }
  return well(waiting === 0 ? "Nenhum aviso esperando" : "Os avisos andam")
}

export function mailsCondition({ mails, now }: SystemFacts): Condition {
  const { givenUp, waiting, oldestAt } = mails
  if (givenUp > 0) {
    return warning(
      `${countOf(givenUp, "e-mail não entregue", "e-mails não entregues")} nos últimos 7 dias`,
      "Confira o endereço de cada pessoa antes de tentar de novo.",
    )
  }
  if (oldestAt !== null && ageMs(oldestAt, now) > 10 * minute) {
    return warning(
      `Há e-mails esperando ${ago(oldestAt, now)}`,
      "O servidor de e-mail não os aceita: confira SMTP_URL e SUPPORT_EMAIL.",
    )
  }
  return well(waiting === 0 ? "Nenhum e-mail esperando" : "Os e-mails andam")
}

export function underWayCondition({ payouts, refunds, removals, now }: SystemFacts): Condition {
  const isStuck = ({ oldestAt }: { oldestAt: Date | null }) => ageMs(oldestAt, now) > 15 * minute
  if (isStuck(payouts) || isStuck(refunds)) {
    return warning(
      "Há dinheiro a caminho há mais de 15 minutos",
      "O sistema continua perguntando ao banco. Nada é enviado duas vezes: não mude nada manualmente.",
    )
  }
  if (isStuck(removals)) {
    return warning(
      "Há cobranças que o banco ainda não removeu",
      "Se forem pagas, o valor vai para Pagamentos a conferir ou para o vendedor.",
    )
  }
  return well("Nada está parado")
}
