-- Asks `exitpath lsp` what an editor asks it, from Neovim 0.7 or newer:
-- `EXITPATH=PROGRAM SERVER_PID=FILE nvim --headless -u NONE -n -i NONE -S neovim.lua`. It runs in a
-- repository like fixtures/graph-data, and changes it. FILE gets the server's process.
local block = 'blocked-edges/4.14.0.yaml'
local risk = 'blocked-edges/4.14.1-VSphereNodesLoseTheirNames.yaml'
local other = 'blocked-edges/4.14.2-VSphereNodesLoseTheirNames.yaml'
local name = 'VSphereNodesLoseTheirNames'
local patience = 60000
local ended

local function say(text) io.stdout:write(text, '\n') end
local function ok(condition, what, found)
  if not condition then
    error(what .. (found ~= nil and '\n  found: ' .. vim.inspect(found) or ''), 0)
  end
  say('ok ' .. what)
end
local function eventually(what, condition, found)
  ok(vim.wait(patience, condition, 20), what, found and found())
end

-- Each version has its own way to start a server. These are the ways that docs/editor.md shows.
local function enable()
  local config = {
    name = 'exitpath',
    cmd = {
      'sh', '-c', 'echo $$ >"$1"; shift; exec "$@"', 'sh', vim.env.SERVER_PID, vim.env.EXITPATH, 'lsp',
    },
    filetypes = { 'yaml', 'json', 'toml' },
    root_markers = { 'blocked-edges' },
    on_exit = function(code, signal) ended = { code = code, signal = signal } end,
  }
  if vim.lsp.config then
    vim.lsp.config('exitpath', config)
    vim.lsp.enable('exitpath')
    return
  end
  config.root_dir = vim.fn.getcwd()
  local id
  vim.api.nvim_create_autocmd('FileType', {
    pattern = config.filetypes,
    callback = function(event)
      if vim.lsp.start then
        vim.lsp.start(config)
      else
        id = id or vim.lsp.start_client(config)
        vim.lsp.buf_attach_client(event.buf, id)
      end
    end,
  })
end
local function client()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)({ name = 'exitpath' })[1]
end

local function open(path)
  vim.cmd('silent edit ' .. path)
  return vim.api.nvim_get_current_buf()
end
-- edit(COMMAND): changes the buffer. `undo` takes back only this.
local function edit(command)
  vim.bo.undolevels = vim.bo.undolevels
  vim.cmd(command)
end
-- at(PATTERN): puts the cursor on the first match.
local function at(pattern)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(pattern, 'cW') > 0, pattern)
end
local function text(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n') end
local function position() return vim.lsp.util.make_position_params(0, client().offset_encoding) end
local function document() return { textDocument = vim.lsp.util.make_text_document_params() } end

-- ask(METHOD, PARAMETERS): the answer, and the error.
local function ask(method, parameters)
  local answers, problem = vim.lsp.buf_request_sync(0, method, parameters, patience)
  local _, answer = next(answers or {})
  if not answer then error(method .. ': no answer: ' .. tostring(problem), 0) end
  return answer.result, answer.error or answer.err
end
local function answered(method, parameters)
  local result, problem = ask(method, parameters)
  if problem then error(method .. ': ' .. vim.inspect(problem), 0) end
  if result == vim.NIL then return nil end
  return result
end

local function diagnostics(buffer)
  local found = vim.tbl_map(function(one)
    return ('%d:%d-%d:%d %s'):format(one.lnum, one.col, one.end_lnum, one.end_col, one.message)
  end, vim.diagnostic.get(buffer))
  table.sort(found)
  return found
end
local function broken_at(buffer, line)
  for _, one in ipairs(vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })) do
    if one.lnum == line then return one end
  end
end

local function starts()
  vim.cmd('filetype on')
  enable()
  local buffer = open(block)
  eventually('the server starts', function()
    local server = client()
    return server and server.server_capabilities and vim.lsp.buf_is_attached(buffer, server.id)
  end)
  local capabilities = client().server_capabilities
  local wanted = { 'hover', 'completion', 'documentSymbol', 'definition', 'rename', 'documentFormatting' }
  for _, one in ipairs(wanted) do
    assert(capabilities[one .. 'Provider'], 'the server declares no ' .. one)
  end
  ok(client().offset_encoding ~= nil, 'it declares what this test asks for')
  local _, problem = ask('exitpath/noSuchMethod', {})
  ok(problem and problem.code == -32601, 'it refuses a method that it does not know', problem)
end

local function tells_errors()
  local buffer = open(block)
  edit('1s/^to:/too:/')
  local found = function() return diagnostics(buffer) end
  eventually('an error shows before the file is saved', function() return #diagnostics(buffer) > 0 end, found)
  eventually('it is an error at the line', function() return broken_at(buffer, 0) end, found)
  edit('silent undo')
  eventually('the error goes when the edit is undone', function() return not broken_at(buffer, 0) end, found)

  -- A flow mapping has a key after characters that UTF-8 and UTF-16 count differently.
  local line = '{from: "^4[.]13[.].*$", name: "é😀", too: 4.14.0}'
  vim.bo.undolevels = vim.bo.undolevels
  vim.api.nvim_buf_set_lines(buffer, 0, -1, true, { line })
  local column = line:find('too:', 1, true) - 1
  eventually('columns are right after characters of several bytes', function()
    for _, one in ipairs(vim.diagnostic.get(buffer)) do
      if one.lnum == 0 and one.col == column and one.end_col == column + #'too' then return true end
    end
  end, found)
  edit('silent undo')
  for _ = 1, 40 do
    edit('silent normal! ggO# é😀')
    edit('silent 2s/to:/too:/')
    edit('silent 2s/too:/to:/')
    edit('silent 1d')
  end
  edit('$s/$/\\rtoo: 1/')
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  eventually('many edits later, the error is at its line', function()
    return broken_at(buffer, last)
  end, found)
  vim.cmd('bwipeout!')
  buffer = open(block)
  ok(answered('textDocument/hover', position()) ~= false, 'a closed file opens again')
  eventually('without the edits, there is no error', function()
    return #vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR }) == 0
  end, function() return diagnostics(buffer) end)
end

local function tells_other_files()
  local first, second = open(risk), open(other)
  edit('silent %s/^message: Nodes/message: Some nodes/')
  local found = function() return diagnostics(first) end
  eventually('an edit of one file shows in another one', function() return broken_at(first, 4) end, found)
  ok(#vim.diagnostic.get(second) == 0, 'and only there', diagnostics(second))
  edit('silent undo')
  eventually('and goes there', function() return not broken_at(first, 4) end, found)
end

local function explains()
  open(block)
  at('\\^4')
  local hover = answered('textDocument/hover', position())
  local lines = hover and vim.lsp.util.convert_input_to_markdown_lines(hover.contents) or {}
  ok(table.concat(lines, ''):find('%S') ~= nil, 'hover says something of a pattern', hover)

  edit('$s/$/\\r/')
  vim.fn.cursor(vim.fn.line('$'), 1)
  local list = answered('textDocument/completion', position())
  local items = list and list.items or list or {}
  local labels = {}
  for _, item in ipairs(items) do labels[vim.trim((item.label:gsub(':.*', '')))] = item end
  local keys = vim.tbl_keys(labels)
  ok(labels.url and labels.matchingRules and labels.fixedIn, 'completion offers the keys', keys)
  ok(not labels.to and not labels.from, 'completion leaves out the keys that are there', keys)
  edit('silent undo')
end

-- VS Code refuses a list with a symbol whose name is outside of it.
local function within(inner, outer)
  local function before(a, b) return a.line < b.line or (a.line == b.line and a.character <= b.character) end
  return before(outer.start, inner.start) and before(inner['end'], outer['end'])
end
local function proper(symbols)
  for _, symbol in ipairs(symbols) do
    if symbol.name == '' then return false end
    if symbol.range and not within(symbol.selectionRange, symbol.range) then return false end
    if not proper(symbol.children or {}) then return false end
  end
  return true
end
local function finds()
  open(risk)
  local symbols = answered('textDocument/documentSymbol', document())
  ok(symbols and #symbols > 0, 'a file has symbols', symbols)
  ok(proper(symbols), 'symbols have a name, and it is inside of them', symbols)
  at('name: \\zs')
  local found = answered('textDocument/definition', position())
  found = found and (found.uri or found.targetUri) and { found } or found
  ok(found and #found > 0, 'a risk has a definition', found)
  for _, place in ipairs(found) do
    local path = vim.uri_to_fname(place.uri or place.targetUri)
    assert(vim.fn.filereadable(path) == 1, 'the definition is in a file that does not exist: ' .. path)
  end
end

local function formats()
  for _, path in ipairs({ block, risk, 'channels/fast-4.15.yaml', 'raw/metadata.json', 'exitpath.toml' }) do
    local buffer = open(path)
    local parameters = document()
    parameters.options = { tabSize = 2, insertSpaces = true }
    local edits = answered('textDocument/formatting', parameters) or {}
    vim.lsp.util.apply_text_edits(edits, buffer, client().offset_encoding)
    local again = answered('textDocument/formatting', parameters) or {}
    ok(#again == 0, 'formatted once, nothing changes: ' .. path, again)
    vim.cmd('edit!')
  end
end

-- What the server declares beyond this must have an answer, too.
local function answers_all()
  open(risk)
  at('name: \\zs')
  local place, capabilities = position(), client().server_capabilities
  local all = { start = { line = 0, character = 0 }, ['end'] = { line = vim.fn.line('$'), character = 0 } }
  local also = function(more) return vim.tbl_extend('force', document(), more) end
  local requests = {
    { 'codeAction', 'textDocument/codeAction', also({ range = all, context = { diagnostics = {} } }) },
    { 'codeLens', 'textDocument/codeLens', document() },
    { 'documentHighlight', 'textDocument/documentHighlight', place },
    { 'documentLink', 'textDocument/documentLink', document() },
    { 'inlayHint', 'textDocument/inlayHint', also({ range = all }) },
    { 'references', 'textDocument/references', also({
      position = place.position, context = { includeDeclaration = true },
    }) },
    { 'selectionRange', 'textDocument/selectionRange', also({ positions = { place.position } }) },
    { 'signatureHelp', 'textDocument/signatureHelp', place },
    { 'workspaceSymbol', 'workspace/symbol', { query = 'VSphere' } },
    { 'diagnostic', 'textDocument/diagnostic', document() },
  }
  for _, request in ipairs(requests) do
    if capabilities[request[1] .. 'Provider'] then
      answered(request[2], request[3])
      say('ok ' .. request[2] .. ' has an answer')
    end
  end
  if capabilities.foldingRangeProvider then
    local foldings = answered('textDocument/foldingRange', document())
    ok(foldings == nil or #foldings > 0, 'a file that is not folded keeps the foldings of VS Code', foldings)
  end
  local tokens = capabilities.semanticTokensProvider
  if tokens and tokens.full then
    local data = (answered('textDocument/semanticTokens/full', document()) or {}).data
    ok(data and #data % 5 == 0, 'semantic tokens are complete', data)
  end
end

-- The action for an error, as the editor shows it, corrects it.
local function corrects()
  if not client().server_capabilities.codeActionProvider then return end
  local buffer = open(block)
  edit('1s/^to:/too:/')
  eventually('the error is there again', function() return broken_at(buffer, 0) end)
  local given = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    local lsp = one.user_data and one.user_data.lsp or {}
    table.insert(given, {
      range = {
        start = { line = one.lnum, character = one.col },
        ['end'] = { line = one.end_lnum, character = one.end_col },
      },
      severity = one.severity, source = one.source, message = one.message,
      code = one.code or lsp.code, data = lsp.data,
    })
  end
  local parameters = document()
  parameters.range = { start = { line = 0, character = 0 }, ['end'] = { line = 0, character = 3 } }
  parameters.context = { diagnostics = given }
  local actions = answered('textDocument/codeAction', parameters) or {}
  local fix
  for _, action in ipairs(actions) do
    if vim.startswith(action.kind or '', 'quickfix') and not action.disabled then fix = fix or action end
  end
  ok(fix, 'there is an action against the error', actions)
  if not fix.edit then fix = answered('codeAction/resolve', fix) end
  vim.lsp.util.apply_workspace_edit(fix.edit, client().offset_encoding)
  ok(text(buffer):find('^to: 4.14.0\n') ~= nil, 'the action corrects the file', text(buffer))
  eventually('and the error goes', function() return not broken_at(buffer, 0) end)
  vim.cmd('edit!')
end

-- with(TEXT): the files of blocked-edges/ with a text, once all is saved.
local function with(wanted)
  vim.cmd('silent! wall')
  return vim.tbl_filter(function(path)
    return table.concat(vim.fn.readfile(path), '\n'):find(wanted, 1, true) ~= nil
  end, vim.fn.glob('blocked-edges/*', true, true))
end
local function renames()
  open(other)
  open(risk)
  at('name: \\zs')
  local provider, parameters = client().server_capabilities.renameProvider, position()
  if type(provider) == 'table' and provider.prepareProvider then
    ok(answered('textDocument/prepareRename', parameters), 'a name can be renamed')
  end
  parameters.newName = 'NodesOnVSphereLoseTheirNames'
  local result = answered('textDocument/rename', parameters)
  vim.lsp.util.apply_workspace_edit(result, client().offset_encoding)
  local files = with('name: ' .. parameters.newName)
  ok(#files == 2, 'a new name is in both files of the risk', { files, result })
  ok(#with(name) == 0, 'the old name is in no file', with(name))
  local buffer = open(files[1])
  at('name: \\zs')
  ok(answered('textDocument/hover', position()), 'the server knows the new name')
  parameters = position()
  parameters.newName = 'not a name'
  local refused, problem = ask('textDocument/rename', parameters)
  ok(problem or not refused or refused == vim.NIL, 'a name that clusters refuse is refused', refused)
  ok(#vim.diagnostic.get(buffer) == 0, 'after all, nothing is wrong', diagnostics(buffer))
end

local function stops()
  local file = assert(io.open(vim.env.SERVER_PID))
  local pid = tonumber(file:read('*l'))
  file:close()
  ok(vim.loop.kill(pid, 0) == 0, 'the server runs')
  vim.lsp.stop_client(client().id)
  eventually('the server ends', function() return ended end)
  ok(ended.code == 0 and ended.signal == 0, 'it ends well', ended)
  -- Neovim starts it as the leader of a group, so that its children are in the group.
  eventually('no process is left', function()
    return vim.loop.kill(pid, 0) ~= 0 and vim.loop.kill(-pid, 0) ~= 0
  end)
end

local steps = {
  starts, tells_errors, tells_other_files, explains, finds, answers_all, corrects, formats, renames, stops,
}
for _, step in ipairs(steps) do
  local fine, problem = pcall(step)
  if not fine then
    say('FAILED: ' .. tostring(problem))
    vim.cmd('cquit 1')
  end
end
vim.cmd('qall!')
