/** What a newcomer sees: from nothing to an answer, and a clear sentence when something is wrong. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { clientOf, run, SLOW, startKith, tempFolder } from './support/process.ts'
import { anyEngine, freshDatabase, request } from './support/service.ts'

/** As if pasted into a shell; where there is no curl, what it would have sent. */
async function paste(line: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line.replace('curl', 'curl -sS')}`])
    return stdout
  } catch (error) {
    if (!/not found/.test(String(error))) throw error
    const [, header, url] = /^curl -H '([^']+)' (\S+)$/.exec(line)!
    return (await fetch(url!, { headers: [header!.split(': ') as [string, string]] })).text()
  }
}

describe('a start', SLOW, () => {
  it('prints the address and the key once, and has the same data after a restart', async () => {
    const dataDir = join(tempFolder(), 'new', 'data')
    const first = await startKith({ env: { KITH_DATA_DIR: dataDir } })
    expect(first.stdout()).toContain(`Kith is running at ${first.url}\nReference: ${first.url}/docs\n`)
    expect(first.key).toMatch(/^sk_[\w-]{43}$/)
    expect(first.stdout().split(first.key!).length - 1).toBe(2)
    const curl = /^ {2}(curl .*)$/m.exec(first.stdout())![1]!
    expect(JSON.parse(await paste(curl))).toMatchObject({ items: [], total: 0 })
    expect(await request(`${first.url}/docs`, 'GET')).toMatchObject({ status: 200 })
    await expect(clientOf(first.url, undefined).companies.list()).rejects.toMatchObject({ status: 401 })
    await first.client.companies.create({ name: 'Acme' })
    expect(await first.stop()).toBe(0)

    const second = await startKith({ env: { KITH_DATA_DIR: dataDir } })
    expect(second.key).toBeUndefined()
    expect(second.stdout()).not.toMatch(/sk_|curl/)
    const { items } = await clientOf(second.url, first.key).companies.list()
    expect(items).toMatchObject([{ name: 'Acme' }])
    expect(await second.stop()).toBe(0)
  })

  it.each(anyEngine)('accepts the key from .env at every start, but stores it once (%s)', async engine => {
    const cwd = tempFolder()
    const key = 'sk_automation_0123456789'
    const settings = [
      '# for machines',
      `KITH_API_KEY='${key}'`,
      'export KITH_LOG_LEVEL=warn # not much',
      'HOST=no-such-host.invalid',
      engine === 'server' ? `DATABASE_URL="${await freshDatabase()}"` : '',
    ]
    writeFileSync(join(cwd, '.env'), settings.join('\n'))
    // What the environment says wins over the file.
    const options = { cwd, env: { HOST: '127.0.0.1' } }
    const keys = async () => {
      const kith = await startKith(options)
      expect(kith.key).toBeUndefined()
      expect(kith.stdout()).not.toContain(key)
      const { items } = await clientOf(kith.url, key).apiKeys.list()
      expect(await kith.stop()).toBe(0)
      expect(kith.log()).toEqual([])
      return items.map(({ id }) => id)
    }
    const before = await keys()
    expect(before).toHaveLength(1)
    expect(await keys()).toEqual(before)
  })
})

const NO_SUCH_SERVER = 'postgres://someone:pass-word@127.0.0.1:9/nothing'

/** One of each kind: a setting of the wrong form (config.test.ts has all of them), and those that fail later. */
describe('a wrong setting stops the start with one sentence', SLOW, () => {
  it.each<[string, Record<string, string>, string | RegExp]>([
    ['PORT', { PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http".'],
    [
      'HOST',
      { HOST: 'no-such-host.invalid' },
      /^Kith could not start: HOST "no-such-host.invalid" is not an address of this machine/,
    ],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'mysql://a:secret@b/c' },
      'DATABASE_URL must be an address that starts with postgres: or postgresql://.',
    ],
    [
      'DATABASE_URL',
      { DATABASE_URL: NO_SUCH_SERVER },
      /^Kith could not start: The database cannot be reached; check DATABASE_URL. \(.*ECONNREFUSED.*\)$/,
    ],
    [
      'KITH_DATA_DIR',
      { KITH_DATA_DIR: '/dev/null/data' },
      /^Kith could not start: The data folder \/dev\/null\/data cannot be created: .*$/,
    ],
  ])('%s %o', async (_name, env, sentence) => {
    const kith = run({ env })
    expect(await kith.exited).toBe(1)
    expect(kith.stdout()).toBe('')
    const said = kith.stderr().trimEnd()
    if (typeof sentence === 'string') expect(said).toBe(sentence)
    else expect(said).toMatch(sentence)
    expect(said.split('\n')).toHaveLength(1)
    expect(said).not.toMatch(/secret@|pass-word/)
  })
})

describe('a start that cannot be', SLOW, () => {
  it('names the process that has the data folder', async () => {
    const env = { KITH_DATA_DIR: tempFolder() }
    const holder = await startKith({ env })
    const second = run({ env })
    expect(await second.exited).toBe(1)
    expect(second.stderr().trimEnd()).toBe(
      `Kith could not start: The data folder ${env.KITH_DATA_DIR} is in use by process ${holder.child.pid}; ` +
        'stop it or set KITH_DATA_DIR to another folder.',
    )
    expect((await request(`${holder.url}/ready`, 'GET')).status).toBe(200)
  })

  it('names the address that is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => taken.once('listening', resolve))
    const { port } = taken.address() as { port: number }
    const kith = run({ env: { PORT: String(port) } })
    expect(await kith.exited).toBe(1)
    taken.close()
    expect(kith.stderr().trimEnd()).toBe(
      `Kith could not start: 127.0.0.1:${port} is in use; stop what runs there or set PORT.`,
    )
  })

  it('lists its commands', async () => {
    const kith = run({ args: ['begin'] })
    expect(await kith.exited).toBe(2)
    expect(kith.stderr()).toMatch(/^Kith does not know the command "begin"; it knows .*start/)
    for (const asked of ['help', '--help', '-h']) {
      const help = run({ args: [asked] })
      expect(await help.exited).toBe(0)
      for (const command of ['start', 'worker', 'restore', 'openapi']) {
        expect(help.stdout()).toContain(`kith ${command} `)
      }
    }
  })
})
