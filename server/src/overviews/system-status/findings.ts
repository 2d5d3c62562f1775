import type { SystemPart } from "@tilinta/contract/vocabulary/system"
import { inboxCondition, mailsCondition, providerConditions, underWayCondition } from "./bank-findings.ts"
import {
  ageMs,
  ago,
  type Condition,
  countOf,
  danger,
  day,
  type Finding,
  minute,
  type SystemFacts,
  warning,
  well,
} from "./finding.ts"
import { installationConditions } from "./installation-findings.ts"

/** How an installation is, for the screen Sistema and for `npm run doctor`: what each part says, the first one first. */
export function findingsOf(facts: SystemFacts): Finding[] {
  const conditions: Record<SystemPart, Condition[]> = {
    ledger: [ledgerCondition(facts)],
    backup: backupConditions(facts),
    provider: providerConditions(facts),
    underWay: [underWayCondition(facts)],
    inbox: [inboxCondition(facts)],
    mails: [mailsCondition(facts)],
    jobs: [jobsCondition(facts)],
    installation: installationConditions(facts),
    guard: [guardCondition(facts)],
  }
  return Object.entries(conditions).flatMap(([part, all]) =>
    all.map((condition) => ({ part: part as SystemPart, ...condition })),
  )
}

const interrupted = "O servidor parou antes do fim."

interface Runs {
  isRunning: boolean
  last: { finishedAt: Date | null; error: string | null } | null
}

/** The error of the last run, if it failed. */
export function failureOf({ isRunning, last }: Runs): string | null {
  const isCut = !isRunning && last !== null && last.finishedAt === null
  return isCut ? interrupted : (last?.error ?? null)
}

function ledgerCondition({ ledgerCheck, now }: SystemFacts): Condition {
  const { result } = ledgerCheck
  const differences = result?.differenceCount ?? 0
  if (differences > 0) {
    return danger(
      countOf(differences, "diferença encontrada", "diferenças encontradas"),
      "Suspenda os saques, guarde uma cópia do banco de dados e procure quem cuida do sistema. Nunca corrija um saldo manualmente.",
    )
  }
  if (failureOf(ledgerCheck) !== null) return warning("A última verificação não terminou", "Verifique de novo.")
  const at = result?.finishedAt ?? null
  if (at === null)
    return warning("Ainda não foi verificada", "Verifique agora; depois acontece toda noite, entre 3h e 5h.")
  if (ageMs(at, now) > 2 * day) return warning(`Última verificação ${ago(at, now)}`, "Verifique agora.")
  return well("Todos os saldos e totais conferem")
}

function backupConditions(facts: SystemFacts): Condition[] {
  const { isElsewhere, isExposed } = facts.backups
  if (isElsewhere) return [well("Outro programa faz os backups")]
  return [
    fileCondition(facts),
    isExposed
      ? warning(
          "Os backups são gravados sem cifra: nomes, CPFs e hashes de senhas em texto claro",
          "Gere uma chave (openssl rand -base64 32), defina BACKUP_KEY, reinicie o servidor e guarde a chave fora desta máquina.",
        )
      : well("Não há dados de pessoas em texto claro"),
    restoreCondition(facts),
  ]
}

/** A lost disk costs real money, so there no backup is worse than a warning. */
function fileCondition({ backup, backups, now }: SystemFacts): Condition {
  const { folder, isRealMoney } = backups
  const missing = isRealMoney ? danger : warning
  if (folder === null) {
    return missing(
      "O servidor não faz backups",
      "Defina BACKUP_DIR para que ele faça um por dia; se o seu banco de dados já faz os dele, BACKUP_ELSEWHERE=sim.",
    )
  }
  const since = backup.done?.startedAt ?? backup.last?.startedAt ?? null
  if (since !== null && ageMs(since, now) > 1.5 * day) {
    return danger(
      backup.done === null ? "Nenhum backup ficou pronto" : `Último backup ${ago(since, now)}`,
      "Veja por que falhou, libere espaço em BACKUP_DIR e faça um agora.",
    )
  }
  if (backup.done === null) return missing("Nenhum backup foi feito", "O primeiro vem em alguns minutos.")
  if (failureOf(backup) !== null) return warning("O último backup falhou", "É tentado de novo a cada hora.")
  return well("O backup do dia está feito")
}

const tryOne = "Experimente uma em outra máquina ou nesta: npm run restore -- ARQUIVO --verify."

function restoreCondition({ backup: { restoreCheck }, now }: SystemFacts): Condition {
  if (restoreCheck === null) return warning("Nenhuma restauração foi experimentada", tryOne)
  const { error, differenceCount, finishedAt } = restoreCheck
  if (error !== null) return danger("A última restauração experimentada falhou", tryOne)
  if (differenceCount !== 0) {
    return danger("O último backup experimentado não confere", "Experimente outro backup e verifique a contabilidade.")
  }
  return ageMs(finishedAt, now) <= 90 * day
    ? well("A última restauração experimentada confere")
    : warning(`Última restauração experimentada ${ago(finishedAt, now)}`, tryOne)
}

export function jobCondition(job: SystemFacts["jobs"][number], now: Date): Omit<Condition, "advice"> {
  const { failuresInRow, everySeconds, lastStartedAt } = job
  if (failuresInRow > 0) {
    const says = failuresInRow === 1 ? "Falhou" : `Falhou ${failuresInRow} vezes seguidas`
    return { tone: failuresInRow > 2 ? "danger" : "warning", says }
  }
  const patienceMs = Math.max(everySeconds * 5_000, 2 * minute)
  return ageMs(lastStartedAt, now) > patienceMs
    ? { tone: "warning", says: "Parada" }
    : { tone: "success", says: "Em dia" }
}

function jobsCondition({ jobs, now }: SystemFacts): Condition {
  const late = jobs.map((job) => jobCondition(job, now)).filter(({ tone }) => tone !== "success")
  if (late.length === 0) return well("Todas em dia")
  const worst = late.some(({ tone }) => tone === "danger") ? danger : warning
  return worst(
    countOf(late.length, "tarefa precisa de atenção", "tarefas precisam de atenção"),
    "Cada uma é repetida sozinha. O registro do servidor traz os detalhes do erro.",
  )
}

/** Two people guard the money only where there are two, and where something is theirs to decide. */
function guardCondition({ protection, guard: { approvers, secondApprovalAboveCents } }: SystemFacts): Condition {
  if (protection === "relaxed") return well("A proteção está relaxada: um administrador basta")
  if (approvers < 2) {
    return warning(
      "Só um administrador decide sozinho",
      "Cadastre outro: a partir de 72 horas depois, saques grandes, e-mails, perfis e a taxa pedem os dois.",
    )
  }
  if (secondApprovalAboveCents === null) {
    return warning(
      "Um administrador basta para saques de qualquer valor",
      "Dê um valor a SECOND_APPROVAL_ABOVE, em Configurações.",
    )
  }
  return well(`${countOf(approvers, "administrador pode", "administradores podem")} aprovar`)
}
