/** The command line as its users run it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isGroup } from '../src/cli/command.ts'
import { commands } from '../src/cli/commands.ts'
import { checkNode } from '../src/cli/doctor/surroundings.ts'
import { run, SLOW, tempFolder } from './support/process.ts'
import { emptyDatabase, onAnyEngine } from './support/service.ts'

interface Ran {
  code: number | null
  out: string
  err: string
}

async function kith(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ran> {
  const process = run({ args, env, ...(cwd === undefined ? {} : { cwd }) })
  const code = await process.exited
  return { code, out: process.stdout(), err: process.stderr() }
}

/** Arguments with which a shell prints what it offers after the words that follow the file with the completion. */
const OFFERS = {
  bash: ['-c', 'source "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _kith; printf "%s\\n" "$COMPREPLY"'],
  // Completion itself needs a terminal: this calls the function as the first Tab does.
  zsh: [
    '-f',
    '-c',
    'compadd() { shift; print -l -- "$@" }; compdef() { }; source "$0"; words=("$@") CURRENT=$#; _kith',
  ],
  fish: ['--no-config', '-c', 'source $argv[1]; complete -C (string join -- " " $argv[2..])'],
}

const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

describe('usage', SLOW, () => {
  it.each([
    [['improt'], /knows start, .*\. Did you mean "import"\?$/],
    [['import', 'a.csv', '--sa', 'contacts'], /does not know the option --sa; see kith help import$/],
    [['import', 'a.csv', '--duplicate', 'skip'], /did you mean --duplicates\?$/],
    [['import', 'a.csv', '--as'], /^--as needs a value: --as <kind>\.$/],
    [['import', 'a.csv', '--as', 'people'], /^--as must be one of companies, contacts, .*, not "people"\.$/],
    [['import'], /^kith import needs <file>; see kith help import\.$/],
    [['query', 'a', 'b'], /does not know what to do with "b"/],
    [['query', '{"entity"'], /^The query is not JSON: /],
    [['completion', 'tcsh'], /^Completion is for bash, zsh, fish, not "tcsh"\.$/],
  ])('%o is refused with exit code 2', async (args, message) => {
    const { code, out, err } = await kith(args, { KITH_API_KEY: 'sk_automation_0123456789' })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err.trim()).toMatch(message)
  })

  it('shows help for every command', async () => {
    const lines = Object.entries(commands).flatMap(([name, entry]) =>
      isGroup(entry) ? Object.keys(entry.commands).map(second => `${name} ${second}`) : [name],
    )
    const { out } = await kith(['help'])
    for (const name of Object.keys(commands)) expect(out).toContain(`  kith ${name}`)
    for (const name of ['import', lines.at(-1)!]) {
      const { code, out } = await kith([...name.split(' '), '--help'])
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`^Usage: kith ${name}`))
    }
    expect((await kith(['help', 'import'])).out).toContain('  kith import people.csv --as contacts')
  })

  it.each(Object.entries(OFFERS))('completes commands and options in %s', async (shell, args) => {
    const { out } = await kith(['completion', shell])
    expect(out).toContain('revoke')
    const offers = (...words: string[]) => {
      const file = join(tempFolder(), 'completion')
      writeFileSync(file, out)
      return execFileSync(shell, [...args, file, 'kith', ...words], { encoding: 'utf8' })
    }
    if (!isInstalled(shell))
      return console.log(`The completion for ${shell} is not run: it is not installed.`)
    expect(offers('im')).toMatch(/^import\b/m)
    expect(offers('keys', 're')).toMatch(/^revoke\b/m)
    expect(offers('keys', 'create', '--sc')).toMatch(/^--scopes\b/m)
    expect(offers('import', 'people.csv', '--du')).toMatch(/^--duplicates\b/m)
  })
})

onAnyEngine('commands that call the service', account => {
  it('import, export and query', SLOW, async () => {
    const { url, key } = await account()
    const env = { KITH_URL: url, KITH_API_KEY: key }
    const cwd = tempFolder()
    writeFileSync(
      join(cwd, 'companies.csv'),
      'Name,City,Employees,Fax\nAcme,Graz,12,1\nBeta,Wien,7,\n,Linz,3,\n',
    )
    const dry = await kith(['import', 'companies.csv', '--as', 'companies', '--dry-run'], env, cwd)
    expect(dry).toMatchObject({ code: 1, err: '' })
    expect(dry.out).toMatch(
      /^3 rows: would be 2 created, 0 updated, 0 skipped, 1 failed\n {2}Fax: This column is not imported/,
    )
    const first = await kith(['import', 'companies.csv', '--as', 'companies', '--json'], env, cwd)
    expect(JSON.parse(first.out)).toMatchObject({ status: 'completed', created_count: 2, error_count: 1 })
    const again = await kith(['import', 'companies.csv', '--as', 'companies'], env, cwd)
    expect(again.out).toMatch(
      /^3 rows: 0 created, 0 updated, 2 skipped, 1 failed\n {2}This file was imported on .*\n(.*\n)? {2}row 4/,
    )

    const where = '{"field": "city", "value": "Graz"}'
    const csv = await kith(['export', 'companies', '--where', where, '--fields', 'name,city'], env, cwd)
    expect(csv).toMatchObject({ code: 0, out: 'name,city\r\nAcme,Graz\r\n' })
    const sums =
      '{"entity": "company", "measure": {"kind": "sum", "field": "employee_count"}, "group_by": [{"field": "city"}]}'
    const table = (await kith(['query', sums], env)).out.split('\n')
    expect(table[0]).toMatch(/^city +sum +currency +count$/)
    expect(table.slice(1).join('\n')).toMatch(/^Graz +12 +1$/m)
    const counted = '{"entity": "company", "measure": {"kind": "count"}}'
    expect((await kith(['query', counted], env)).out).toBe('count\n2\n')
    const listed = await kith(['query', '{"entity": "company"}', '--fields', 'name,city'], env)
    expect(listed.out).toMatch(/^Beta +Wien$/m)
    const answer = await kith(['query', 'How many companies are there?'], env)
    expect(answer).toMatchObject({ code: 0, out: expect.stringContaining('2') })
  })
})

onAnyEngine('commands that cannot reach the service', account => {
  it('say so', SLOW, async () => {
    const env = { KITH_URL: 'http://127.0.0.1:9', KITH_API_KEY: 'sk_automation_0123456789' }
    expect(await kith(['query', 'Who?'], {})).toMatchObject({
      code: 1,
      err: expect.stringMatching(/set KITH_API_KEY/),
    })
    expect(await kith(['query', 'Who?'], env)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No answer from/),
    })
    const { url } = await account()
    const refused = await kith(['query', 'Who?'], { ...env, KITH_URL: url })
    expect(refused).toMatchObject({ code: 1, out: '' })
    const missing = await kith(['import', 'nowhere.csv', '--as', 'notes'], env)
    expect(missing).toMatchObject({ code: 1, err: 'There is no file nowhere.csv that can be read.\n' })
  })
})

describe('commands about the installation', SLOW, () => {
  it('migrate an empty database, and say where it is', async () => {
    const env = { DATABASE_URL: await emptyDatabase() }
    const before = await kith(['migrate', '--check'], env)
    expect(before).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^The database is at version 0; \d+ migrations/),
    })
    expect((await kith(['migrate'], env)).out).toMatch(/^Migrated from version 0 to \d+\.\n$/)
    expect(await kith(['migrate', '--check', '--json'], env)).toMatchObject({ code: 0 })
  })

  it('examine a server and an embedded installation', async () => {
    const server = await kith(['doctor', '--json'], { DATABASE_URL: await emptyDatabase() })
    const findings = JSON.parse(server.out) as { subject: string; state: string }[]
    expect(findings.map(({ subject }) => subject)).toEqual(
      expect.arrayContaining([
        'Node',
        'database',
        'privileges',
        'clock',
        'pool mode',
        'schema',
        'disk',
        'embeddings',
        'mail',
      ]),
    )
    expect(findings.filter(({ state }) => state === 'failure')).toEqual([])
    expect(findings.find(({ subject }) => subject === 'schema')).toMatchObject({ state: 'warning' })
    const embedded = await kith(['doctor'])
    expect(embedded).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ok {4}database +embedded; the first start/),
    })
  })

  it('say what to do about what is wrong', async () => {
    const env = {
      DATABASE_URL: 'postgres://someone:pass-word@127.0.0.1:9/nothing',
      KITH_SMTP_URL: 'smtp://127.0.0.1:9',
      KITH_MAIL_FROM: 'crm@example.com',
      KITH_LLM_URL: 'http://127.0.0.1:9/v1',
      KITH_LLM_MODEL: 'any',
      KITH_EMBEDDINGS_LOCAL: 'false',
    }
    const { code, out } = await kith(['doctor'], env)
    expect(code).toBe(1)
    for (const subject of ['database', 'language model', 'mail'])
      expect(out).toMatch(new RegExp(`^FAIL  ${subject}`, 'm'))
    expect(out).toContain('→ Check DATABASE_URL')
    expect(out).not.toContain('pass-word')
    const settings = await kith(['doctor'], { PORT: 'http' })
    expect(settings).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^FAIL {2}settings +PORT must be/m),
    })
    expect(checkNode('22.1.0')).toMatchObject({ state: 'failure', advice: 'Install Node.js 24 or newer.' })
  })
})
