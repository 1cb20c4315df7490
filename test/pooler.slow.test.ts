/** Behind a real PgBouncer: sessions of one's own are fine, shared ones are refused before anything is written. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from './support/postgres-server.ts'
import { run, SLOW, startKith, tempFolder, waitFor } from './support/process.ts'
import { freshDatabase } from './support/service.ts'

const isInstalled = (() => {
  try {
    execFileSync('pgbouncer', ['--version'], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
      stdio: 'ignore',
    })
    return true
  } catch {
    console.log(
      'pooler.slow.test.ts is skipped: pgbouncer is not installed (Debian: apt-get install pgbouncer)',
    )
    return false
  }
})()

/** The address of the same database behind a PgBouncer in that mode. */
async function pgbouncer(mode: string, sessions = 20): Promise<string> {
  const target = new URL(await freshDatabase())
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  const port = await freePort()
  const settings = `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password || 'none'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${sessions}
`
  writeFileSync(join(folder, 'pgbouncer.ini'), settings)
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...user, join(folder, 'pgbouncer.ini')], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', chunk => {
    log += chunk
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    if (child.exitCode === null && child.kill('SIGINT')) await ended
  })
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${log}`)
    return log.includes('process up') || undefined
  })
  target.port = String(port)
  return target.href
}

describe.skipIf(!isInstalled)('behind PgBouncer', SLOW, () => {
  it.each(['transaction', 'statement'])('does not start with pool_mode = %s', async mode => {
    const kith = run({ env: { DATABASE_URL: await pgbouncer(mode) } })
    expect(await kith.exited).toBe(1)
    expect(kith.stderr()).toContain('set pool_mode = session for this database')
  })

  it('does not start with fewer sessions than it opens', async () => {
    const kith = run({ env: { DATABASE_URL: await pgbouncer('session', 10), KITH_POOL_SIZE: '10' } })
    expect(await kith.exited).toBe(1)
    expect(kith.stderr()).toContain('gave fewer than 11 sessions at once')
  })

  it('starts with pool_mode = session', async () => {
    const kith = await startKith({
      env: { DATABASE_URL: await pgbouncer('session'), KITH_API_KEY: 'sk_behind_a_pooler_012345' },
    })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => kith.client.companies.create({ name: `Company ${i}` })),
    )
    expect(await kith.client.companies.list()).toMatchObject({ total: 20 })
    expect(await kith.stop()).toBe(0)
  })
})
