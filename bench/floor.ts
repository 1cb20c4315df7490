/**
 * The floor: a handler that runs the same statements with no authentication, no checks, no second lock, no
 * headers. What Kith loses against it is the price of everything else that it does.
 */
import fastify from 'fastify'
import pg from 'pg'
import { typeParsers } from '../src/db/types.ts'
import { newId } from '../src/kernel/ids.ts'

interface Statements {
  get: string
  list: string
  search: string
  create: string
  /** where in a statement's parameters a value goes: account, user, id, … in order */
  parameters: Record<'get' | 'list' | 'search' | 'create', (string | number | null)[]>
}

const [url, port, statementsJson, lock] = process.argv.slice(2) as [string, string, string, string?]
const statements = JSON.parse(statementsJson) as Statements & { account: string }

const pool = new pg.Pool({ connectionString: url, max: 10, types: typeParsers })
pool.on('connect', client => {
  client.query('set search_path = kith; set timezone = utc; set jit = off')
  if (lock === 'locked') {
    client.query(
      `select set_config('role', 'kith_app', false), set_config('kith.account_id', '${statements.account}', false)`,
    )
  }
})

const run = async (name: 'get' | 'list' | 'search' | 'create', fill: Record<string, unknown>) => {
  const values = statements.parameters[name].map(value =>
    typeof value === 'string' && value.startsWith(':') ? fill[value.slice(1)] : value,
  )
  return (await pool.query({ name, text: statements[name], values })).rows
}

const app = fastify()
app.get('/get/:id', async request => (await run('get', { id: (request.params as { id: string }).id }))[0])
app.get('/list', async () => {
  const rows = await run('list', {})
  return { items: rows, total: rows[0]._total }
})
app.get('/search', async request => {
  const rows = await run('search', { search: (request.query as { search: string }).search })
  return { items: rows, total: rows[0]?._total ?? 0 }
})
app.post('/create', async request => (await run('create', { id: newId(), ...(request.body as object) }))[0])
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.('ready')
