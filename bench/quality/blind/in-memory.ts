/** A set of the blind format as an account in memory. */
import { Memory } from '../../../src/features/ask/testing/memory.testing.ts'
import type { BlindSet } from './judge.ts'

export async function inMemory({ records }: Pick<BlindSet, 'records'>): Promise<Memory> {
  const memory = new Memory()
  const ids = new Map<string, string>()
  const tags = new Map<string, string[]>()
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    return typeof value === 'string' ? (ids.get(value) ?? value) : value
  }
  for (const { as, path, body } of records) {
    const { stage_id, ...own } = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, resolved(value)]),
    )
    if (path === '/api/tags') ids.set(`$${as}`, String(own.name))
    else if (path === '/api/tags/bulk-assign') {
      const { entity_ids, tag_ids } = own as Record<string, string[]>
      for (const id of entity_ids ?? []) tags.set(id, [...(tags.get(id) ?? []), ...(tag_ids ?? [])])
    } else {
      const stage = typeof stage_id === 'string' ? { stage: stage_id.replace('$stage:', '') } : {}
      ids.set(`$${as}`, await memory.create(path, { ...own, ...stage }))
    }
  }
  for (const [id, names] of tags) await memory.tag('', id, names)
  return memory
}
