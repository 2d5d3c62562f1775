const words: readonly [RegExp, string][] = [
  [/^the provider answered (\d+) to a (?:payout|refund)/, "o banco respondeu $1"],
  [/^(?:the provider|the approval was) answered (?:with )?(\d+)/, "o banco respondeu $1"],
  [/^token refused with status (\d+)/, "o banco recusou o acesso, com $1"],
  [/^no access token/, "o banco não deu acesso"],
  [/^no answer from the provider/, "o banco não respondeu"],
  [/^no answer or not booked/, "o banco não respondeu, ou o pagamento não pôde ser contabilizado"],
  [/^the provider keeps failing and was not asked/, "o banco vem falhando e ficou um instante sem ser perguntado"],
  [/^the provider asked to be left alone for a while/, "o banco pediu uma pausa"],
  [/^(?:unreadable|cut off|answer larger)/, "o banco respondeu o que não se pode ler"],
  [/^the provider answered another/, "o banco respondeu sobre outra coisa"],
]

/** A failure in an admin's words; technical text without a translation stays as it is, marked as such. */
export function failureWords(failure: string): string {
  for (const [pattern, told] of words) {
    const detail = failure.replace(pattern, told)
    if (detail !== failure) return detail
  }
  return `detalhe técnico: ${failure}`
}
