/** Tools that look things up. */
import { pathOf } from '../../../kernel/general-endpoints.ts'
import type { Resource } from '../../../kernel/resource.ts'
import {
  boolean,
  dict,
  list,
  object,
  oneOf,
  sometimes,
  uuid,
  withDefault,
} from '../../../kernel/schema/index.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { emailDrafts } from '../../../resources/email-drafts/index.ts'
import { emailTemplates } from '../../../resources/email-templates/index.ts'
import { kb } from '../../../resources/kb/index.ts'
import { kindNames } from '../../../resources/kinds.ts'
import { RELATIONS } from '../../records/query/relations.ts'
import { callEndpoint } from '../call.ts'
import { kindsFor, READS, readingTool, resourceOf, type Surroundings, type Tool, tool } from './tool.ts'

/** The kinds that can be read by id: those that search finds and that are resources. */
export const READABLE: Readonly<Record<string, Resource>> = {
  ...Object.fromEntries(kindNames.map(kind => [kind, resourceOf(kind)])),
  kb_page: kb,
  email_template: emailTemplates,
  email_draft: emailDrafts,
}

export const readableTypes = ({ ctx }: Surroundings): string[] =>
  Object.keys(READABLE).filter(type => hasScope(ctx.caller.scopes, `${READABLE[type]?.name}:read`))

/** Entries of a timeline, and records of a list when the caller does not say. */
const MAX_ENTRIES = 25
const LISTED = 25

export function readingTools(here: Surroundings): Tool[] {
  return [
    ...readingTool(here, ['POST', '/api/search'], {
      name: 'search',
      title: 'Search records',
      description:
        'Finds records by words and by meaning, with the part that fits. Use it to find the id of a record; use query for conditions and figures.',
      defaults: { page_size: 10 },
    }),
    ...queryTool(here),
    ...getTool(here),
    ...readingTool(here, ['POST', '/api/search/ask'], {
      name: 'ask',
      title: 'Ask a question',
      description:
        'Answers a question in plain words from the records, with citations. `grounded` is false when the records do not hold the answer.',
    }),
  ]
}

/** The endpoint needs no scope of its own, so a key that can read no kind of record would get a tool that always fails. */
const queryTool = (here: Surroundings): Tool[] =>
  kindsFor(here.ctx, 'read').length === 0
    ? []
    : readingTool(here, ['POST', '/api/query'], {
        name: 'query',
        title: 'Query records',
        description: `Lists, counts, adds up and groups records. ${LISTED} records unless limit says otherwise. Conditions within where have the same keys. ${RELATIONS}`,
      })

function getTool(here: Surroundings): Tool[] {
  const { ctx, origin, routes } = here
  const types = readableTypes(here)
  if (types.length === 0) return []
  const get = tool({
    name: 'get',
    title: 'Get a record',
    description: `One record with all its fields and, with timeline, its latest ${MAX_ENTRIES} changes.`,
    annotations: READS,
    input: object({
      entity_type: oneOf(types),
      id: uuid(),
      timeline: withDefault(boolean({ description: `Only for ${kindNames.join(', ')}` }), false),
    }),
    output: object({ record: dict(), timeline: sometimes(list(dict())) }),
    async run({ entity_type, id, timeline }) {
      const resource = READABLE[entity_type]
      if (!resource) throw new Error(`${entity_type} is offered and cannot be read`)
      const path = `${pathOf(resource)}/{${resource.idParam}}`
      const params = { [resource.idParam]: id }
      const record = await callEndpoint(ctx, routes('GET', path), origin, { params })
      if (!timeline) return { record }
      const query = { page_size: MAX_ENTRIES }
      const { items } = await callEndpoint(ctx, routes('GET', `${path}/timeline`), origin, { params, query })
      return { record, timeline: items }
    },
  })
  return [get]
}
