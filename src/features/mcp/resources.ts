/** Records as MCP resources: `kith://contacts/{id}`. */
import { errors } from '../../kernel/errors.ts'
import { pathOf } from '../../kernel/general-endpoints.ts'
import { kindNames } from '../../resources/kinds.ts'
import { callEndpoint } from './call.ts'
import { schemaOf } from './tools/about.ts'
import { READABLE, readableTypes } from './tools/read.ts'
import { kindsFor, type Surroundings } from './tools/tool.ts'

const JSON_TYPE = 'application/json'

const uriName = (type: string): string => READABLE[type]?.name ?? type

export const templates = (here: Surroundings) =>
  readableTypes(here).map(type => ({
    uriTemplate: `kith://${uriName(type)}/{id}`,
    name: type,
    title: READABLE[type]?.record.label ?? type,
    description: `A record of the kind ${type}, as the API returns it`,
    mimeType: JSON_TYPE,
  }))

/** What can be read without an id: the schema of each kind of record. */
export const listed = ({ ctx }: Surroundings) =>
  kindsFor(ctx, 'read').map(kind => ({
    uri: `kith://schema/${kind}`,
    name: `schema of ${kind}`,
    description: 'Fields, custom fields, relations and, for deals, pipelines with their stages',
    mimeType: JSON_TYPE,
  }))

export async function read(here: Surroundings, uri: string) {
  const json = await contentOf(here, uri)
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(json) }] }
}

async function contentOf(here: Surroundings, uri: string): Promise<unknown> {
  const [, group = '', id = ''] = /^kith:\/\/([a-z-]+)\/([\w-]{1,64})$/.exec(uri) ?? []
  const kind = kindNames.find(name => name === id)
  if (group === 'schema' && kind && kindsFor(here.ctx, 'read').includes(kind)) return schemaOf(here, kind)
  const type = readableTypes(here).find(name => uriName(name) === group)
  const resource = type === undefined ? undefined : READABLE[type]
  if (!resource) throw errors.notFound('Resource')
  const endpoint = here.routes('GET', `${pathOf(resource)}/{${resource.idParam}}`)
  return callEndpoint(here.ctx, endpoint, here.origin, { params: { [resource.idParam]: id } })
}
