import type { ShopRole } from "@tilinta/contract/vocabulary/team"
import type { NewRow } from "#db/rows-of"
import type { Tx } from "#db/transaction"
import type { TeamInvitation } from "./rules.ts"

export async function insertMember(
  tx: Tx,
  member: { shopId: string; userId: string; role: ShopRole; joinedAt: Date },
): Promise<void> {
  await tx
    .insertInto("shop_members")
    .values({
      shop_id: member.shopId,
      user_id: member.userId,
      role: member.role,
      joined_at: member.joinedAt,
    } satisfies NewRow<"shop_members">)
    .execute()
}

export async function lockMember(tx: Tx, shopId: string, userId: string): Promise<ShopRole | null> {
  const query = tx.selectFrom("shop_members").select("role").where("shop_id", "=", shopId)
  return (await query.where("user_id", "=", userId).forUpdate().executeTakeFirst())?.role ?? null
}

export async function updateRole(tx: Tx, shopId: string, userId: string, role: ShopRole): Promise<void> {
  const query = tx.updateTable("shop_members").set({ role }).where("shop_id", "=", shopId)
  await query.where("user_id", "=", userId).execute()
}

export async function deleteMember(tx: Tx, shopId: string, userId: string): Promise<void> {
  await tx.deleteFrom("shop_members").where("shop_id", "=", shopId).where("user_id", "=", userId).execute()
}

/** Ends the shop's team, and the person's places in others. */
export async function deleteMembersOf(tx: Tx, userId: string): Promise<{ userId: string }[]> {
  const query = tx
    .deleteFrom("shop_members")
    .where((row) => row.or([row("shop_id", "=", userId), row("user_id", "=", userId)]))
  return query.returning("user_id as userId").execute()
}

export async function countTeam(tx: Tx, shopId: string): Promise<number> {
  const count = (table: "shop_members" | "shop_invitations") =>
    tx
      .selectFrom(table)
      .where("shop_id", "=", shopId)
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow()
  return (await count("shop_members")).count + (await count("shop_invitations")).count
}

export async function insertInvitation(
  tx: Tx,
  invitation: TeamInvitation & { tokenHash: Buffer; invitedBy: string },
): Promise<void> {
  await tx
    .insertInto("shop_invitations")
    .values({
      id: invitation.id,
      token_hash: invitation.tokenHash,
      shop_id: invitation.shopId,
      email: invitation.email,
      email_key: invitation.emailKey,
      role: invitation.role,
      invited_by: invitation.invitedBy,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    } satisfies NewRow<"shop_invitations">)
    .execute()
}

/** One of several who use it at once gets it. */
export async function takeInvitation(tx: Tx, id: string): Promise<boolean> {
  const taken = await tx.deleteFrom("shop_invitations").where("id", "=", id).returning("id").executeTakeFirst()
  return taken !== undefined
}

export async function deleteInvitationTo(tx: Tx, shopId: string, emailKey: string): Promise<void> {
  await tx.deleteFrom("shop_invitations").where("shop_id", "=", shopId).where("email_key", "=", emailKey).execute()
}

export async function deleteOwnInvitation(
  tx: Tx,
  { id, shopId }: { id: string; shopId: string },
): Promise<{ email: string; role: ShopRole } | undefined> {
  const query = tx.deleteFrom("shop_invitations").where("id", "=", id).where("shop_id", "=", shopId)
  return query.returning(["email", "role"]).executeTakeFirst()
}

/** Those to the person's shop, and those that they sent for others. */
export async function deleteInvitationsBy(
  tx: Tx,
  userId: string,
): Promise<{ shopId: string; email: string; role: ShopRole }[]> {
  const query = tx
    .deleteFrom("shop_invitations")
    .where((row) => row.or([row("shop_id", "=", userId), row("invited_by", "=", userId)]))
  return query.returning(["shop_id as shopId", "email", "role"]).execute()
}

/** The shop ends, and so do its invitations, and those to its address. */
export async function deleteInvitationsOf(tx: Tx, shopId: string, emailKey: string): Promise<void> {
  await tx
    .deleteFrom("shop_invitations")
    .where((row) => row.or([row("shop_id", "=", shopId), row("email_key", "=", emailKey)]))
    .execute()
}

export async function deleteInvitationsExpiredBefore(tx: Tx, moment: Date): Promise<void> {
  await tx.deleteFrom("shop_invitations").where("expires_at", "<=", moment).execute()
}
