/** `manifest.json`: whose archive it is. An archive may come from anywhere, so every field is checked. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { migrations } from '../../../db/migrate.ts'
import { ROLES } from '../../../kernel/context.ts'
import { type Infer, type Issue, int, list, object, oneOf, text, uuid } from '../../../kernel/schema/index.ts'
import { last } from '../../../lib/values.ts'
import { accountName, currency, personName } from '../../../resources/accounts/schemas.ts'

const person = object({
  id: uuid(),
  // Not `email()`: the first start creates owner@kith.local, which that schema refuses.
  email: text({ min: 3, max: 320, singleLine: true, pattern: /^[^\s@]+@[^\s@]+$/ }),
  name: personName,
  role: oneOf(ROLES),
})

const manifest = object({
  format: oneOf(['kith account']),
  // 1 and 2: before the first release, when there were more migrations
  version: int({ min: 1, max: 3 }),
  schema_version: int({ min: 1 }),
  taken_at: text({ max: 100 }),
  account: object({ id: uuid(), name: accountName, currency }),
  people: list(person, { min: 1, max: 10_000 }),
})
export type Manifest = Infer<typeof manifest>

/** 10,000 people take about 2 MB. */
const MAX_BYTES = 16 * 1024 * 1024

export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size === 0 || size > MAX_BYTES) throw new Error('This is not an archive of an account.')
  const content = parsed(await readFile(path, 'utf8'))
  const issues: Issue[] = []
  const checked = manifest.check(content, [], issues)
  const [issue] = issues
  if (issue && (issue.loc[0] ?? 'format') === 'format')
    throw new Error('This is not an archive of an account.')
  if (issue) throw new Error(`The archive's manifest is wrong at ${issue.loc.join('.')}: ${issue.msg}.`)
  if (checked.version === 3 && checked.schema_version > last(migrations()).version) {
    throw new Error('The archive was made by a newer build: run that one.')
  }
  return checked
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new Error('This is not an archive of an account.')
  }
}
