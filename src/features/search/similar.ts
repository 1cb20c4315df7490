/** Finds records whose text is similar to that of a record. */
import { sql } from 'kysely'
import { embeddersOf } from '../../ai/embeddings.ts'
import { fromBytes } from '../../ai/vectors.ts'
import { type Ctx, query } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { hasScope } from '../../kernel/scopes.ts'
import { living, rows } from '../../kernel/statements.ts'
import { present } from '../../lib/values.ts'
import { type FoundPassage, loadPassages } from './load.ts'
import { find, resultOf } from './search.ts'
import { nearest } from './semantic.ts'
import { sourceOf } from './sources/index.ts'

export async function similar(
  ctx: Ctx,
  entityType: string,
  id: string,
  types: readonly string[],
  limit: number,
) {
  const source = present(sourceOf(entityType), entityType)
  const permission = `${source.group}:read`
  if (!hasScope(ctx.caller.scopes, permission)) throw errors.missingScope(permission)
  const [exists] = await query(ctx, sql`select r.id from ${living(ctx, source.table)} r where r.id = ${id}`)
  if (!exists) throw errors.notFound(source.label)
  const [own] = await query(
    ctx,
    sql<FoundPassage & { model: string | null; bytes: Buffer | null }>`
      select p.id, p.name, p.body, v.model, v.bytes from ${rows(ctx, 'search_passages')} p
      left join ${rows(ctx, 'search_vectors')} v on v.passage_id = p.id
        and v.model = any(${embeddersOf(ctx.services).map(embedder => embedder.model)}::text[])
      where p.entity_id = ${id} order by p.part limit 1`,
  )
  if (!own) return []
  const others = ({ passage }: { passage: FoundPassage }) => passage.entity_id !== id
  if (own.bytes === null || own.model === null) {
    const { found, terms } = await find(ctx, own.body.slice(0, 300), 'keyword', { types })
    return found
      .filter(others)
      .slice(0, limit)
      .map(one => resultOf(one, terms))
  }
  const cosines = await nearest(ctx, { model: own.model, vector: fromBytes(own.bytes) }, { types, limit })
  const passages = await loadPassages(ctx, [...cosines.keys()], types)
  const seen = new Set([id])
  return [...cosines]
    .sort((a, b) => b[1] - a[1])
    .flatMap(([passageId, cosine]) => {
      const passage = passages.get(passageId)
      if (!passage || seen.has(passage.entity_id)) return []
      seen.add(passage.entity_id)
      const matchedBy = 'semantic' as const
      return [resultOf({ passage, score: cosine, cosine, share: 0, exact: false, named: 0, matchedBy }, [])]
    })
    .slice(0, limit)
}
