import { counterStaff } from "@tilinta/contract/vocabulary/team"
import { sql } from "kysely"
import { wordList } from "#db/prepared"
import type { Db } from "#db/transaction"
import type { LiveScreen, Screen } from "./rules.ts"

/** It ends with its creator's place at the counter, and with each freeze of theirs or the shop's, for good. */
const isLive = sql<boolean>`(
  shop.active and shop.role = 'user' and (screen.created_by = screen.shop_id or exists (
    select from shop_members member join users person on person.id = member.user_id and person.active
    where member.shop_id = screen.shop_id and member.user_id = screen.created_by
      and member.role in ${wordList(counterStaff)} and member.joined_at <= screen.created_at
  )) and not exists (
    select from freezes where user_id in (screen.shop_id, screen.created_by)
      and (ended_at is null or frozen_at >= screen.created_at)
  )
)`

export async function findScreenByToken(db: Db, tokenHash: Buffer): Promise<LiveScreen | null> {
  const { rows } = await sql<LiveScreen>`
    select screen.shop_id as "shopId", screen.created_by as "createdById", screen.charge_id as "chargeId"
    from shop_screens screen join users shop on shop.id = screen.shop_id
    where screen.token_hash = ${tokenHash} and ${isLive}`.execute(db)
  return rows[0] ?? null
}

/** Those that are paired, or wait for their code, the newest first. */
export async function listScreens(db: Db, shopId: string, now: Date): Promise<Screen[]> {
  const { rows } = await sql<Screen>`
    select screen.id, jsonb_build_object('_id', person.id, 'name', person.name) as "createdBy",
      screen.created_at as "createdAt", screen.paired_at as "pairedAt"
    from shop_screens screen join users shop on shop.id = screen.shop_id join users person on person.id = screen.created_by
    where screen.shop_id = ${shopId} and ${isLive} and (screen.paired_at is not null or screen.code_expires_at > ${now})
    order by screen.created_at desc, screen.id desc`.execute(db)
  return rows
}

export async function isSaleOf(db: Db, shopId: string, chargeId: string): Promise<boolean> {
  const query = db.selectFrom("counter_sales").select("charge_id").where("charge_id", "=", chargeId)
  return (await query.where("seller_id", "=", shopId).executeTakeFirst()) !== undefined
}
