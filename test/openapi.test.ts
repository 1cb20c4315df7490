/** The published document: names, references, examples, and what generators rely on. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { COMPARISONS } from '../src/features/records/query/spec.ts'
import { openApi } from '../src/http/openapi/index.ts'
import { pathOf } from '../src/kernel/general-endpoints.ts'
import type { Issue } from '../src/kernel/schema/index.ts'
import { unknownKeys } from '../src/kernel/strict.ts'
import { resources } from '../src/resources/index.ts'
import { TAGGED_TYPES } from '../src/resources/tags/record.ts'
import { allEndpoints } from '../src/service.ts'
import { special } from './support/examples.ts'

type Json = Record<string, unknown>
interface Operation {
  operationId: string
  summary: string
  description?: string
  parameters: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}

const endpoints = allEndpoints()
const document = openApi(endpoints) as unknown as {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Json>
    parameters: Record<string, Json>
    responses: Json
    headers: Json
  }
}
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)
const operationOf = (id: string) =>
  operations.find(({ operation }) => operation.operationId === id)?.operation

/** Every object inside a value. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Json
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

const resolved = (ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce((at: unknown, key) => (at as Json)?.[key], document) as Json

/** The names of the parameters of an operation. */
const parameterNames = (operation: Operation | undefined) =>
  (operation?.parameters ?? []).map(parameter => (parameter.$ref ? resolved(parameter.$ref) : parameter).name)

it('has the shape and the operators of conditions, and names the guide to them', () => {
  const condition = document.components.schemas.Condition as { properties: Record<string, Json> }
  expect(condition.properties).toMatchObject({
    op: { enum: COMPARISONS },
    and: { type: 'array', items: { $ref: '#/components/schemas/Condition' } },
    not: { $ref: '#/components/schemas/Condition' },
  })
  for (const path of ['/api/query', '/api/deals/query']) {
    const { description = '', requestBody } = document.paths[path]?.post ?? {}
    for (const operator of COMPARISONS) expect(description).toContain(operator)
    const guide = /docs\/guides\/\w+\.md/.exec(description)?.[0] ?? ''
    expect(readFileSync(new URL(`../${guide}`, import.meta.url), 'utf8')).toContain('is_null')
    const { schema } = requestBody?.content['application/json'] ?? {}
    expect(resolved(String(schema?.$ref)).properties).toMatchObject({
      where: { $ref: '#/components/schemas/Condition' },
    })
  }
})

it('says at each kind of record how a new one gets its tags', () => {
  for (const resource of resources) {
    const { entityType } = resource.record
    const { description } = document.paths[pathOf(resource)]?.post ?? {}
    const isTagged = (TAGGED_TYPES as string[]).includes(entityType ?? '')
    expect.soft(description?.includes(`/api/tags/records/${entityType}/`), resource.name).toBe(isTagged)
  }
})

it('names every operation once, in the manner of functions', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(ids.filter(id => !/^[a-z][A-Za-z0-9]*$/.test(id))).toEqual([])
  const expected = [
    'listCompanies',
    'createCompany',
    'getCompany',
    'updateCompany',
    'patchCompany',
    'deleteCompany',
  ]
  expect(ids).toEqual(expect.arrayContaining([...expected, 'bulkDeleteCompanies', 'restoreCompany']))
  expect(ids).toEqual(
    expect.arrayContaining(['updateCompanyTeam', 'duplicateChat', 'createExport', 'upsertContact']),
  )
})

it('describes every operation beyond its summary', () => {
  const undescribed = operations.filter(({ operation }) => !operation.description)
  expect(undescribed.map(({ name }) => name)).toEqual([])
})

it('names the schema of every answer, also where it may be null', () => {
  const answers = operations.flatMap(({ name, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.values(content).map(({ schema }) => ({ name: `${name} ${status}`, schema })),
    ),
  )
  const isUnnamed = ({ properties, items, anyOf }: Json): boolean =>
    properties !== undefined ||
    (items !== undefined && isUnnamed(items as Json)) ||
    (anyOf !== undefined && (anyOf as Json[]).some(isUnnamed))
  expect(answers.filter(({ schema }) => isUnnamed(schema)).map(({ name }) => name)).toEqual([])
  const { ConvertedLead, AnsweredChatMessage } = document.components.schemas
  expect([ConvertedLead?.properties, AnsweredChatMessage?.properties]).toMatchObject([
    { company: { anyOf: [{ $ref: '#/components/schemas/Company' }, { type: 'null' }] } },
    { reply: { anyOf: [{ $ref: '#/components/schemas/ChatMessage' }, { type: 'null' }] } },
  ])
})

it('describes every tag', () => {
  expect(document.tags.filter(({ description }) => !description)).toEqual([])
})

it('has no broken reference and no unused component', () => {
  const refs = [...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
  expect(refs.filter(ref => !ref.startsWith('#/') || resolved(ref) === undefined)).toEqual([])
  const { schemas, parameters, responses, headers } = document.components
  const held = Object.entries({ schemas, parameters, responses, headers }).flatMap(([kind, entries]) =>
    Object.keys(entries).map(name => `#/components/${kind}/${name}`),
  )
  expect(held.filter(ref => !refs.includes(ref))).toEqual([])
})

it('repeats no parameter that is the same for many operations', () => {
  const inline = operations
    .flatMap(({ operation }) => operation.parameters.filter(({ $ref }) => !$ref))
    .map(parameter => JSON.stringify(parameter))
  const twice = inline.filter((text, i) => inline.indexOf(text) !== i)
  // A name that has several meanings is shared in the most common of them alone.
  expect(twice.length).toBeLessThan(40)
  // 2,158 bytes for each operation before parameters and errors were shared, 1,634 since; more operations are no fault.
  expect(JSON.stringify(document).length / operations.length).toBeLessThan(1_800)
})

it('requires no field with a default in requests', () => {
  const bodies = operations.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
  const seen = new Set<unknown>()
  const withDefault: unknown[] = []
  const visit = (schema: Json) => {
    if (seen.has(schema)) return
    seen.add(schema)
    for (const inner of objectsIn(schema)) {
      if ('default' in inner) withDefault.push(inner)
      if (typeof inner.$ref === 'string') visit(resolved(inner.$ref))
    }
  }
  for (const { schema } of bodies) visit(schema)
  expect(seen.size).toBeGreaterThan(100)
  expect(withDefault).toEqual([])
})

it('requires the fields that a response always has', () => {
  const company = document.components.schemas.Company as { properties: Json; required: string[] }
  const { external_ids: _, owner_id: _owner, parent_id: _parent, ...always } = company.properties
  expect(Object.keys(always)).toHaveLength(39)
  expect(company.required.toSorted()).toEqual(Object.keys(always).toSorted())
  expect(company.properties.custom_fields).toMatchObject({ readOnly: true })
  const { required } = document.components.schemas.CompanyPage as { required: string[] }
  expect(required).toEqual(['items', 'total', 'page', 'page_size', 'total_pages'])
  expect(document.components.schemas.CompanyCreate).toMatchObject({ required: ['name'] })
  expect(document.components.schemas.CompanyUpdate).not.toHaveProperty('required')
})

it('lists the headers and the custom filters that an operation takes', () => {
  expect(parameterNames(operationOf('updateCompany'))).toEqual(expect.arrayContaining(['If-Match', 'Prefer']))
  expect(parameterNames(operationOf('deleteCompany'))).toContain('If-Match')
  expect(parameterNames(operationOf('createCompany'))).toContain('Idempotency-Key')
  expect(parameterNames(operationOf('getCompany'))).toContain('If-None-Match')
  expect(parameterNames(operationOf('listCompanies'))).toContain('cf')
  expect(parameterNames(operationOf('listTags'))).not.toContain('cf')
  for (const { name, operation } of operations) expect(parameterNames(operation), name).toContain('Prefer')
})

it('describes files as binary', () => {
  const body = operationOf('createImport')?.requestBody?.content['multipart/form-data']?.schema
  expect(body).toMatchObject({ properties: { file: { type: 'string', format: 'binary' } } })
  const csv = { schema: { type: 'string', format: 'binary' } }
  expect(operationOf('downloadExport')).toMatchObject({
    responses: { 200: { content: { 'text/csv': csv } } },
  })
})

it('has an example for every record, which the service accepts', () => {
  const bare = resources.filter(({ record }) => record.input.json.examples === undefined)
  expect(bare.map(pathOf).filter(path => !special.includes(path))).toEqual([])
  for (const { method, path, body } of endpoints) {
    for (const example of (body?.json.examples ?? []) as unknown[]) {
      const issues: Issue[] = []
      body!.check(structuredClone(example), ['body'], issues)
      expect([...issues, ...unknownKeys(body!.json, example, ['body'])], `${method} ${path}`).toEqual([])
    }
  }
})
