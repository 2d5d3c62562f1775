import { type Condition, certificateCondition, countOf, danger, type SystemFacts, warning, well } from "./finding.ts"

export function installationConditions(facts: SystemFacts): Condition[] {
  const { machine, database, now } = facts
  return [
    nodesCondition(facts),
    schemaCondition(facts),
    ...(machine.certificateEndsAt === null
      ? []
      : [
          certificateCondition("O certificado do site", machine.certificateEndsAt, {
            now,
            warnDays: 14,
            dangerDays: 3,
            advice: "Veja por que o proxy não o renovou: depois do fim ninguém consegue pagar.",
          }),
        ]),
    diskCondition(facts),
    databaseCondition(facts),
    ...database.replicas.map(replicaCondition),
  ]
}

const mostSkewSeconds = 60

/** Clocks of the servers against the provider's. */
function nodesCondition({ nodes }: SystemFacts): Condition {
  if (nodes.length === 0) return danger("Nenhum servidor está no ar", "Inicie-o com npm start.")
  const wrong = nodes.find(({ clockSkewSeconds }) => Math.abs(clockSkewSeconds ?? 0) > mostSkewSeconds)
  if (wrong === undefined) return well(countOf(nodes.length, "servidor ativo", "servidores ativos"))
  return danger(
    `O relógio de ${wrong.host} está ${skewText(wrong.clockSkewSeconds ?? 0)} em relação ao do banco`,
    "Acerte a hora do servidor (NTP). Enquanto isso a conciliação e o fechamento diário seguem o relógio que está atrás.",
  )
}

/** "12 min adiantado" */
function skewText(seconds: number): string {
  const [minutes = 0, hours = 0, days = 0] = [60, 3_600, 86_400].map((unit) => Math.round(Math.abs(seconds) / unit))
  const size = days >= 2 ? `${days} dias` : hours >= 2 ? `${hours} h` : minutes >= 2 ? `${minutes} min` : null
  return `${size ?? `${Math.abs(seconds)} s`} ${seconds > 0 ? "adiantado" : "atrasado"}`
}

function schemaCondition({ database, newestMigration }: SystemFacts): Condition {
  if (Number(database.migration) === newestMigration) return well("O esquema do banco de dados é o desta versão")
  return danger(
    `O banco de dados está na migração ${database.migration}, e esta versão conhece até a ${newestMigration}`,
    "Inicie o servidor desta versão.",
  )
}

const percentFormat = new Intl.NumberFormat("pt-BR", { style: "percent" })

function diskCondition({ machine: { disk } }: SystemFacts): Condition {
  const share = disk === null ? 1 : disk.freeBytes / disk.totalBytes
  if (share >= 0.1) return well("Há espaço no disco")
  return (share < 0.03 ? danger : warning)(
    `Resta ${percentFormat.format(share)} do disco do servidor`,
    "Libere espaço ou aumente o disco: cheio, nada mais é gravado.",
  )
}

function databaseCondition({ machine, bank }: SystemFacts): Condition {
  if (!machine.isDatabaseEmbedded || bank.name === "simulator") return well("O banco de dados serve")
  return warning(
    "O PostgreSQL embutido guarda dinheiro de verdade",
    "Prefira um PostgreSQL próprio, com backups contínuos, em DATABASE_URL. Os dados são levados por backup e restauração.",
  )
}

const mostLagSeconds = 60

function replicaCondition({ name, state, lagSeconds }: SystemFacts["database"]["replicas"][number]): Condition {
  const advice =
    "Confira a réplica e a rede até ela: sem réplica em dia, uma queda do banco de dados pode custar dados."
  if (state !== null && state !== "streaming") return warning(`A réplica ${name} não acompanha`, advice)
  const seconds = lagSeconds ?? 0
  if (seconds <= mostLagSeconds) return well(`A réplica ${name} acompanha`)
  const lag = seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
  return warning(`A réplica ${name} está atrasada ${lag}`, advice)
}
