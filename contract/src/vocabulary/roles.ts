export const roles = ["user", "admin"] as const
export type Role = (typeof roles)[number]

export const roleLabels = { user: "Usuário", admin: "Administrador" } as const satisfies Record<Role, string>
