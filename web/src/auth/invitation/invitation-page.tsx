import { getRouteApi, Link, useNavigate } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import type { getTeamInvitationEndpoint } from "@tilinta/contract/team"
import { shopRoleHints, shopRoleLabels } from "@tilinta/contract/vocabulary/team-texts"
import { useEffect, useState } from "react"
import { actFor, keepInvitation } from "#api/acting-shop.ts"
import { messageOf } from "#api/api-error.ts"
import { call, type ReplyOf } from "#api/client.ts"
import { logOut, useUser } from "#api/session.ts"
import { Button, buttonClass } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { FormPage } from "#ui/form-page.tsx"
import { useSubmit } from "#ui/use-submit.ts"

const route = getRouteApi("/mailed-link/convite/$token")

type Offer = ReplyOf<typeof getTeamInvitationEndpoint>["data"]["invitation"]

const failed = "Não foi possível abrir o convite. Tente de novo."

/** Opening the link accepts nothing: mail programs open links, too. These pages have no query client. */
export function InvitationPage() {
  const { token } = route.useParams()
  const { offer, problem } = useOffer(token)
  if (offer === null) {
    return (
      <FormPage title="Convite" lead={problem === null ? "Abrindo o convite…" : "Não deu para abrir este convite."}>
        <FormAlert message={problem} />
      </FormPage>
    )
  }
  return (
    <FormPage
      title={`Convite de ${offer.shop}`}
      lead={`Você foi convidado como ${shopRoleLabels[offer.role].toLowerCase()}.`}
    >
      <div className="grid gap-4">
        <p className="text-label text-t2">{shopRoleHints[offer.role]}</p>
        <Answer token={token} email={offer.email} />
      </div>
    </FormPage>
  )
}

function useOffer(token: string) {
  const [offer, setOffer] = useState<Offer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const asking = new AbortController()
    call(heads.getTeamInvitation, { params: { token }, signal: asking.signal })
      .then(({ data }) => setOffer(data.invitation))
      .catch((error: unknown) => {
        if (asking.signal.aborted) return
        keepInvitation(null)
        setProblem(messageOf(error, failed))
      })
    return () => asking.abort()
  }, [token])
  return { offer, problem }
}

function Answer({ token, email }: { token: string; email: string }) {
  const user = useUser()
  const navigate = useNavigate()
  const { submit, busy, failure } = useSubmit(
    async () => {
      const { data } = await call(heads.acceptTeamInvitation, { params: { token } })
      keepInvitation(null)
      actFor(data.shop._id)
    },
    (error) => messageOf(error, failed),
  )
  if (user === null) {
    const keep = () => keepInvitation(token)
    return (
      <>
        <p className="text-label text-t2">
          O convite é para <b className="font-[650] text-t1">{email}</b>. Entre com a conta deste e-mail, ou crie uma.
        </p>
        <Link to="/login" onClick={keep} className={buttonClass("primary")}>
          Entrar
        </Link>
        <Link to="/register" onClick={keep} className={buttonClass("secondary")}>
          Criar conta
        </Link>
      </>
    )
  }

  function changeAccount(): void {
    logOut()
    keepInvitation(token)
    void navigate({ to: "/login" })
  }

  return (
    <>
      <FormAlert message={failure} />
      <p className="text-label text-t2">
        Você entrou como <b className="font-[650] text-t1">{user.email}</b>.
      </p>
      <Button variant="primary" disabled={busy} onClick={() => void submit()}>
        {busy ? "Aceitando..." : "Aceitar convite"}
      </Button>
      <Button variant="ghost" onClick={changeAccount}>
        Usar outra conta
      </Button>
    </>
  )
}
