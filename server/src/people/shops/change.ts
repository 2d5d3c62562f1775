import { createHash } from "node:crypto"
import type { ChangeShopBody } from "@tilinta/contract/shops"
import type { Db, Tx } from "#db/transaction"
import type { Clock } from "#kit/clock"
import { brokenRule, DomainError } from "#kit/errors"
import { newId } from "#kit/ids"
import type { SecretKeys } from "#kit/secrets"
import { warnOwner } from "#people/freezes/freeze"
import { type Proof, requireStepUp } from "#people/second-factors/factors"
import { lockPerson } from "#people/users/change-user"
import { refuseMisleading } from "#people/users/misleading-names"
import { recordAudit } from "#platform/audit/record"
import type { Actor } from "#platform/audit/rules"
import { whenceOf } from "#platform/mails/mail-content"
import { macOf, renewMacs } from "#platform/order-macs/macs"
import { auditOfShop, changesOfIdentity, isNamedAnew, type Shop, type ShopNameRow, shopNameOrder } from "./rules.ts"
import { insertShopName, lockNamesOfFormerKey, lockShop, saveNameMac, updateLogo, updateShop } from "./table.ts"

interface Deps {
  db: Db
  clock: Clock
}

/** Missing fields stay as they are. Another name, document or contact asks who it is, and its owner hears of it. */
export async function changeShop(
  { db, clock }: Deps,
  owner: Actor,
  sent: ChangeShopBody,
  /** Null where nobody from outside asks. */
  proof: Proof | null = null,
): Promise<Shop> {
  if (proof !== null) {
    const texts = { name: sent.name, closedText: sent.closedText }
    await refuseMisleading({ db, protection: proof.protection }, { userId: owner.id, texts })
  }
  return db.transaction().execute((tx) => saveShop(tx, owner, { sent, proof, now: clock.now() }))
}

interface Change {
  sent: ChangeShopBody
  proof: Proof | null
  now: Date
}

async function saveShop(tx: Tx, owner: Actor, { sent, proof, now }: Change): Promise<Shop> {
  const person = await lockPerson(tx, owner.id)
  if (person?.isActive !== true) throw new DomainError("account_disabled")
  const before = await lockShop(tx, owner.id, now)
  const after = { ...before, ...givenOf(sent) }
  const entry = auditOfShop({ before, after }, owner, now)
  if (entry === null) return after

  if (after.document.length === 11 && after.document !== before.document && after.document !== person.cpf) {
    throw brokenRule("document", "Este CPF não é o do seu cadastro. Informe o seu CPF ou um CNPJ.")
  }
  const changes = changesOfIdentity(before, after)
  if (changes.length > 0 && proof !== null) await requireStepUp(tx, proof)
  await updateShop(tx, owner.id, after, now)
  if (isNamedAnew(before, after)) {
    const row = { id: newId(), sellerId: owner.id, name: after.name, document: after.document, since: now }
    await insertShopName(tx, { ...row, mac: macOf(shopNameOrder(row)) })
  }
  await recordAudit(tx, entry)
  if (changes.length > 0) {
    const facts = { changes, changedAt: now.toISOString(), ...whenceOf(owner) }
    await warnOwner(tx, owner.id, { kind: "shop_changed", ...facts }, now)
  }
  return after
}

function givenOf(sent: ChangeShopBody): Partial<Shop> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
}

/** Null removes it. `logo` is a picture that we drew. */
export async function changeLogo({ db, clock }: Deps, owner: Actor, logo: Buffer | null): Promise<Shop> {
  return db.transaction().execute((tx) => saveLogo(tx, owner, { logo, now: clock.now() }))
}

async function saveLogo(tx: Tx, owner: Actor, { logo, now }: { logo: Buffer | null; now: Date }): Promise<Shop> {
  const person = await lockPerson(tx, owner.id)
  if (person?.isActive !== true) throw new DomainError("account_disabled")
  const before = await lockShop(tx, owner.id, now)
  const digest = logo === null ? null : createHash("sha256").update(logo).digest("hex").slice(0, 32)
  if (digest === before.logoDigest) return before
  await updateLogo(tx, owner.id, { logo, digest }, now)
  await recordAudit(tx, {
    actor: owner,
    happenedAt: now,
    action: digest === null ? "shop.logo_removed" : "shop.logo_changed",
    entity: "user",
    entityId: owner.id,
    before: null,
    after: null,
  })
  return { ...before, logoDigest: digest }
}

/** For a rotation of SECRETS_KEY; how many names got other MACs. */
export async function renewShopMacs(tx: Tx, secretKeys: SecretKeys): Promise<number> {
  return renewMacs<ShopNameRow>(secretKeys, {
    rows: await lockNamesOfFormerKey(tx, secretKeys),
    orderOf: shopNameOrder,
    save: (row, mac) => saveNameMac(tx, row, mac ?? row.mac),
  })
}
