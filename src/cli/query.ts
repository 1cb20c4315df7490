/** `kith query`: a question or a query to the running service. */
import type { Body, Kith, Operation, Schemas } from '#client'
import { loadConfig } from '../config.ts'
import { command, json, UsageError } from './command.ts'
import { printJson, table } from './output.ts'
import { clientOf } from './service-client.ts'

type Result = Schemas['QueryResult']
type Query = Body<Operation<'POST', '/api/query'>>

export const query = command({
  summary: 'answers a question, or runs a query given as JSON',
  about:
    'JSON is what POST /api/query takes. Exit code 1 if the records do not hold the answer to a question.',
  positionals: ['<question or JSON>'],
  options: {
    fields: { type: 'string', value: 'a,b', about: 'the fields of listed records; id and name unless set' },
    json,
  },
  examples: [
    'kith query "How many deals are open?"',
    `kith query '{"entity": "deal", "measure": {"kind": "sum", "field": "amount"}, "group_by": [{"field": "status"}]}'`,
    `kith query '{"entity": "contact", "limit": 5}' --fields full_name,city`,
  ],
  async run({ values, positionals: [text = ''] }) {
    const kith = clientOf(loadConfig())
    if (!text.trimStart().startsWith('{')) return answer(kith, text, values.json)
    const body = parsed(text)
    const result = await kith.request('POST', '/api/query', { body })
    if (values.json) printJson(result)
    else console.log(described(result, body, values.fields?.split(',')))
  },
})

/** Only the JSON syntax is checked here; the service checks the query. */
function parsed(text: string): Query {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The query is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

async function answer(kith: Kith, question: string, isJson: boolean): Promise<void> {
  const result = await kith.request('POST', '/api/search/ask', { body: { question } })
  if (isJson) printJson(result)
  else console.log(result.answer)
  if (result.confidence === 'none') process.exitCode = 1
}

type Figure = Pick<NonNullable<Result['figures']>[number], 'value' | 'currency' | 'count'>

function described(
  { total, groups, figures, items }: Result,
  { group_by, measure }: Query,
  fields = ['id', 'name'],
): string {
  const isCount = (measure?.kind ?? 'count') === 'count'
  const heading = isCount ? ['count'] : [String(measure?.kind), 'currency', 'count']
  const cells = ({ value, currency, count }: Figure) => (isCount ? [count] : [value, currency, count])
  if (groups) {
    const names = (group_by ?? []).map(group => (typeof group === 'string' ? group : group.field))
    const rows = groups.map(group => [...group.key, ...cells(group)])
    return table([...names, ...heading], rows)
  }
  if (figures) {
    return table(heading, figures.map(cells))
  }
  if (!items) return String(total)
  const rows = items.map(item =>
    fields.map(field => cell(field === 'name' ? nameOf(item) : item[field.trim()])),
  )
  return `${table(fields, rows)}\n${items.length} of ${total}`
}

const nameOf = (item: Record<string, unknown>) =>
  item.name ?? item.full_name ?? item.subject ?? item.title ?? item.content

const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
