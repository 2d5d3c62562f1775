import type { SystemStatusView } from "@tilinta/contract/system"
import { waitingTime } from "#admin/withdrawals/withdrawal-steps.ts"
import { countOf } from "#format/money-text.ts"

export interface Health {
  tone: "success" | "warning" | "danger"
  /** The problem in one line. */
  says: string
  /** Advice for the admin; absent while all is well. */
  advice?: string
  /** Stands in place of 'Tudo certo' while nothing is known yet. */
  waits?: string
}

const minute = 60_000
const day = 24 * 60 * minute
const well = (says: string): Health => ({ tone: "success", says })

function ageMs(moment: string | null, now: Date): number {
  return moment === null ? 0 : now.getTime() - Date.parse(moment)
}

function since(moment: string | null, now: Date): string {
  return moment === null ? "" : waitingTime(moment, now)
}

/** The worst of several; the first one on ties. */
export function worstOf(healths: readonly Health[]): Health {
  const of = (tone: Health["tone"]) => healths.find((health) => health.tone === tone)
  return of("danger") ?? of("warning") ?? healths[0] ?? well("Tudo certo")
}

export function providerHealth({ provider }: SystemStatusView, now: Date): Health {
  const worst = worstOf([
    contactHealth(provider, now),
    lagHealth(provider, now),
    certificateHealth(provider.certificateEndsAt, now),
    provider.webhookRegisteredAt === null
      ? {
          tone: "warning",
          says: "O webhook ainda não foi registrado no banco",
          advice:
            "Confira se PUBLIC_URL pode ser acessado pelo banco. A conciliação encontra os pagamentos enquanto isso.",
        }
      : well("O webhook está registrado"),
  ])
  return worst.tone === "success" && provider.lastContactAt !== null
    ? well("O banco responde e a conciliação está em dia")
    : worst
}

type Provider = SystemStatusView["provider"]

function contactHealth({ lastContactAt, lastFailure }: Provider, now: Date): Health {
  if (lastContactAt === null && lastFailure === null) return well("Ainda sem contato com o banco")
  const silentMs = lastContactAt === null ? Number.POSITIVE_INFINITY : ageMs(lastContactAt, now)
  const failsNow = lastFailure !== null && (lastContactAt === null || lastFailure.at > lastContactAt)
  if (silentMs > 5 * minute) {
    return {
      tone: "danger",
      says: lastContactAt === null ? "O banco nunca respondeu" : `O banco não responde ${since(lastContactAt, now)}`,
      advice:
        "Códigos abertos ainda podem ser pagos, e nada se perde. Veja a última falha e o estado do serviço do banco.",
    }
  }
  if (failsNow && silentMs > minute) {
    return { tone: "warning", says: "As últimas chamadas ao banco falharam", advice: "Elas são repetidas sozinhas." }
  }
  return well("O banco responde")
}

function lagHealth({ receiptsSeenUntil }: Provider, now: Date): Health {
  const lagMs = ageMs(receiptsSeenUntil, now)
  if (lagMs < -minute) {
    return {
      tone: "danger",
      says: "A conciliação guardou um momento no futuro",
      advice:
        "Um relógio esteve adiantado. O próximo ciclo volta ao que o banco ainda não mostrou; confira a hora de cada servidor.",
    }
  }
  if (lagMs < 3 * minute) return well("A conciliação está em dia")
  return {
    tone: lagMs < 15 * minute ? "warning" : "danger",
    says: `A conciliação está atrasada: viu tudo até ${since(receiptsSeenUntil, now)}`,
    advice: "Pagamentos sem aviso do banco aparecem quando ela voltar. Veja a tarefa Conciliar recebimentos.",
  }
}

/** Warns a month, a week and a day ahead, because a renewal takes time. */
export function certificateHealth(endsAt: string | null, now: Date): Health {
  if (endsAt === null) return well("O banco não pede certificado")
  const leftDays = Math.floor((Date.parse(endsAt) - now.getTime()) / day)
  if (leftDays >= 30) return well("O certificado vale por mais de um mês")
  const advice = "Peça um novo certificado ao banco, troque o arquivo e reinicie o servidor."
  if (leftDays < 0) return { tone: "danger", says: "O certificado do banco venceu", advice }
  const left = leftDays === 0 ? "em menos de um dia" : `em ${countOf(leftDays, "dia", "dias")}`
  return { tone: leftDays < 7 ? "danger" : "warning", says: `O certificado do banco vence ${left}`, advice }
}

export function inboxHealth({ inbox }: SystemStatusView, now: Date): Health {
  if (inbox.failing.length > 0) {
    return {
      tone: "warning",
      says: `${countOf(inbox.failing.length, "aviso falhou", "avisos falharam")} mais de uma vez`,
      advice: "São repetidos sozinhos a cada minuto. O erro de cada um está abaixo.",
    }
  }
  if (inbox.waiting > 0 && ageMs(inbox.oldestAt, now) > 2 * minute) {
    return {
      tone: "warning",
      says: `Há avisos esperando ${since(inbox.oldestAt, now)}`,
      advice: "Veja a conexão com o banco: sem resposta dele, os avisos esperam.",
    }
  }
  return well(inbox.waiting === 0 ? "Nenhum aviso esperando" : "Os avisos andam")
}

export function mailsHealth({ mails }: SystemStatusView, now: Date): Health {
  if (mails.givenUp > 0) {
    return {
      tone: "warning",
      says: `${countOf(mails.givenUp, "e-mail não entregue", "e-mails não entregues")} nos últimos 7 dias`,
      advice: "Confira o endereço de cada pessoa antes de tentar de novo.",
    }
  }
  if (mails.waiting > 0 && ageMs(mails.oldestAt, now) > 10 * minute) {
    return {
      tone: "warning",
      says: `Há e-mails esperando ${since(mails.oldestAt, now)}`,
      advice: "O servidor de e-mail não os aceita: confira SMTP_URL e SUPPORT_EMAIL.",
    }
  }
  return well(mails.waiting === 0 ? "Nenhum e-mail esperando" : "Os e-mails andam")
}

export function underWayHealth({ payouts, refunds, removals }: SystemStatusView, now: Date): Health {
  const oldest = (what: { oldestAt: string | null }) => ageMs(what.oldestAt, now)
  if (oldest(payouts) > 15 * minute || oldest(refunds) > 15 * minute) {
    return {
      tone: "warning",
      says: "Há dinheiro a caminho há mais de 15 minutos",
      advice: "O sistema continua perguntando ao banco. Nada é enviado duas vezes: não mude nada manualmente.",
    }
  }
  if (oldest(removals) > 15 * minute) {
    return {
      tone: "warning",
      says: "Há cobranças que o banco ainda não removeu",
      advice: "Se forem pagas, o valor vai para Pagamentos a conferir ou para o vendedor.",
    }
  }
  return well("Nada está parado")
}

/** Two people guard the money only where there are two, and where something is theirs to decide. */
export function guardHealth({ guard: { protection, approvers, secondApprovalAbove } }: SystemStatusView): Health {
  if (protection === "relaxed") return well("A proteção está relaxada: um administrador basta")
  if (approvers < 2) {
    return {
      tone: "warning",
      says: "Só um administrador decide sozinho",
      advice: "Cadastre outro: a partir de 72 horas depois, saques grandes, e-mails, perfis e a taxa pedem os dois.",
    }
  }
  if (secondApprovalAbove === null) {
    return {
      tone: "warning",
      says: "Um administrador basta para saques de qualquer valor",
      advice: "Dê um valor a SECOND_APPROVAL_ABOVE, em Configurações.",
    }
  }
  return well(`${countOf(approvers, "administrador pode", "administradores podem")} aprovar`)
}

const mostSkewSeconds = 60

/** Clocks of the servers against the provider's. */
export function installationHealth({ installation, provider }: SystemStatusView, now: Date): Health {
  const { nodes, replicas, disk, certificateEndsAt } = installation
  const wrong = nodes.find(({ clockSkewSeconds }) => Math.abs(clockSkewSeconds ?? 0) > mostSkewSeconds)
  if (wrong !== undefined) {
    return {
      tone: "danger",
      says: `O relógio de ${wrong.host} está ${skewText(wrong.clockSkewSeconds ?? 0)} em relação ao do banco`,
      advice:
        "Acerte a hora do servidor (NTP). Enquanto isso a conciliação e o fechamento diário seguem o relógio que está atrás.",
    }
  }
  const worst = worstOf([
    siteCertificateHealth(certificateEndsAt, now),
    diskHealth(disk),
    databaseHealth(installation, provider),
    ...replicas.map(replicaHealth),
  ])
  if (worst.tone !== "success") return worst
  return well(
    nodes.length === 0 ? "O servidor acabou de começar" : countOf(nodes.length, "servidor ativo", "servidores ativos"),
  )
}

type Installation = SystemStatusView["installation"]

function siteCertificateHealth(endsAt: string | null, now: Date): Health {
  const leftDays = endsAt === null ? Number.POSITIVE_INFINITY : Math.floor((Date.parse(endsAt) - now.getTime()) / day)
  if (leftDays >= 14) return well("O certificado do site está em dia")
  const advice = "Veja por que o proxy não o renovou: depois do fim ninguém consegue pagar."
  if (leftDays < 0) return { tone: "danger", says: "O certificado do site venceu", advice }
  const left = leftDays === 0 ? "em menos de um dia" : `em ${countOf(leftDays, "dia", "dias")}`
  return { tone: leftDays < 3 ? "danger" : "warning", says: `O certificado do site vence ${left}`, advice }
}

function diskHealth(disk: Installation["disk"]): Health {
  const share = disk === null ? 1 : disk.freeBytes / disk.totalBytes
  if (share >= 0.1) return well("Há espaço no disco")
  const advice = "Libere espaço ou aumente o disco: cheio, nada mais é gravado."
  return {
    tone: share < 0.03 ? "danger" : "warning",
    says: `Resta ${Math.floor(share * 100)}% do disco do servidor`,
    advice,
  }
}

function databaseHealth({ databaseEmbedded }: Installation, { name }: Provider): Health {
  if (!databaseEmbedded || name === "simulator") return well("O banco de dados serve")
  return {
    tone: "warning",
    says: "O PostgreSQL embutido guarda dinheiro de verdade",
    advice:
      "Prefira um PostgreSQL próprio, com backups contínuos, em DATABASE_URL. Os dados são levados por backup e restauração.",
  }
}

const mostLagSeconds = 60

function replicaHealth({ name, state, lagSeconds }: Installation["replicas"][number]): Health {
  const advice =
    "Confira a réplica e a rede até ela: sem réplica em dia, uma queda do banco de dados pode custar dados."
  if (state !== null && state !== "streaming")
    return { tone: "warning", says: `A réplica ${name} não acompanha`, advice }
  if ((lagSeconds ?? 0) <= mostLagSeconds) return well("As réplicas acompanham")
  return { tone: "warning", says: `A réplica ${name} está atrasada ${waitingSeconds(lagSeconds ?? 0)}`, advice }
}

export function waitingSeconds(seconds: number): string {
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

/** "12 min adiantado": how a clock stands to the provider's. */
export function skewText(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.round(Math.abs(seconds) / unit)) as [
    number,
    number,
    number,
  ]
  const size = days >= 2 ? `${days} dias` : hours >= 2 ? `${hours} h` : minutes >= 2 ? `${minutes} min` : null
  return `${size ?? `${Math.abs(seconds)} s`} ${seconds > 0 ? "adiantado" : "atrasado"}`
}

type Job = SystemStatusView["jobs"][number]

export function jobHealth(job: Job, now: Date): Health {
  if (job.failuresInRow > 0) {
    return {
      tone: job.failuresInRow > 2 ? "danger" : "warning",
      says: job.failuresInRow === 1 ? "Falhou" : `Falhou ${job.failuresInRow} vezes seguidas`,
    }
  }
  const patienceMs = Math.max(job.everySeconds * 5_000, 2 * minute)
  if (ageMs(job.lastStartedAt, now) > patienceMs) return { tone: "warning", says: "Parada" }
  return well("Em dia")
}

export function jobsHealth({ jobs }: SystemStatusView, now: Date): Health {
  const ill = jobs.map((job) => jobHealth(job, now)).filter(({ tone }) => tone !== "success")
  if (ill.length === 0) return well("Todas as tarefas andam")
  return {
    tone: worstOf(ill).tone,
    says: countOf(ill.length, "tarefa precisa de atenção", "tarefas precisam de atenção"),
    advice: "Cada uma é repetida sozinha. O registro do servidor traz os detalhes do erro.",
  }
}

export function ledgerHealth({ ledgerCheck }: SystemStatusView, now: Date): Health {
  const { result, failure } = ledgerCheck
  if (result !== null && result.differenceCount > 0) {
    return {
      tone: "danger",
      says: countOf(result.differenceCount, "diferença encontrada", "diferenças encontradas"),
      advice:
        "Suspenda os saques, guarde uma cópia do banco de dados e procure quem cuida do sistema. Nunca corrija um saldo manualmente.",
    }
  }
  if (failure !== null)
    return { tone: "warning", says: "A última verificação não terminou", advice: "Verifique de novo." }
  if (result === null)
    return { ...well("Acontece toda noite, entre 3h e 5h"), waits: "Aguardando a primeira verificação" }
  if (ageMs(result.finishedAt, now) > 2 * day) {
    return { tone: "warning", says: `Última verificação ${since(result.finishedAt, now)}`, advice: "Verifique agora." }
  }
  return well("Todos os saldos e totais conferem")
}

export function backupHealth(status: SystemStatusView, now: Date): Health {
  return worstOf([fileHealth(status, now), keyHealth(status), restoreHealth(status, now)])
}

function keyHealth({ backup }: SystemStatusView): Health {
  if (!backup.isExposed) return well("Não há dados de pessoas em texto claro")
  return {
    tone: "warning",
    says: "Os backups são gravados sem cifra",
    advice:
      "Gere uma chave (openssl rand -base64 32), defina BACKUP_KEY, reinicie o servidor e guarde a chave fora desta máquina.",
  }
}

const tryOne = "Experimente uma em outra máquina ou nesta: npm run restore -- ARQUIVO --verify."

function restoreHealth({ backup: { isOn, result, restoreCheck } }: SystemStatusView, now: Date): Health {
  if (restoreCheck === null) {
    if (!isOn || result === null) return well("Nenhuma restauração foi experimentada")
    return { tone: "warning", says: "Nenhuma restauração foi experimentada", advice: tryOne }
  }
  const { failure, differenceCount, finishedAt } = restoreCheck
  if (failure !== null) return { tone: "danger", says: "A última restauração experimentada falhou", advice: tryOne }
  if (differenceCount !== 0) {
    return {
      tone: "danger",
      says: "O último backup experimentado não confere",
      advice: "Experimente outro backup e verifique a contabilidade.",
    }
  }
  if (ageMs(finishedAt, now) <= 90 * day) return well("A última restauração experimentada confere")
  return { tone: "warning", says: `Última restauração experimentada ${since(finishedAt, now)}`, advice: tryOne }
}

function fileHealth({ backup }: SystemStatusView, now: Date): Health {
  const { isOn, result, startedAt, failure } = backup
  if (!isOn) return { ...well("O servidor não faz backups"), waits: "Desligado" }
  const since36h = ageMs(result?.startedAt ?? startedAt, now) > 1.5 * day
  if (since36h) {
    return {
      tone: "danger",
      says: result === null ? "Nenhum backup ficou pronto" : `Último backup ${since(result.startedAt, now)}`,
      advice: "Veja por que falhou, libere espaço em BACKUP_DIR e faça um agora.",
    }
  }
  if (failure !== null) {
    return { tone: "warning", says: "O último backup falhou", advice: "É tentado de novo a cada hora." }
  }
  if (result === null) return { ...well("O primeiro vem em alguns minutos"), waits: "Aguardando o primeiro backup" }
  return well("O backup do dia está feito")
}
