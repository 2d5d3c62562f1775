import type { Db, Tx } from "#db/transaction"
import { networkOf } from "#kit/outside"
import { currentDevice } from "#kit/request-scope"
import { hashOfToken, isToken, newToken } from "#kit/secrets"
import { findFrozen, issueNotMeLink } from "#people/freezes/freeze"
import { notifyOwner } from "#platform/mails/notify-owner"
import {
  deleteDevicesOf,
  deleteOldestDevicesOf,
  existsDeviceOf,
  existsKnownDevice,
  type FailedLogin,
  insertKnownDevice,
} from "./credentials-table.ts"
import { emailKeyOf } from "./rules.ts"

const MOST_DEVICES = 20
const ofDevice = "device:"

interface Caller {
  email: string
  address: string
  /** The token of the browser's cookie, if it has one. */
  device: string | null
}

/** An attempt with the address that it came from, for the audit and the owner. */
export interface LoginAttempt extends FailedLogin {
  from: string
}

/** A known device is counted by itself, everybody else by their network, so that no stranger can stop the owner. */
export async function attemptOf(db: Db, { email, address, device }: Caller): Promise<LoginAttempt> {
  const accountKey = emailKeyOf(email)
  const hash = device !== null && isToken(device) ? hashOfToken(device) : null
  const isKnown = hash !== null && (await existsKnownDevice(db, accountKey, hash))
  return { accountKey, address: isKnown ? `${ofDevice}${hash.toString("hex")}` : networkOf(address), from: address }
}

export function isByKnownDevice({ address }: FailedLogin): boolean {
  return address.startsWith(ofDevice)
}

/** Returns the token for the browser's cookie, which is stored nowhere; null when the device is known already. */
export async function rememberDevice(tx: Tx, userId: string, attempt: LoginAttempt, now: Date): Promise<string | null> {
  if (isByKnownDevice(attempt)) return null
  // A freeze forgot the devices, and whoever signs in without ending it may be the thief.
  const isNotified = (await existsDeviceOf(tx, userId)) || (await findFrozen(tx, [userId])).size > 0
  if (isNotified) await notifyOfNewDevice(tx, userId, attempt, now)
  const token = newToken()
  await insertKnownDevice(tx, userId, hashOfToken(token), now)
  await deleteOldestDevicesOf(tx, userId, MOST_DEVICES)
  return token
}

/** The browser that a thief signed in with is a stranger again, also for the limit of failed sign-ins. */
export async function forgetDevices(tx: Tx, userId: string): Promise<void> {
  await deleteDevicesOf(tx, userId)
}

/** A program that logs in again and again keeps no cookie: it is told once an hour, and another device at once. */
async function notifyOfNewDevice(tx: Tx, userId: string, { from, address }: LoginAttempt, now: Date): Promise<void> {
  const userAgent = currentDevice()
  const hour = now.toISOString().slice(0, 13)
  const who = hashOfToken(`${address} ${userAgent}`).toString("base64url")
  const notice = { kind: "new_device", at: now.toISOString(), address: from, userAgent } as const
  const notMe = await issueNotMeLink(tx, userId, now)
  await notifyOwner(tx, { userId, notice, notMe, dedupeKey: `new-device:${userId}:${who}:${hour}` }, now)
}
