/** Which events a caller requests and may see. */
import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import { nearest } from '../../kernel/nearest.ts'
import { checkMayRead, mayRead } from '../../kernel/reach.ts'
import type { Loc } from '../../kernel/schema/index.ts'
import type { EventKind, EventKinds } from './types.ts'

export interface Selection {
  /** `<key of the event kind> <action>`, with the actions of the journal; `stage_changed` is an action of deals */
  pairs: string[]
}

/** `types`: `deal.created`, `deal.*`, `*`; without them, all that the caller's scopes allow. A type beyond them is refused. */
export function select(ctx: Ctx, kinds: EventKinds, types: readonly string[], loc: Loc): Selection {
  const all = [...kinds.values()]
  if (types.length === 0) {
    const readable = all.filter(kind => kind.shows.every(table => mayRead(ctx, table)))
    return { pairs: readable.flatMap(pairsOf) }
  }
  const pairs = types.flatMap(type => {
    const matches = matching(kinds, type)
    if (matches.length === 0) {
      const close = nearest(
        type,
        all.flatMap(kind => kind.types),
      )
      throw errors.invalidValue(
        loc,
        `there is no event type ${type.slice(0, 100)}${close ? `; did you mean ${close}?` : ''}`,
        type,
      )
    }
    checkMayReadType(ctx, kinds, type)
    return matches.map(({ kind, type: one }) => pairOf(kind, one))
  })
  return { pairs: [...new Set(pairs)] }
}

/** Refuses a type (or `deal.*`, `*`) of which the caller may not read every record. */
export function checkMayReadType(ctx: Ctx, kinds: EventKinds, type: string): void {
  for (const { kind } of matching(kinds, type)) for (const table of kind.shows) checkMayRead(ctx, table)
}

/**
 * The selection for stored types, which were checked when they were stored. Types that this version no longer has are
 * left out.
 */
export const selectStored = (kinds: EventKinds, types: readonly string[]): Selection => ({
  pairs: types.flatMap(type => matching(kinds, type).map(({ kind, type: one }) => pairOf(kind, one))),
})

const matching = (kinds: EventKinds, pattern: string): { kind: EventKind; type: string }[] =>
  [...kinds.values()].flatMap(kind =>
    kind.types.filter(type => isMatch(pattern, type)).map(type => ({ kind, type })),
  )

const isMatch = (pattern: string, type: string): boolean =>
  pattern === type || pattern === '*' || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

const JOURNAL_ACTION: Readonly<Record<string, string>> = {
  linked: 'created',
  link_changed: 'updated',
  unlinked: 'deleted',
}

export const pairsOf = (kind: EventKind): string[] => kind.types.map(type => pairOf(kind, type))

function pairOf({ key, relatedType }: EventKind, type: string): string {
  const action = type.slice(type.indexOf('.') + 1)
  return `${key} ${relatedType === undefined ? action : JOURNAL_ACTION[action.slice(relatedType.length + 1)]}`
}
