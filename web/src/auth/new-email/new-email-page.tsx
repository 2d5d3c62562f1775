import { useMutation } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import type { confirmNewEmailEndpoint } from "@tilinta/contract/api/auth-endpoints"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { leanEndpoint } from "#api/lean-endpoint.ts"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/form-alert.tsx"
import { AuthCard, textLinkClass } from "../auth-card.tsx"
import { authTexts } from "../auth-texts.ts"
import { FormDone } from "../form-done.tsx"

const route = getRouteApi("/mailed-link/new-email/$token")
const confirmNewEmail = leanEndpoint<typeof confirmNewEmailEndpoint>("POST", "/api/v1/auth/newEmail/:token")

/** Opening the link confirms nothing: mail programs open links, too. */
export function NewEmailPage() {
  const { token } = route.useParams()
  const confirm = useMutation({
    mutationFn: () => call(confirmNewEmail, { params: { token } }),
    onSuccess: () => session.close(),
  })

  return (
    <AuthCard
      title="Confirmar e-mail"
      lead={confirm.isSuccess ? "O novo endereço já vale." : "Este passa a ser o e-mail da sua conta."}
    >
      {confirm.isSuccess ? (
        <FormDone message={confirm.data.message} />
      ) : (
        <div className="grid gap-4">
          <FormAlert message={confirm.isError ? messageOf(confirm.error, authTexts.emailNotConfirmed) : null} />
          <p className="text-label text-t2">
            As sessões abertas terminam, e o endereço antigo é avisado. Não pediu esta troca? Não confirme e fale com o
            suporte.
          </p>
          <Button look="primary" disabled={confirm.isPending} onClick={() => confirm.mutate()}>
            {confirm.isPending ? "Confirmando..." : "Confirmar e-mail"}
          </Button>
        </div>
      )}
      <p className="mt-3 -mb-2.5 text-center text-t2">
        <Link to="/login" replace className={textLinkClass}>
          Ir para o login
        </Link>
      </p>
    </AuthCard>
  )
}
