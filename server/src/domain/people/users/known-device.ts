import type { Db, Tx } from "#db/transaction"
import { networkOf } from "#kit/client-network"
import { hashOfToken, isToken, newToken } from "#kit/secret-token"
import type { FailedLogin } from "./failed-logins-repository.ts"
import { deleteOldestDevicesOf, existsKnownDevice, insertKnownDevice } from "./known-devices-repository.ts"
import { emailKeyOf } from "./user.ts"

const MOST_DEVICES = 20
const ofDevice = "device:"

interface Caller {
  email: string
  address: string
  /** The token of the browser's cookie, if it has one. */
  device: string | null
}

/** A known device is counted by itself, everybody else by their network, so that no stranger can stop the owner. */
export async function attemptOf(db: Db, { email, address, device }: Caller): Promise<FailedLogin> {
  const accountKey = emailKeyOf(email)
  const hash = device !== null && isToken(device) ? hashOfToken(device) : null
  const isKnown = hash !== null && (await existsKnownDevice(db, accountKey, hash))
  return { accountKey, address: isKnown ? `${ofDevice}${hash.toString("hex")}` : networkOf(address) }
}

export function isByKnownDevice({ address }: FailedLogin): boolean {
  return address.startsWith(ofDevice)
}

/** Returns the token for the browser's cookie, which is stored nowhere; null when the device is known already. */
export async function rememberDevice(tx: Tx, userId: string, attempt: FailedLogin, now: Date): Promise<string | null> {
  if (isByKnownDevice(attempt)) return null
  const token = newToken()
  await insertKnownDevice(tx, userId, hashOfToken(token), now)
  await deleteOldestDevicesOf(tx, userId, MOST_DEVICES)
  return token
}
