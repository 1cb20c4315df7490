/**
 * How rows of companies depend on each other through their parents. Two rows depend on each other if they share a mark
 * (connections.ts), but siblings, which name the same parent, do not. So these names have a direction: a row depends on an
 * earlier row if it takes (looks up) a name that the earlier row gives (writes).
 */
import type { Ctx } from '../../../kernel/context.ts'
import { at } from '../../../lib/values.ts'
import { MAX_LEVELS, parentsAbove } from '../../../resources/companies/parents.ts'
import type { Draft } from './draft.ts'
import { ownNames, parentNames } from './families.ts'
import { lookUp } from './resolve.ts'
import type { Plan } from './types.ts'

export interface ParentMarks {
  /** the names and domains of its company, and of the parent that it may create */
  gives: string[]
  /** what its parent is looked up by, the companies above it, and what another row may have created it by */
  takes: string[]
  /** what its parent would be looked up by if the company that is found were renamed */
  otherwise: string[]
  /** what an earlier row may create its parent by: rows that are written together create it once */
  shares: string[]
}

export const NO_PARENT_MARKS: ParentMarks = { gives: [], takes: [], otherwise: [], shares: [] }

export async function parentMarksOf(
  ctx: Ctx,
  { families, source, onMissing, strategy }: Plan,
  drafts: readonly Draft[],
): Promise<ParentMarks[]> {
  if (!families) return drafts.map(() => NO_PARENT_MARKS)
  const links = drafts.flatMap(({ links: { parent_id } }) => parent_id ?? [])
  const existing = await lookUp(ctx, 'companies', links, source)
  const names = drafts.map(draft => parentNames(draft, existing))
  const companies = names.flatMap(each => each.flatMap(({ company }) => company ?? []))
  const parentOf = strategy === 'update' ? await parentsAbove(ctx, companies) : new Map<string, string>()
  return drafts.map((draft, i) => {
    const existingAt = at(names, i).findIndex(({ company }) => company !== undefined)
    const company = at(names, i)[existingAt]?.company
    const marks = at(names, i).map(({ mark }) => mark)
    // With the name of the company that is found: an earlier row may give it to a second one.
    const open = existingAt < 0 ? marks : marks.slice(0, existingAt + 1)
    const above: string[] = []
    for (let id: string | null | undefined = company; id && above.length < MAX_LEVELS; id = parentOf.get(id))
      above.push(`record ${id}`)
    const own = ownNames(draft)
    const ids = draft.id === undefined ? [] : [`record ${draft.id}`]
    const isCreating = onMissing.company === 'create'
    const shares = isCreating && existingAt < 0 ? open.map(asCreated) : []
    return {
      gives: [...own, ...shares],
      takes: [...open, ...above, ...(isCreating ? [...own, ...ids].map(asCreated) : [])],
      otherwise: existingAt < 0 ? [] : marks.slice(existingAt),
      shares,
    }
  })
}

/** Distinct from the names of rows: siblings need not wait for the one that creates their parent, unless it waits itself. */
const asCreated = (mark: string): string => `created ${mark}`
