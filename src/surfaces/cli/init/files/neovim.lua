vim.lsp.config('exitpath', {
  cmd = { 'exitpath', 'lsp' },
  filetypes = { 'yaml', 'json', 'toml' },
  root_markers = { 'blocked-edges' },
  workspace_required = true,
})
vim.lsp.enable('exitpath')
