/**
 * The own floor: a handler that runs Kith's statements on Kith's tables without authentication, checks, row-level
 * security or headers. The difference to Kith is what the service costs beside the database.
 */
import fastify from 'fastify'
import pg from 'pg'
import { typeParsers } from '../src/db/types.ts'
import { newId } from '../src/kernel/ids.ts'

interface Statements {
  get: string
  create: string
  /** `:id`, `:name` … are replaced by the values of a request */
  parameters: Record<'get' | 'create', (string | number | null)[]>
}

const [url = '', port = '', statementsJson = '{}'] = process.argv.slice(2)
const statements = JSON.parse(statementsJson) as Statements

const pool = new pg.Pool({
  connectionString: url,
  max: 10,
  types: typeParsers,
  options: '-c search_path=kith -c timezone=utc -c jit=off',
})

async function run(name: 'get' | 'create', fill: Record<string, unknown>): Promise<unknown> {
  const values = statements.parameters[name].map(value =>
    typeof value === 'string' && value.startsWith(':') ? fill[value.slice(1)] : value,
  )
  return (await pool.query({ name, text: statements[name], values })).rows[0]
}

const app = fastify()
app.get<{ Params: { id: string } }>('/get/:id', ({ params }) => run('get', params))
app.post<{ Body: Record<string, unknown> }>('/create', ({ body }) => run('create', { id: newId(), ...body }))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.({ ids: [], hasTrigrams: false })
