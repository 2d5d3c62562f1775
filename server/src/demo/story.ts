import type { Actor } from "#domain/platform/audit/audit-entry"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import type { CreateChargeDeps } from "#domain/selling/charges/create-charge"
import { DomainError } from "#kit/domain-error"
import type { Agenda } from "./agenda.ts"
import type { SandboxBank } from "./sandbox-bank.ts"
import type { Luck } from "./seeded-luck.ts"
import type { DemoSeller } from "./sellers.ts"

/** What everybody who tells a part of it needs. */
export interface Story {
  /** What the domain's verbs take; the clock is the agenda's. */
  deps: CreateChargeDeps
  agenda: Agenda
  luck: Luck
  bank: SandboxBank
  openings: OpeningCounter
  admin: Actor
  password: string
  start: Date
  end: Date
}

/** A seller who has joined. */
export interface Shop {
  seller: DemoSeller
  actor: Actor
  pages: ShopPage[]
}

export interface ShopPage {
  id: string
  asks: DemoSeller["pages"][number]["asks"]
}

const minuteMs = 60_000

export function minutesAfter(moment: Date, minutes: number): Date {
  return new Date(moment.getTime() + minutes * minuteMs)
}

const dayMs = 24 * 60 * minuteMs
/** What the days are counted in that the story names; a shorter history is the same one, hurried. */
const wholeDays = 90

/** So many days after the beginning, at midnight. */
export function dayOf({ start, end }: Pick<Story, "start" | "end">, day: number): Date {
  const days = Math.round((end.getTime() - start.getTime()) / dayMs)
  return new Date(start.getTime() + Math.floor((day * days) / wholeDays) * dayMs)
}

/** So many days before the end. */
export function daysBefore({ start, end }: Pick<Story, "start" | "end">, days: number): Date {
  return new Date(end.getTime() - ((end.getTime() - start.getTime()) * days) / wholeDays)
}

export function hoursBefore(moment: Date, hours: number): Date {
  return minutesAfter(moment, -60 * hours)
}

/** The same moment, or the next morning's where the office is closed by then. */
export function inOfficeHours(moment: Date): Date {
  const minute = (moment.getUTCHours() * 60 + moment.getUTCMinutes() + 21 * 60) % (24 * 60)
  const [opens, closes] = [9 * 60, 18 * 60]
  if (minute < opens) return minutesAfter(moment, opens - minute + (minute % 50))
  return minute < closes ? moment : minutesAfter(moment, 24 * 60 + opens - minute + (minute % 50))
}

/** People try what isn't possible any more: null when the platform says no. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | null> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
