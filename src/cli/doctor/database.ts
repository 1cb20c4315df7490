/** Checks of the database: reachable, version, privileges, pool mode, schema, clock. */
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { lockDataDir } from '../../db/data-dir-lock.ts'
import { migrations } from '../../db/migrate.ts'
import { refuseUnfitPooler } from '../../db/pooler.ts'
import { MOVE, preReleaseState, versionAmong } from '../../db/pre-release.ts'
import { explain } from '../failure.ts'
import { checked, type Finding, failure, ok, warning } from './finding.ts'

const OLDEST_SERVER = 15
/** Access tokens are valid for minutes; a larger difference makes them expire early or late. */
const CLOCK_SECONDS = 5

export const checkDatabase = (config: Config): Promise<Finding[]> =>
  config.databaseUrl === undefined
    ? checked('database', 'Set KITH_DATA_DIR to a folder of this user.', async () => embedded(config))
    : checked('database', 'Check DATABASE_URL and that the server accepts connections from here.', () =>
        server(config, config.databaseUrl ?? ''),
      )

function embedded({ dataDir }: Config): Finding[] {
  if (!existsSync(dataDir)) return [ok('database', `embedded; the first start creates ${dataDir}`)]
  accessSync(dataDir, constants.R_OK | constants.W_OK)
  if (!existsSync(join(dataDir, 'db')))
    return [ok('database', `embedded; the first start creates it in ${dataDir}`)]
  return [ok('database', `embedded in ${dataDir}, ${usage(dataDir)}`)]
}

function usage(dataDir: string): string {
  try {
    lockDataDir(dataDir).release()
    return 'not in use'
  } catch (error) {
    return /in use by (.*);/.exec(explain(error))?.[1] ? 'in use by a running service' : explain(error)
  }
}

interface ServerState {
  version: number
  encoding: string
  seconds_ahead: number
  may_create: boolean
  has_role: boolean
  may_create_role: boolean
  has_schema: boolean
}

const STATE = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding,
  extract(epoch from clock_timestamp())::float8 - $1::float8 as seconds_ahead,
  has_database_privilege(current_database(), 'create') as may_create,
  coalesce((select pg_has_role(current_user, oid, 'member') from pg_roles where rolname = 'kith_app'), false) as has_role,
  (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as may_create_role,
  to_regclass('kith.migrations') is not null as has_schema`

async function server(config: Config, connectionString: string): Promise<Finding[]> {
  const connection = { connectionString, connectionTimeoutMillis: 10_000 }
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<ServerState>(STATE, [Date.now() / 1000])
    const [state] = rows
    if (!state) throw new Error('the server did not answer')
    return [
      versionOf(state),
      privileges(state),
      clock(state),
      ...(await checked('pool mode', 'Connect directly, or set pool_mode = session.', async () => {
        await refuseUnfitPooler(connection, config.limits.poolSize + 1)
        return ok('pool mode', 'sessions are not shared with other clients')
      })),
      await schema(client, state),
    ]
  } finally {
    await client.end()
  }
}

function versionOf({ version, encoding }: ServerState): Finding {
  const major = Math.floor(version / 10_000)
  const text = `PostgreSQL ${major}, ${encoding}`
  if (major < OLDEST_SERVER)
    return failure('database', text, `Upgrade to PostgreSQL ${OLDEST_SERVER} or newer.`)
  if (encoding !== 'UTF8') return failure('database', text, 'Create the database with encoding UTF8.')
  return ok('database', text)
}

function privileges({ may_create, has_role, may_create_role, has_schema }: ServerState): Finding {
  const subject = 'privileges'
  if (!has_schema && !may_create)
    return failure(
      subject,
      'the user may not create a schema',
      'Run: grant create on database <name> to <user>',
    )
  if (!has_role && !may_create_role)
    return failure(
      subject,
      'the user is not a member of the role kith_app and may not create it',
      'As an administrator run: create role kith_app; grant kith_app to <user>',
    )
  return ok(subject, 'sufficient')
}

function clock({ seconds_ahead }: ServerState): Finding {
  const seconds = Math.round(Math.abs(seconds_ahead) * 10) / 10
  if (seconds <= CLOCK_SECONDS) return ok('clock', 'agrees with the database server')
  const text = `${seconds} s ${seconds_ahead > 0 ? 'behind' : 'ahead of'} the database server`
  return warning('clock', text, 'Synchronise both clocks (NTP).')
}

async function schema(client: pg.Client, { has_schema }: ServerState): Promise<Finding> {
  const newest = migrations().at(-1)?.version ?? 0
  const { rows } = has_schema
    ? await client.query<{ version: number; checksum: string }>(
        'select version, checksum from kith.migrations order by version',
      )
    : { rows: [] }
  if (preReleaseState(rows) === 'too old')
    return failure('schema', 'of a build before the first release', MOVE)
  const version = versionAmong(rows)
  if (version > newest)
    return failure('schema', `version ${version}, newer than this build (${newest})`, 'Run the newer build.')
  if (version < newest)
    return warning(
      'schema',
      `version ${version} of ${newest}`,
      'A start migrates it, and so does kith migrate.',
    )
  return ok('schema', `version ${version}`)
}
