export const adminTexts = {
  settingsFailed: "Erro ao carregar configurações",
  settingsNotInitialized: "Erro ao inicializar configurações",
  settingNotSaved: "Erro ao salvar configuração",
  settingNotCreated: "Erro ao criar configuração",
  settingCreated: "Nova configuração criada com sucesso!",
  settingSaved: (key: string) => `Configuração ${key} salva com sucesso!`,
  settingsInitialized: (created: number, updated: number) =>
    `Configurações inicializadas: ${created} criadas, ${updated} já existiam`,
  withdrawalsFailed: "Erro ao carregar saques",
  withdrawalNotDecided: "Erro ao processar saque",
  noWithdrawals: "Nenhum saque encontrado",
  ownWithdrawal: "Você não pode decidir o seu próprio saque. Peça a outro administrador.",
  notExported: "Erro ao exportar relatório",
  noSettings: "Nenhuma configuração encontrada",
} as const
