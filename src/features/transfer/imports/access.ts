/** Shared by the endpoints of imports: the import, its resource and the scopes that a caller needs. */
import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { crud } from '../../../kernel/crud.ts'
import { errors } from '../../../kernel/errors.ts'
import { checkMayWrite } from '../../../kernel/reach.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { hasScope } from '../../../kernel/scopes.ts'
import { living } from '../../../kernel/statements.ts'
import { targets } from '../../../resources/kinds.ts'
import { transferFiles } from '../exports/files.ts'
import { onMissingOf } from './options.ts'
import { type Import, importRecord } from './record.ts'

export const base = crud(importRecord)
export const tag = 'Imports'
export const read = { tag, permission: 'imports:read' } as const
export const write = { tag, permission: 'imports:write' } as const

export function resourceOf(resources: readonly Resource[], entityType: string): Resource {
  const resource = resources.find(({ record }) => record.entityType === entityType)
  if (!resource) throw errors.conflict(`This build imports no records of the kind ${entityType}`)
  return resource
}

/** A caller without permission to write the records may not import them. */
export function resourceFor(ctx: Ctx, resources: readonly Resource[], entityType: string): Resource {
  const resource = resourceOf(resources, entityType)
  const permission = `${resource.name}:write`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
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

/** Creating records of other kinds, options and tags takes their own scopes. */
export function checkFurtherScopes(ctx: Ctx, { mapping, options }: Import): void {
  const onMissing = onMissingOf(options)
  const fields = Object.values(mapping).map(String)
  const createsOptions = onMissing.option === 'create' && fields.some(field => field.startsWith('cf.'))
  if (options.create_fields || createsOptions) checkMayWrite(ctx, ['custom_fields'])
  if (fields.includes('tags')) checkMayWrite(ctx, ['tags'])
  for (const kind of ['company', 'contact'] as const) {
    const isNamed = fields.some(field => field.includes(`${kind}_`))
    if (isNamed && onMissing[kind] === 'create') checkMayWrite(ctx, [targets[kind].table])
  }
}
