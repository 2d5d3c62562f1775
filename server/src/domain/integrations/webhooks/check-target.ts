import { brokenRule } from "#kit/domain-error"
import { type OutsideAccess, resolveTarget, type TargetProblem, TargetRefused } from "#kit/outside-target"

const messages: Record<TargetProblem, string> = {
  malformed: "Informe um endereço completo, como https://loja.com.br/webhooks.",
  scheme: "O endereço deve começar com https://.",
  userinfo: "Não coloque usuário nem senha no endereço: confira a assinatura dos eventos.",
  port: "A porta do endereço não é válida.",
  unresolved: "Este endereço não foi encontrado no DNS. Confira o nome.",
  inside: "Este endereço leva a uma rede interna, e eventos só são enviados pela internet.",
}

/** The address as it will be called; refuses what each sending would refuse. */
export async function checkTarget(outside: OutsideAccess, url: string): Promise<string> {
  try {
    return (await resolveTarget(outside, url)).url.href
  } catch (error) {
    if (error instanceof TargetRefused) throw brokenRule("url", messages[error.problem])
    throw error
  }
}
