import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline/promises"
import { parseArgs, parseEnv } from "node:util"
import { StartError } from "#kit/errors"
import { runCommand } from "./run-command.ts"
import { setUp } from "./set-up.ts"

const usage = "Uso: npm run setup [-- --arquivo tilinta.env] [--respostas ARQUIVO] [NOME=valor …] [--mesmo-assim]"

/**
 * `npm run setup [-- --arquivo tilinta.env] [--respostas FILE] [NAME=VALUE …] [--mesmo-assim]`: writes the server's environment
 * after trying it out. Asks where a person is at the terminal. Exit 1 when a check failed.
 */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      arquivo: { type: "string", default: "tilinta.env" },
      respostas: { type: "string" },
      "mesmo-assim": { type: "boolean", default: false },
    },
    allowPositionals: true,
  })
  const fromFile = values.respostas === undefined ? {} : parseEnv(await readFile(values.respostas, "utf8"))
  const answers = { ...(fromFile as Record<string, string>), ...Object.fromEntries(positionals.map(pairOf)) }
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : null
  const ask = async (question: string, usual: string) => {
    const answer = (await terminal?.question(`${question}${usual === "" ? "" : ` [${usual}]`}: `)) ?? ""
    return answer.trim() === "" ? usual : answer.trim()
  }
  try {
    const failures = await setUp({
      answers,
      ask: terminal === null ? null : ask,
      say: (line) => void process.stdout.write(`${line}\n`),
      file: values.arquivo,
      insists: values["mesmo-assim"],
    })
    return failures === 0 ? 0 : 1
  } finally {
    terminal?.close()
  }
}

function pairOf(text: string): [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([^]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new StartError(`Escreva NOME=valor, e não ${text}.`)
  return [name, value]
}

await runCommand({ usage, failure: "A preparação falhou", run })
