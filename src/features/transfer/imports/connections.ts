/**
 * The marks of a row: its addresses, names and ids, the existing records that it matches, its unique values. The outcome
 * of a row can depend on an earlier row with a common mark; rows without one can be written in any order and together.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { at } from '../../../lib/values.ts'
import { definitionsOf } from '../../../resources/custom-fields/definition.ts'
import type { Draft } from './draft.ts'
import { externalIdOf, findByExternalId } from './external.ts'
import { referenceTargets } from './fields.ts'
import { isUuid } from './infer.ts'
import { statesOf } from './lookups.ts'
import { type Match, matcherOf, matches, namedStates } from './match.ts'
import type { Plan } from './types.ts'

export interface Connection {
  match: Match
  /** the existing record that the row describes */
  target: string | undefined
  /** whether the row's own id is that of a living record or of one in the trash */
  state: 'living' | 'trashed' | undefined
  /** the marks of the row itself, whatever records exist */
  own: string[]
  /** `own`, and the existing records that it would change or conflict with */
  marks: string[]
}

export async function connectionsOf(ctx: Ctx, plan: Plan, drafts: readonly Draft[]): Promise<Connection[]> {
  const { record } = plan.resource
  const states = await namedStates(ctx, record.table, drafts)
  const matched =
    plan.strategy === 'create' ? undefined : await matches(ctx, record, plan.matchOn, drafts, plan.source)
  const unique = await uniqueValues(ctx, plan, drafts)
  const companies = await newCompanyIds(ctx, plan, drafts)
  const { source } = plan
  return drafts.map((draft, i) => {
    const { marks, holders } = at(unique, i)
    const match = matched?.[i] ?? { keys: [], ids: [] }
    const state = draft.id === undefined ? undefined : states.get(draft.id)
    const target = state === undefined ? match.ids[0] : draft.id
    const ids = [...match.ids, ...(draft.id === undefined ? [] : [draft.id])]
    const own = [
      ...match.keys,
      ...marks,
      ...(source === undefined
        ? []
        : [externalIdOf(draft.input, source) ?? []].flat().map(id => `external ${id}`)),
      ...(draft.id === undefined ? [] : [`record ${draft.id}`]),
    ]
    const here = [...ids, ...holders].map(id => `record ${id}`)
    return { match, target, state, own, marks: [...new Set([...own, ...at(companies, i), ...here])] }
  })
}

interface UniqueValues {
  marks: string[]
  /** records that have one of the values, and may lose it to a change by an earlier row */
  holders: string[]
}

async function uniqueValues(ctx: Ctx, plan: Plan, drafts: readonly Draft[]): Promise<UniqueValues[]> {
  const { record } = plan.resource
  const uniqueValues: UniqueValues[] = drafts.map(() => ({ marks: [], holders: [] }))
  const definitions = (await definitionsOf(ctx, record.entityType ?? '')).filter(({ is_unique }) => is_unique)
  if (definitions.length === 0) return uniqueValues
  for (const { key } of definitions) {
    const matcher = await matcherOf(ctx, record, `cf.${key}`)
    const values = drafts.map(draft => matcher?.values(draft) ?? [])
    const isLookedUp = plan.strategy === 'update'
    const existing = isLookedUp ? await matcher?.find(ctx, values.flat()) : undefined
    for (const [i, draft] of drafts.entries()) {
      const value = draft.metadata?.[key]
      if (value == null) continue
      const { marks, holders } = at(uniqueValues, i)
      marks.push(`unique ${key} ${JSON.stringify(value).toLowerCase()}`)
      holders.push(...at(values, i).flatMap(text => existing?.get(text)?.ids ?? []))
    }
  }
  return uniqueValues
}

/** Ids of companies that do not exist: the first row that also has a name creates one with that id. */
async function newCompanyIds(ctx: Ctx, plan: Plan, drafts: readonly Draft[]): Promise<string[][]> {
  if (plan.onMissing.company !== 'create') return drafts.map(() => [])
  const targets = referenceTargets(plan.resource.record)
  const named = drafts.map(({ links }) =>
    Object.entries(links)
      .filter(([field]) => targets[field]?.table === 'companies')
      .flatMap(([, { ids }]) => ids.map(id => id.toLowerCase()))
      .filter(isUuid),
  )
  const states = await statesOf(ctx, 'companies', named.flat())
  const elsewhere = drafts.map(({ links }) =>
    Object.entries(links)
      .filter(([field]) => targets[field]?.table === 'companies')
      .flatMap(([, { externals }]) => externals),
  )
  const existing =
    plan.source === undefined
      ? undefined
      : await findByExternalId(ctx, 'companies', plan.source, elsewhere.flat())
  return named.map((ids, i) => [
    ...ids.filter(id => !states.has(id)).map(id => `company ${id}`),
    ...at(elsewhere, i)
      .filter(id => existing?.get(id)?.ids.length === 0)
      .map(id => `company elsewhere ${id}`),
  ])
}
