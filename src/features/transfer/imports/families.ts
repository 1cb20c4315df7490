/**
 * Companies of a file whose parent is another row of it. The row of the parent is imported first, whatever the order in
 * the file: otherwise the parent would be created from its name alone, and its own row skipped as a duplicate.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { fold } from '../../../kernel/fold.ts'
import { domainOf } from '../../../resources/companies/logo.ts'
import { MAX_LEVELS } from '../../../resources/companies/parents.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Draft } from './draft.ts'
import { draftOf } from './drafts.ts'
import { externalIdOf } from './external.ts'
import { markMap } from './mark-map.ts'
import { domainsOf } from './match.ts'
import { rowError } from './row-values.ts'
import type { Existing, Families, Plan } from './types.ts'

const isAbout = ({ field: { name, destination } }: Plan['columns'][number]): boolean =>
  destination.at === 'external id' ||
  ['id', 'name', 'domains', 'external_ids'].includes(name) ||
  (destination.at === 'link' && destination.field === 'parent_id')

interface NamedParents {
  add(record: CsvRecord): void
  families(): Promise<Families>
}

/** Collects them while a file is read; undefined where no column names a parent. */
export function namedParents(plan: Plan): NamedParents | undefined {
  const { columns, width, source } = plan
  if (
    !columns.some(
      ({ field: { destination } }) => destination.at === 'link' && destination.field === 'parent_id',
    )
  )
    return undefined
  const relevant = columns.filter(isAbout)
  const keys = markMap()
  /** for each key the first row that has it */
  const owners: (number | undefined)[] = []
  const named: { row: number; parents: number[] }[] = []
  const numberOf = (key: string): number => {
    const number = keys.getOrSet(key, owners.length)
    if (number === owners.length) owners.push(undefined)
    return number
  }
  return {
    add(record) {
      const draft = draftOf(record, relevant, width)
      for (const number of ownKeys(draft, source).map(numberOf)) owners[number] ??= record.row
      const parents = parentKeys(draft).map(numberOf)
      if (parents.length > 0) named.push({ row: record.row, parents })
    },
    families() {
      const parentOf = new Map<number, number>()
      for (const { row, parents } of named) {
        const parent = parents.map(number => owners[number]).find(owner => owner !== undefined)
        if (parent !== undefined) parentOf.set(row, parent)
      }
      return familiesOf(parentOf)
    },
  }
}

const keyOfName = (name: string): string => `name ${fold(name.trim())}`
const keysOfDomain = (text: string): string[] => {
  const domain = domainOf(text)
  return domain === undefined ? [] : [`domain ${domain}`]
}

function ownKeys(draft: Draft, source: string | undefined): string[] {
  const { id, input } = draft
  const external = source === undefined ? undefined : externalIdOf(input, source)
  return [
    ...(external === undefined ? [] : [`external ${external}`]),
    ...(id === undefined ? [] : [`id ${id.toLowerCase()}`]),
    ...domainsOf(draft).flatMap(keysOfDomain),
    ...(typeof input.name === 'string' ? [keyOfName(input.name)] : []),
  ]
}

/** In the order in which a parent is looked up. */
function parentKeys({ links: { parent_id: link } }: Draft): string[] {
  if (!link) return []
  return [
    ...link.externals.map(id => `external ${id}`),
    ...link.ids.map(id => `id ${id.toLowerCase()}`),
    ...(link.domain === undefined ? [] : keysOfDomain(link.domain)),
    ...link.names.map(keyOfName),
  ]
}

/** As `parentNames` marks them; ids are marks of every row (connections.ts). */
export const ownNames = (draft: Draft): string[] =>
  [
    ...domainsOf(draft).flatMap(keysOfDomain),
    ...(typeof draft.input.name === 'string' ? [keyOfName(draft.input.name)] : []),
  ].map(key => `called ${key}`)

/** What the parent is looked up by, in order, each with the company that it finds. */
export function parentNames(
  { links: { parent_id: link } }: Draft,
  { externals, states, domains, names }: Existing,
): { mark: string; company: string | undefined }[] {
  if (!link) return []
  const ids = link.ids.map(id => id.toLowerCase())
  const { domain } = link
  return [
    ...link.externals.map(id => ({ mark: `external ${id}`, company: externals.get(id)?.ids[0] })),
    ...ids.map(id => ({ mark: `record ${id}`, company: states.get(id) === 'living' ? id : undefined })),
    ...(domain === undefined ? [] : keysOfDomain(domain)).map(key => ({
      mark: `called ${key}`,
      company: domain === undefined ? undefined : domains.get(domain)?.ids[0],
    })),
    ...link.names.map(name => ({ mark: `called ${keyOfName(name)}`, company: names.get(name)?.ids[0] })),
  ]
}

/** Rows that are processed before the event loop is yielded. */
const AT_ONCE = 5000

const CIRCULAR = 'A company cannot belong to itself or to a company below it: left out'
const TOO_DEEP = `Companies can be at most ${MAX_LEVELS} levels deep: left out`

/** Removes parents from `parentOf` until it is a tree of at most MAX_LEVELS levels. */
async function familiesOf(parentOf: Map<number, number>): Promise<Families> {
  const levels = new Map<number, number>()
  const pruned = new Map<number, string>()
  for (const [i, row] of [...parentOf.keys()].entries()) {
    if (i % AT_ONCE === 0) await turn()
    const path: number[] = []
    const onPath = new Set<number>()
    let top: number | undefined = row
    while (top !== undefined && !levels.has(top) && !onPath.has(top)) {
      path.push(top)
      onPath.add(top)
      top = parentOf.get(top)
    }
    if (top !== undefined && onPath.has(top)) {
      const first = path.slice(path.indexOf(top)).reduce((a, b) => Math.min(a, b))
      parentOf.delete(first)
      pruned.set(first, CIRCULAR)
    }
    // From the top, so that the level of a parent is computed before it is used.
    for (const each of topFirst(path, parentOf)) {
      const parent = parentOf.get(each)
      const level = parent === undefined ? 0 : (levels.get(parent) ?? 0) + 1
      if (level >= MAX_LEVELS) {
        parentOf.delete(each)
        pruned.set(each, TOO_DEEP)
      }
      levels.set(each, level >= MAX_LEVELS ? 0 : level)
    }
  }
  return {
    levels: [...levels.values()].reduce((most, level) => Math.max(most, level), 0) + 1,
    levelOf: row => levels.get(row) ?? 0,
    prune(draft) {
      const message = pruned.get(draft.row)
      const link = draft.links.parent_id
      if (message === undefined || !link) return
      const value = link.names[0] ?? link.externals[0] ?? link.domain ?? link.ids[0] ?? null
      delete draft.links.parent_id
      draft.warnings.push(rowError('value_left_out', message, value, null, 'parent_id'))
    },
  }
}

/** A path upwards, in reverse; where it was a cycle, from the row whose parent was removed. */
function topFirst(path: readonly number[], parentOf: ReadonlyMap<number, number>): number[] {
  const cut = path.findIndex(row => !parentOf.has(row))
  if (cut < 0) return path.toReversed()
  return [...path.slice(0, cut + 1).toReversed(), ...path.slice(cut + 1).toReversed()]
}
