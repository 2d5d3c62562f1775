import { parseArgs } from "node:util"
import { systemClock } from "#kit/clock"
import { StartError } from "#kit/errors"
import { rotateSigningKey } from "#money/chain/keys"
import { readEnv } from "#start/env"
import { openSecretKeys } from "#start/secrets-file"
import { withOwnDatabase } from "./own-database.ts"
import { runCommand } from "./run-command.ts"

const usage = "Uso: npm run signing-keys:rotate -- checkpoint|receipt [--corrente-nova]"

/** `npm run signing-keys:rotate -- checkpoint|receipt`, while servers run: they sign with the new key within seconds. */
async function run(): Promise<number> {
  const options = { "corrente-nova": { type: "boolean", default: false } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [purpose, ...others] = positionals
  const beginsChain = values["corrente-nova"]
  const isKnown = purpose === "checkpoint" || (purpose === "receipt" && !beginsChain)
  if (!isKnown || others.length > 0) throw new StartError(usage)
  const env = readEnv(process.env)
  const id = await withOwnDatabase(env, { max: 1, applicationName: "signing keys" }, async (db) =>
    rotateSigningKey({ db, clock: systemClock, secretKeys: await openSecretKeys(env) }, purpose, { beginsChain }),
  )
  process.stdout.write(`A chave ${id} assina a partir de agora; as anteriores continuam publicadas.\n`)
  return 0
}

await runCommand({ usage, failure: "A troca da chave falhou", run })
