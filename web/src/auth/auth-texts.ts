export const authTexts = {
  loginDone: "Login realizado com sucesso!",
  loginFailed: "Falha ao fazer login",
  loginBroken: "Falha ao fazer login. Verifique suas credenciais.",
  loginToast: "Erro ao fazer login",
  signupDone: "Cadastro realizado com sucesso!",
  signupFailed: "Falha ao criar conta",
  signupBroken: "Falha ao criar sua conta. Tente novamente.",
  signupToast: "Erro ao fazer cadastro",
  loggedOut: "Você saiu da sua conta",
  fillIn: "Preencha todos os campos obrigatórios",
} as const
