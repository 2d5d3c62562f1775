import type { Db } from "#db/transaction"
import { readPlatform } from "#domain/platform/settings/read-platform"
import { brokenRule } from "#kit/domain-error"

interface Owner {
  name: string
  email: string
}

/** Frequent in Brazil and missing from the package's list. */
const alsoCommon = [
  ...["mudar123", "trocar123", "brasil123", "brasil10", "corinthians", "corinthians1", "vascodagama", "deusefiel"],
  ...["jesuscristo", "teamomuito", "euteamo123", "flamengo1", "saopaulo1", "gvt12345", "senhasenha", "bemvindo"],
]

/** Words of the trade, which docs/security/foundations.md lists. */
const ofTheTrade = [
  ...["pix", "senha", "banco", "dinheiro", "loja", "vendas", "pagamento", "cobranca", "recebimento", "vendedor"],
  ...["admin", "administrador"],
]

let commonOnes: Promise<ReadonlySet<string>> | undefined

/** @throws validation_failed for what a guesser tries first: a common password, or the owner's or the platform's name */
export async function refuseGuessable(db: Db, password: string, owner: Owner): Promise<void> {
  if (isMonotonous(password) || (await isCommon(password))) {
    throw brokenRule("password", "Esta senha está entre as mais usadas e é fácil de adivinhar. Escolha outra.")
  }
  const { name: platform } = await readPlatform(db)
  if (isOwnName(password, owner, platform)) {
    throw brokenRule(
      "password",
      "A senha não pode ser o seu nome, o seu e-mail, o nome da plataforma ou uma palavra como “pagamento”. Escolha outra.",
    )
  }
}

/** Also with some digits or marks after it. */
function isOwnName(password: string, { name, email }: Owner, platform: string): boolean {
  const [local = "", domain = ""] = email.split("@")
  const [firstOfDomain = ""] = domain.split(".")
  const own = [name, ...name.split(/\s+/), email, local, domain, firstOfDomain, platform].map(lettersAndDigits)
  const names = [...own, ...ofTheTrade]
  const typed = lettersAndDigits(password)
  const words = [typed, typed.replace(/\d+$/, "")]
  return names.some((one) => one.length >= 3 && words.some((word) => word === one || word === one + one))
}

function isMonotonous(password: string): boolean {
  const typed = lettersAndDigits(password)
  if (typed === "" || new Set(typed).size <= 2) return true
  const steps = [...typed].slice(1).map((character, at) => character.charCodeAt(0) - typed.charCodeAt(at))
  return steps.every((step) => step === 1) || steps.every((step) => step === -1) || hasShortPeriod(typed)
}

/** `abcabcabc`, `12341234`. */
function hasShortPeriod(typed: string): boolean {
  return [3, 4].some((length) => typed.length >= 2 * length && typed.slice(length) === typed.slice(0, -length))
}

/** Loaded with the first new password: the list is large, and few calls need it. */
async function isCommon(password: string): Promise<boolean> {
  commonOnes ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...dictionary["passwords-common"], ...alsoCommon]),
  )
  const common = await commonOnes
  const typed = password.trim().toLowerCase()
  return common.has(typed) || common.has(lettersAndDigits(password))
}

/** Without case, accents, blanks and marks. */
function lettersAndDigits(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
}
