import type { SoleDb } from "#db/transaction"
import type { Actor } from "#domain/platform/audit/audit-entry"
import type { OpeningCounter } from "#domain/platform/openings/opening-counter"
import type { CreateChargeDeps } from "#domain/selling/charges/create-charge"
import { DomainError } from "#kit/domain-error"
import type { Protection } from "#kit/protection"
import type { Agenda } from "./agenda.ts"
import type { SandboxBank } from "./sandbox-bank.ts"
import type { Luck } from "./seeded-luck.ts"
import type { DemoSeller } from "./sellers.ts"

/** Nobody here has a second factor. */
export function noSecrets(): never {
  throw new Error("the demo asks for a secret")
}

/** The context shared by all parts of the story. */
export interface Story {
  /** Dependencies of the domain's verbs, with the agenda's clock. */
  deps: CreateChargeDeps & { db: SoleDb; protection: Protection }
  agenda: Agenda
  luck: Luck
  bank: SandboxBank
  openings: OpeningCounter
  admin: Actor
  password: string
  start: Date
  end: Date
}

/** A registered seller. */
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
/** Days in the story are numbers out of this many; a shorter history is the same one, compressed. */
const wholeDays = 90

/** Midnight, so many days after the beginning. */
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

/** The same time, or the next morning when it is outside office hours. */
export function inOfficeHours(moment: Date): Date {
  const minute = (moment.getUTCHours() * 60 + moment.getUTCMinutes() + 21 * 60) % (24 * 60)
  const [opens, closes] = [9 * 60, 18 * 60]
  if (minute < opens) return minutesAfter(moment, opens - minute + (minute % 50))
  return minute < closes ? moment : minutesAfter(moment, 24 * 60 + opens - minute + (minute % 50))
}

/** Null for a DomainError: people also try what is no longer possible. */
export async function unlessRefused<Result>(attempt: Promise<Result>): Promise<Result | null> {
  try {
    return await attempt
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
