import { percentageFromBasisPoints } from "@tilinta/contract/vocabulary/money"
import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import { sql } from "kysely"
import { prepared } from "#db/prepared"
import { textList, uuidList } from "#db/rows-of"
import type { Db } from "#db/transaction"
import type { ListedShop, Member, TeamInvitation } from "./rules.ts"

const nameOfShop = sql<string>`coalesce((
  select nullif(name, '') from shop_names where seller_id = shop.id order by id desc limit 1
), shop.name)`

const isIntegrated = sql<boolean>`(
  exists (select from api_keys where user_id = shop.id and revoked_at is null)
  or exists (select from return_origins where seller_id = shop.id and cardinality(origins) > 0)
)`

/** The person's place in that shop, or in the one that they joined first. One that is closed, or an administrator's, has no team. */
export async function findPlace(
  db: Db,
  { personId, shopId }: { personId: string; shopId: string | null },
): Promise<{ shopId: string; role: ShopRole; isFrozen: boolean } | null> {
  const { rows } = await prepared<{ shopId: string; role: ShopRole; isFrozen: boolean }>("find-place-in-team")`
    select shop.id as "shopId", member.role, exists (
      select from freezes where freezes.user_id = shop.id and freezes.ended_at is null
    ) as "isFrozen"
    from shop_members member join users shop on shop.id = member.shop_id
    where member.user_id = ${personId} and (${shopId}::uuid is null or shop.id = ${shopId}::uuid)
      and shop.active and shop.role = 'user'
    order by member.joined_at, shop.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** The one of a call without X-Shop first: their own if they have one, then those they joined, as they did. */
export async function listShopsOf(db: Db, personId: string): Promise<ListedShop[]> {
  const { rows } = await sql<ListedShop & { ownBasisPoints: number | null; isListed: boolean }>`
    select shop.id, ${nameOfShop} as name, 'owner' as role, shop.fee_basis_points as "ownBasisPoints",
      ${isIntegrated} as "isIntegrated", shop.has_shop as "isListed", null::timestamptz as joined_at
    from users shop where shop.id = ${personId}
    union all
    select shop.id, ${nameOfShop} as name, member.role, shop.fee_basis_points, ${isIntegrated}, true, member.joined_at
    from shop_members member join users shop on shop.id = member.shop_id
    join users person on person.id = member.user_id and person.role = 'user'
    where member.user_id = ${personId} and shop.active and shop.role = 'user'
    order by joined_at nulls first, id`.execute(db)
  const listed = rows.length > 1 ? rows.filter(({ isListed }) => isListed) : rows
  return listed.map(({ id, name, role, ownBasisPoints, isIntegrated }) => {
    const feePercentage = ownBasisPoints === null ? null : percentageFromBasisPoints(ownBasisPoints)
    return { id, name, role, feePercentage, isIntegrated }
  })
}

/** The seller whose account the shop is first, then as they joined. */
export async function listMembers(db: Db, shopId: string): Promise<Member[]> {
  const { rows } = await prepared<Member>("list-members")`
    select person.id, person.name, person.email, team.role, team.role_is_founders as "isFounder", person.active as "isActive",
      team.since, (
        select max(last_used_at) from sessions where user_id = person.id and viewer_id is null
      ) as "lastSeenAt"
    from (
      select id as user_id, 'owner' as role, true as role_is_founders, created_at as since from users where id = ${shopId}
      union all select user_id, role, false, joined_at from shop_members where shop_id = ${shopId}
    ) team join users person on person.id = team.user_id
    order by team.role_is_founders desc, team.since, person.id`.execute(db)
  return rows
}

export async function findMember(db: Db, shopId: string, personId: string): Promise<Member | null> {
  return (await listMembers(db, shopId)).find(({ id }) => id === personId) ?? null
}

export async function findMemberIds(db: Db, shopId: string): Promise<string[]> {
  const rows = await db.selectFrom("shop_members").select("user_id").where("shop_id", "=", shopId).execute()
  return rows.map(({ user_id }) => user_id)
}

/** With the role that each had at that moment; null where they joined later. */
export async function listRolesAt(
  db: Db,
  shopId: string,
  moment: Date,
): Promise<{ memberId: string; role: ShopRole; formerRole: ShopRole | null }[]> {
  const { rows } = await sql<{ memberId: string; role: ShopRole; formerRole: ShopRole | null }>`
    select member.user_id as "memberId", member.role,
      case when member.joined_at < ${moment} then coalesce(changed.role, member.role) end as "formerRole"
    from shop_members member left join lateral (
      select before ->> 'shopRole' as role from audit_records
      where entity = 'user' and entity_id = member.user_id::text and action = 'member.role_changed'
        and happened_at >= ${moment} and after ->> 'shopId' = ${shopId}
      order by happened_at, id limit 1
    ) changed on true
    where member.shop_id = ${shopId} order by member.user_id`.execute(db)
  return rows
}

/** Everybody who must hear what changes in the team. */
export async function findOwnerIds(db: Db, shopId: string): Promise<string[]> {
  const others = db.selectFrom("shop_members").select("user_id").where("shop_id", "=", shopId)
  const rows = await others.where("role", "=", "owner").orderBy("joined_at").execute()
  return [shopId, ...rows.map(({ user_id }) => user_id)]
}

/** Members with one of these roles in these shops, with the shop's name; the sellers themselves are missing. */
export async function listMembersAs(
  db: Db,
  shopIds: readonly string[],
  roles: readonly ShopRole[],
): Promise<{ shopId: string; shop: string; memberId: string }[]> {
  const places = db.selectFrom("shop_members").select("shop_id").where("role", "in", roles)
  const found = await places.where("shop_id", "=", sql<string>`any(${uuidList(shopIds)})`).execute()
  // Payments of many sellers are told at once, and few of these have anybody.
  if (found.length === 0) return []
  const { rows } = await sql<{ shopId: string; shop: string; memberId: string }>`
    select shop.id as "shopId", ${nameOfShop} as shop, person.id as "memberId"
    from shop_members member join users shop on shop.id = member.shop_id join users person on person.id = member.user_id
    where member.shop_id = any(${uuidList(found.map(({ shop_id }) => shop_id))}) and member.role = any(${textList(roles)})
      and person.active and person.role = 'user' and shop.role = 'user'`.execute(db)
  return rows
}

export async function readShopName(db: Db, shopId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select ${nameOfShop} as name from users shop where shop.id = ${shopId}`.execute(db)
  return rows[0]?.name ?? ""
}

const columns = [
  "id",
  "shop_id as shopId",
  "email",
  "email_key as emailKey",
  "role",
  "created_at as createdAt",
  "expires_at as expiresAt",
] as const

/** It ends with its inviter's place as an owner: nobody who was removed comes back by an invitation of their own. */
const isOfOwner = sql<boolean>`(
  shop_invitations.invited_by = shop_invitations.shop_id or exists (
    select from shop_members member join users person on person.id = member.user_id and person.active
    where member.shop_id = shop_invitations.shop_id and member.user_id = shop_invitations.invited_by
      and member.role = 'owner' and member.joined_at <= shop_invitations.created_at
  )
)`

export async function listTeamInvitations(db: Db, shopId: string, now: Date): Promise<TeamInvitation[]> {
  const query = db.selectFrom("shop_invitations").select(columns).where("shop_id", "=", shopId)
  return query.where("expires_at", ">", now).where(isOfOwner).orderBy("created_at", "desc").orderBy("id").execute()
}

/** Without a shop that is open, it leads nowhere. */
export async function findLiveInvitation(db: Db, tokenHash: Buffer, now: Date): Promise<TeamInvitation | undefined> {
  const query = db.selectFrom("shop_invitations").select(columns).where("token_hash", "=", tokenHash)
  const open = db.selectFrom("users").select("id").where("active", "=", true).where("role", "=", "user")
  return query.where("expires_at", ">", now).where(isOfOwner).where("shop_id", "in", open).executeTakeFirst()
}
