/** Tags that rows name: looked up for all rows at once, and added to the records that are imported. */
import type { Ctx } from '../../../kernel/context.ts'
import { fold } from '../../../kernel/fold.ts'
import type { TaggedType } from '../../../resources/tags/record.ts'
import { addTagsNamed, tagsNamed } from '../../../resources/tags/taggings.ts'
import type { Draft } from './draft.ts'
import { noteMissing } from './missing.ts'
import type { Plan, Write } from './types.ts'

/** A missing tag is created with the first record that has it, so a row that fails creates none. */
export async function resolveTags(tx: Ctx, plan: Plan, drafts: readonly Draft[]): Promise<void> {
  const rule = plan.onMissing.tag
  if (rule === 'create') return
  const existing = await tagsNamed(
    tx,
    drafts.flatMap(draft => draft.tags),
  )
  for (const draft of drafts) {
    for (const name of draft.tags)
      if (!existing.has(fold(name))) noteMissing(draft, 'tags', 'Tag', name, rule)
    draft.tags = draft.tags.filter(name => existing.has(fold(name)))
  }
}

/** Returns the records that got a tag which they did not have. */
export async function addTags(tx: Ctx, plan: Plan, writes: readonly Write[]): Promise<Set<string>> {
  // in the order of the file: the first spelling of a new tag counts
  const tagged = writes.filter(({ draft }) => draft.tags.length > 0).sort((a, b) => a.draft.row - b.draft.row)
  if (tagged.length === 0) return new Set()
  return addTagsNamed(
    tx,
    plan.resource.record.entityType as TaggedType,
    tagged.map(({ id, draft }) => ({ id, tags: draft.tags })),
  )
}
