import { DomainError } from "#kit/domain-error"

/** One answer to whatever is wrong, so that it tells nothing about accounts and their passkeys. */
export function passkeyRefused(): DomainError {
  return new DomainError("second_factor_invalid", {
    message:
      "Não foi possível confirmar a chave de acesso: ela não é desta conta, foi removida ou demorou. Tente de novo.",
  })
}
