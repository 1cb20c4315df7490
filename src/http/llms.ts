/** `/llms.txt`: the whole interface on one page of plain text, for language models. */
import type { Endpoint } from '../kernel/resource.ts'
import { introduction } from './introduction.ts'
import { byGroup } from './reading-order.ts'

export function llmsText(endpoints: readonly Endpoint[]): string {
  const groups = [...byGroup(endpoints)].map(
    ([name, group]) => `## ${name}\n\n${group.map(lineOf).join('\n')}`,
  )
  return `# Kith

${introduction}
The full description of every parameter, body and answer is at /openapi.json (OpenAPI 3.1).

${groups.join('\n\n')}
`
}

function lineOf(endpoint: Endpoint): string {
  const { method, path, summary, query, body, bodyOptional } = endpoint
  const filters = Object.keys(query?.fields ?? {}).filter(name => !COMMON.has(name))
  const required = body?.json.required ?? []
  return [
    `- ${method} ${path}: ${summary}.`,
    filters.length > 0 ? ` Query: ${filters.join(', ')}.` : '',
    required.length > 0 && !bodyOptional ? ` Body needs: ${required.join(', ')}.` : '',
    credentialsOf(endpoint),
  ].join('')
}

const credentialsOf = ({ permission, readsCredentials }: Endpoint): string => {
  if (permission !== 'public') return ''
  return readsCredentials
    ? ' Needs credentials, of any account, for what is not public.'
    : ' No credentials needed.'
}

/** The parameters of every list, which the introduction describes once. */
const COMMON = new Set([
  ...[
    'page',
    'page_size',
    'cursor',
    'search',
    'sort_by',
    'sort_order',
    'deleted',
    'ids',
    'category',
    'is_favorite',
  ],
  ...[
    'created_after',
    'created_before',
    'updated_after',
    'updated_before',
    'deleted_after',
    'deleted_before',
  ],
])
