import type { LegalKind } from "@tilinta/contract/vocabulary/mails"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { findLegalStates, findLegalText, insertAcceptanceOnce, insertNextText, type LegalState } from "./table.ts"

export interface ShownLegalText {
  version: number
  publishedAt: Date
  isInForce: boolean
  body: string
}

/** Null for a version that never was. */
export async function readLegalText(db: Db, kind: LegalKind, version: number | null): Promise<ShownLegalText | null> {
  const text = await findLegalText(db, kind, version)
  if (text === undefined) return null
  const { publishedAt, isInForce, body } = text
  return { version: text.version, publishedAt, isInForce, body: body === "" ? builtInTexts[kind] : body }
}

/** A legal text that was saved is a new version from here on. Call it in the transaction that saves the setting. */
export async function publishLegalText(
  tx: Tx,
  { key, value, by }: { key: string; value: unknown; by: string },
  now: Date,
): Promise<void> {
  const kind = legalKindOf(key)
  if (kind !== null) await insertNextText(tx, { kind, body: String(value).trim(), by, now })
}

interface Version {
  kind: LegalKind
  version: number
}

export async function listLegalTextsOf(db: Db, userId: string): Promise<LegalState[]> {
  return findLegalStates(db, userId)
}

/** Only what was shown is accepted: an older version is refused. @throws legal_text_changed */
export async function acceptLegalTexts(
  { db, clock }: { db: Db; clock: Clock },
  actor: Actor,
  versions: readonly Version[],
): Promise<LegalState[]> {
  return db.transaction().execute((tx) => accept(tx, actor, versions, clock.now()))
}

async function accept(tx: Tx, actor: Actor, versions: readonly Version[], now: Date): Promise<LegalState[]> {
  const inForce = await findLegalStates(tx, actor.id)
  for (const { kind, version } of versions) {
    if (!inForce.some((text) => text.kind === kind && text.version === version)) {
      throw new DomainError("legal_text_changed")
    }
    await acceptOne(tx, actor, { kind, version }, now)
  }
  return findLegalStates(tx, actor.id)
}

/** For a sign-up, whose form says that it accepts them. */
export async function acceptTextsInForce(tx: Tx, actor: Actor, now: Date): Promise<void> {
  for (const { kind, version } of await findLegalStates(tx, actor.id)) {
    await insertAcceptanceOnce(tx, { userId: actor.id, kind, version, now })
  }
}

async function acceptOne(tx: Tx, actor: Actor, { kind, version }: Version, now: Date): Promise<void> {
  if (!(await insertAcceptanceOnce(tx, { userId: actor.id, kind, version, now }))) return
  await recordAudit(tx, {
    actor,
    happenedAt: now,
    action: "legal_text.accepted",
    entity: "legal_text",
    entityId: `${kind}:${version}`,
    before: null,
    after: { kind, version },
  })
}

const kindsOfSettings: Readonly<Record<string, LegalKind>> = { TERMS_TEXT: "terms", PRIVACY_TEXT: "privacy" }

/** Null for a setting that is no legal text. */
export function legalKindOf(settingKey: string): LegalKind | null {
  return kindsOfSettings[settingKey] ?? null
}

/** A line that begins with # is a heading. */
function textOf(sections: readonly (readonly [heading: string, text: string])[]): string {
  return sections.map(([heading, text]) => `# ${heading}\n${text}`).join("\n\n")
}

/** In force until the operator publishes their own. Changing a word here changes what people accepted: add settings instead. */
const builtInTexts: Record<LegalKind, string> = {
  terms: textOf([
    [
      "O serviço",
      "Esta plataforma permite criar páginas de cobrança, receber pagamentos por Pix e acompanhar saldo e transações.",
    ],
    [
      "Sua conta",
      "Você responde pelos dados que informa e pelo sigilo da sua senha. Uma conta usada para fraude ou atividade ilícita pode ser desativada.",
    ],
    [
      "Taxas",
      "De cada pagamento recebido é descontada a taxa da plataforma, mostrada antes de você criar a cobrança. Uma mudança de taxa nunca altera cobranças já geradas.",
    ],
    [
      "Estornos e cancelamentos",
      "Você pode cancelar uma cobrança ativa a qualquer momento. Pagamentos já confirmados continuam no seu histórico.",
    ],
    [
      "Encerramento",
      "Você pode excluir a sua conta no seu perfil quando ela estiver sem saldo e sem nada em andamento.",
    ],
  ]),
  privacy: textOf([
    [
      "O que guardamos de quem vende",
      "Os dados do cadastro, as cobranças e as transações delas, os saques e seus destinos, e de onde e quando a conta foi usada.",
    ],
    [
      "O que guardamos de quem paga",
      "Só os dados que a página de quem vende pede: nome, e-mail, CPF ou CNPJ, ou telefone. Quem vende os vê, e responde pelo uso que faz deles.",
    ],
    [
      "Para quê",
      "Prestar o serviço, cumprir obrigações legais e prevenir fraudes. Não vendemos dados a ninguém, e nenhuma página carrega conteúdo de terceiros.",
    ],
    [
      "Por quanto tempo",
      "Os dados de quem paga são apagados algum tempo depois do último acontecimento da cobrança; endereços IP e dispositivos também têm prazo. Pagamentos, saques e lançamentos ficam pelo tempo que a lei manda.",
    ],
    [
      "Seus direitos",
      "Quem vende baixa os seus dados, e exclui a conta, no seu perfil. Quem paga vê, corrige e apaga os seus na página do comprovante. Para tudo o mais, escreva ao contato no fim desta página.",
    ],
  ]),
}
