/**
 * Runs the tests as other machines would: in other time zones and locales, and not as root. Run it before a release and
 * on a processor that CI does not have. Arguments are passed to vitest: `npm run test:portable -- src/kernel`.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

/** The zone that is furthest ahead of UTC, and one that is half an hour beside it; a locale with other separators. */
const ENVIRONMENTS = [
  { TZ: 'Pacific/Kiritimati', LC_ALL: 'C', LANG: 'C' },
  { TZ: 'America/St_Johns', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' },
]
const NOBODY = 65534

const isRoot = process.getuid?.() === 0
const home = mkdtempSync(join(tmpdir(), 'kith-portable-'))
if (isRoot) chownSync(home, NOBODY, NOBODY)
const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')

let failed = false
for (const environment of ENVIRONMENTS) {
  const { TZ, LC_ALL } = environment
  const user = isRoot ? 'nobody' : 'this user'
  console.log(`\n${TZ}, ${LC_ALL}, as ${user}, ${arch()}, ${availableParallelism()} cores`)
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--configLoader=native', ...process.argv.slice(2)],
    {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'inherit',
      env: { ...process.env, ...environment, HOME: home },
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    },
  )
  failed ||= status !== 0
}
rmSync(home, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
