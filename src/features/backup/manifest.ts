/** `backup.json`, the first file of a backup: what it is a backup of. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrations } from '../../db/migrate.ts'
import { LAST_VERSION, MOVE } from '../../db/pre-release.ts'
import { type Infer, type Issue, int, list, object, oneOf, text } from '../../kernel/schema/index.ts'
import { last } from '../../lib/values.ts'

export const MANIFEST = 'backup.json'
/** The last file, which is empty: an archive without it was cut off. */
export const END = 'end'

const manifest = object({
  format: oneOf(['kith backup']),
  // 1: before the first release, when there were more migrations
  version: int({ min: 1, max: 2 }),
  engine: oneOf(['embedded', 'server']),
  schema_version: int({ min: 1 }),
  taken_at: text({ max: 100 }),
  files: int({ min: 0 }),
  /** folders of the embedded database, some of which are empty and must exist */
  folders: list(text({ max: 90, pattern: /^[a-z0-9_]+(\/[a-z0-9_]+)*$/i }), { max: 1000 }),
})
export type Manifest = Infer<typeof manifest>

export async function readManifest(folder: string): Promise<Manifest> {
  const issues: Issue[] = []
  const checked = manifest.check(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')), [], issues)
  const [issue] = issues
  if (issue) throw new Error(`The manifest of the backup is wrong at ${issue.loc.join('.')}: ${issue.msg}.`)
  if (checked.version === 1 && checked.schema_version < LAST_VERSION) throw new Error(MOVE)
  if (checked.schema_version > (checked.version === 1 ? LAST_VERSION : last(migrations()).version))
    throw new Error('The backup was made by a newer build: run that one.')
  return checked
}
