const words: readonly [RegExp, string][] = [
  [/^the provider answered (\d+) to a (?:payout|refund)/, "o banco respondeu $1"],
  [/^(?:the provider|the approval was) answered (?:with )?(\d+)/, "o banco respondeu $1"],
  [/^token refused with status (\d+)/, "o banco recusou o acesso, com $1"],
  [/^no access token/, "o banco não deu acesso"],
  [/^no answer from the provider/, "o banco não respondeu"],
  [/^no answer or not booked/, "o banco não respondeu, ou o pagamento não pôde ser contabilizado"],
  [
    /^the provider keeps failing and was not asked/,
    "as chamadas ao banco foram pausadas por alguns segundos depois de várias falhas",
  ],
  [/^the provider asked to be left alone for a while/, "o banco pediu uma pausa"],
  [/^(?:unreadable|cut off|answer larger)/, "o banco enviou uma resposta inválida"],
  [/^the provider answered another/, "o banco respondeu sobre outra coisa"],
  [/^[^0-9]{0,40}\b([45]\d\d)[ -]/, "o servidor de e-mail recusou, com $1"],
  [/No space left on device/, "o disco está cheio"],
  [/read-only transaction/, "o banco de dados só aceita leitura"],
  [/getaddrinfo (E[A-Z_]+)/, "o endereço do servidor não foi encontrado ($1)"],
  [/connect (E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|CONNREFUSED|CONNRESET))/, "o servidor de destino não respondeu ($1)"],
  [/connection|connect ECONN|terminating|timeout/i, "o banco de dados ou o servidor de destino não respondeu"],
]

/** A failure in an admin's words. Text that nothing here translates stays in the server's log, with its code shown. */
export function failureWords(failure: string): string {
  for (const [pattern, told] of words) {
    const match = pattern.exec(failure)
    if (match !== null) return told.replace("$1", match[1] ?? "") + asideOf(failure)
  }
  const code = /\b(?:E[A-Z]{4,}|[0-9A-Z]{5})\b/.exec(failure)?.[0]
  return `falha inesperada${code === undefined ? "" : ` (${code})`}: os detalhes estão no registro do servidor`
}

/** Text in parentheses at the end: the provider's own words, or a code of the network. */
function asideOf(failure: string): string {
  const aside = /\([^()]+\)$/.exec(failure.trim())?.[0]
  return aside === undefined ? "" : ` ${aside}`
}
