/** pg_dump and pg_restore of the installed PostgreSQL client. */
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { environmentWith } from '../../config.ts'
import { messageOf } from '../../lib/thrown.ts'
import { property } from '../../lib/values.ts'

const run = promisify(execFile)
/** Where Debian and its relatives install several versions side by side. */
const VERSIONS = '/usr/lib/postgresql'

type Tool = 'pg_dump' | 'pg_restore'

/** The program of the lowest version that can work with this server; a lower one than the server's refuses. */
export async function findTool(tool: Tool, serverMajor: number): Promise<string> {
  const majors = (await readdir(VERSIONS).catch(() => [])).sort((a, b) => Number(a) - Number(b))
  const installed: number[] = []
  for (const path of [tool, ...majors.map(major => `${VERSIONS}/${major}/bin/${tool}`)]) {
    const major = await majorOf(path)
    if (major !== undefined && major >= serverMajor) return path
    if (major !== undefined) installed.push(major)
  }
  throw new Error(
    `${tool} of PostgreSQL ${serverMajor} or newer is needed and ${installed.length === 0 ? 'none is' : `only ${[...new Set(installed)].join(', ')} is`} ` +
      `installed: install postgresql-client-${serverMajor}, or back up on the database server.`,
  )
}

async function majorOf(path: string): Promise<number | undefined> {
  try {
    const { stdout } = await run(path, ['--version'])
    const major = Number(/(\d+)/.exec(stdout)?.[1])
    return Number.isInteger(major) ? major : undefined
  } catch {
    return undefined
  }
}

/** Runs a tool. The password is not among the arguments, which every user of the machine can read. */
export async function runTool(
  path: string,
  databaseUrl: string | undefined,
  args: readonly string[],
): Promise<string> {
  const { target, password } = connectionOf(databaseUrl)
  try {
    const { stdout } = await run(path, [...target, ...args], {
      // C: the messages are in English, for `isTimeoutUnknown`.
      env: environmentWith({ LC_ALL: 'C', ...(password ? { PGPASSWORD: password } : {}) }),
      maxBuffer: 64 * 1024 ** 2,
    })
    return stdout
  } catch (error) {
    const stderr = property(error, 'stderr')
    throw new Error(`${path} failed: ${String(stderr || messageOf(error)).trim()}`, { cause: error })
  }
}

/** pg_restore of 17 and later begins with a setting that servers before 17 do not have, and nothing else failed. */
export const isTimeoutUnknown = (error: unknown): boolean =>
  /"transaction_timeout"[\s\S]*errors ignored on restore: 1$/.test(messageOf(error))

function connectionOf(databaseUrl: string | undefined): { target: string[]; password: string } {
  if (databaseUrl === undefined) return { target: [], password: '' }
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { target: ['--dbname', url.href], password }
}
