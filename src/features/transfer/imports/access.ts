/** Shared by the endpoints of imports: the import, its resource and the scopes that a caller needs. */
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { crud } from '../../../kernel/crud.ts'
import { errors } from '../../../kernel/errors.ts'
import { listRecords } from '../../../kernel/list-query.ts'
import { checkMayRead, checkMayWrite, mayRead } from '../../../kernel/reach.ts'
import type { ListQuery, Resource } from '../../../kernel/resource.ts'
import { living } from '../../../kernel/statements.ts'
import { declarationOf } from '../../../resources/kinds.ts'
import { transferFiles } from '../exports/files.ts'
import { EXPORTED } from '../exports/record.ts'
import { importFields, referenceTargets } from './fields.ts'
import { onMissingOf } from './options.ts'
import { type Import, importRecord } from './record.ts'
import { missingOf } from './relations.ts'

export const base = crud(importRecord)
export const tag = 'Imports'
export const read = { tag, permission: 'imports:read' } as const
export const write = { tag, permission: 'imports:write' } as const

const TABLES: ReadonlyMap<string, string> = new Map(EXPORTED.map(kind => [kind, declarationOf(kind).table]))

/** An import shows values of its file: to callers who may read its kind of record. */
export const operations = {
  ...base,
  list(ctx: Ctx, params: ListQuery) {
    const readable = [...TABLES].filter(([, table]) => mayRead(ctx, table)).map(([kind]) => kind)
    const isAll = readable.length === TABLES.size
    return listRecords(ctx, base.record, params, isAll ? [] : [sql`r.entity_type = any(${readable}::text[])`])
  },
  async get(ctx: Ctx, id: string): Promise<Import> {
    const stored = await base.get(ctx, id)
    const table = TABLES.get(stored.entity_type)
    // of another build
    if (table === undefined) throw errors.notFound(base.record.label)
    checkMayRead(ctx, table)
    return stored
  },
}

export function resourceOf(resources: readonly Resource[], entityType: string): Resource {
  const resource = resources.find(({ record }) => record.entityType === entityType)
  if (!resource) throw errors.conflict(`This build imports no records of the kind ${entityType}`)
  return resource
}

/** An import writes records and reports which ones exist already, so the caller must be allowed to write and to read them. */
export function resourceFor(ctx: Ctx, resources: readonly Resource[], entityType: string): Resource {
  const resource = resourceOf(resources, entityType)
  checkMayWrite(ctx, [resource.record.table])
  checkMayRead(ctx, resource.record.table)
  return resource
}

/** The path of the uploaded file, which is removed some time after the import was deleted. */
export function storedFile(ctx: Ctx, id: string): string {
  const path = transferFiles.path(ctx, id)
  if (!existsSync(path)) throw errors.conflict('The file of this import is no longer stored')
  return path
}

/** An import that may still be changed and started, locked until the transaction ends. */
export async function beforeStart(tx: Ctx, resources: readonly Resource[], id: string): Promise<Import> {
  const stored = await locked(tx, resources, id)
  if (!['uploaded', 'ready'].includes(stored.status)) {
    throw errors.conflict(`This import cannot be changed or started any more: it is ${stored.status}`)
  }
  return stored
}

export async function locked(tx: Ctx, resources: readonly Resource[], id: string): Promise<Import> {
  const stored = await queryOne(
    tx,
    sql<Import>`select i.* from ${living(tx, 'imports')} i where i.id = ${id} for no key update`,
  )
  if (!stored) throw errors.notFound('Import')
  resourceFor(tx, resources, stored.entity_type)
  return stored
}

/**
 * Looking up or creating records of other kinds, options and tags takes their own scopes. The id of a linked record needs
 * none, as in a request that creates a record.
 */
async function checkFurtherScopes(
  ctx: Ctx,
  { record }: Resource,
  { mapping, options }: Pick<Import, 'mapping' | 'options'>,
): Promise<void> {
  const onMissing = onMissingOf(options)
  const names = Object.values(mapping).filter(name => typeof name === 'string')
  const createsOptions = onMissing.option === 'create' && names.some(name => name.startsWith('cf.'))
  if (options.create_fields || createsOptions) checkMayWrite(ctx, ['custom_fields'])
  if (names.includes('tags')) checkMayWrite(ctx, ['tags'])
  const fields = await importFields(ctx, record)
  const linked = referenceTargets(record)
  for (const name of names) {
    const destination = fields.get(name)?.destination
    const table = destination?.at === 'link' ? linked[destination.field]?.table : undefined
    if (destination?.at !== 'link' || table === undefined) continue
    if (destination.by !== 'id') checkMayRead(ctx, table)
    const missing = missingOf(destination.field, table)
    if (missing !== undefined && onMissing[missing] === 'create') checkMayWrite(ctx, [table])
  }
}

/** What the endpoints check before they start or preview an import, and jobs before they are run again. */
export async function checkMayImport(
  ctx: Ctx,
  resources: readonly Resource[],
  stored: Pick<Import, 'entity_type' | 'mapping' | 'options'>,
): Promise<void> {
  await checkFurtherScopes(ctx, resourceFor(ctx, resources, stored.entity_type), stored)
}
