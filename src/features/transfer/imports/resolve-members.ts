/** Members of the account that rows name as owner, assignee or author: by id, address or name. */
import { present } from '../../../lib/values.ts'
import type { Draft } from './draft.ts'
import type { Member } from './lookups.ts'
import { noteMissing, noteSeveral } from './missing.ts'
import { personName, turnedName } from './people-names.ts'
import { missingOf } from './relations.ts'
import type { Plan } from './types.ts'

export function resolveMembers(
  members: readonly Member[],
  plan: Plan,
  fields: readonly string[],
  drafts: readonly Draft[],
): void {
  const byKey = keysOf(members)
  for (const draft of drafts) {
    for (const field of fields) {
      const link = draft.links[field]
      if (!link) continue
      const keys = [...link.ids, ...link.names].flatMap(text => {
        const { name, email } = personName(text)
        return [text.trim(), email ?? '', name, turnedName(name) ?? ''].filter(part => part !== '')
      })
      const key = keys.find(value => byKey.has(value.toLowerCase()))
      const [member, ...others] = key === undefined ? [] : (byKey.get(key.toLowerCase()) ?? [])
      const rule = plan.onMissing[present(missingOf(field, 'members'), 'the rule for a missing member')]
      if (member === undefined) noteMissing(draft, field, 'User', keys[0] ?? '', rule)
      else if (others.length === 0) draft.input[field] = member
      else noteSeveral(draft, field, 'members', { several: key ?? '', by: 'name' }, rule)
    }
  }
}

function keysOf(members: readonly Member[]): Map<string, string[]> {
  const byKey = new Map<string, string[]>()
  for (const { user_id, name } of members) {
    const key = name.trim().toLowerCase()
    byKey.set(key, [...(byKey.get(key) ?? []), user_id])
  }
  // An address is unique; where a name equals an address, the address counts.
  for (const { user_id, email } of members) byKey.set(email.toLowerCase(), [user_id]).set(user_id, [user_id])
  return byKey
}
