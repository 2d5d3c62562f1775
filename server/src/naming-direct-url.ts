import { StartError } from "#kit/start-error"
import type { Env } from "./env.ts"

/** Refusals of the owner's address name the variable that holds it. */
export async function namingDirectUrl<T>({ poolerUrl }: Pick<Env, "poolerUrl">, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (poolerUrl === null || !(error instanceof StartError)) throw error
    throw new StartError(error.message.replace(/\bDATABASE_URL\b/g, "DATABASE_DIRECT_URL"), { cause: error })
  }
}
