import { getRouteApi, Link } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { AuthCard, textLinkClass } from "../auth-card.tsx"
import { authTexts } from "../auth-texts.ts"
import { FormDone } from "../form-done.tsx"
import { NewPasswordForm } from "./new-password-form.tsx"

const route = getRouteApi("/mailed-link/reset-password/$token")
const redirectAfterMs = 3000

export function ResetPasswordPage() {
  const { token } = route.useParams()
  const [done, setDone] = useState(false)
  useRedirectToLogin(done)

  return (
    <AuthCard title="Redefinir senha" lead={done ? "A nova senha já vale." : "Escolha a nova senha da sua conta."}>
      {done ? (
        <FormDone message={authTexts.resetDone} />
      ) : (
        <NewPasswordForm key={token} token={token} onDone={() => setDone(true)} />
      )}
      <p className="mt-3 -mb-2.5 text-center text-t2">
        {done ? (
          <Link to="/login" replace className={textLinkClass}>
            Ir para o login
          </Link>
        ) : (
          <>
            O link não funciona?{" "}
            <Link to="/forgot-password" className={textLinkClass}>
              Peça um novo
            </Link>
          </>
        )}
      </p>
    </AuthCard>
  )
}

/** Replaces the history entry, because the reset link works only once. */
function useRedirectToLogin(done: boolean): void {
  const navigate = route.useNavigate()
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => void navigate({ to: "/login", replace: true }), redirectAfterMs)
    return () => clearTimeout(timer)
  }, [done, navigate])
}
