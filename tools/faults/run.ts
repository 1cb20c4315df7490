/**
 * npm run faults [-- --full] [-- --only=kills] [-- --continue]: injects every known kind of fault on both engines,
 * prints a table and writes its rows into docs/trust.md. Takes ten minutes, or an hour and a half with --full.
 * --continue adds crashes to those of the rows, so that many can be done in several runs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { startOwnPostgresServer } from '../../test/support/postgres-server.ts'
import { clockSteps, databaseRestarts, kills, type Row } from './deaths.ts'
import { mixedLoad } from './load.ts'
import { fullDisk, rollingRestart, smallPool } from './overload.ts'
import { powerFailures } from './power.ts'
import { sumOf } from './rows.ts'
import { cleanUp } from './service.ts'
import { slowClients } from './slow-clients.ts'

const isContinued = process.argv.includes('--continue')
const isFull = process.argv.includes('--full')
const only = process.argv.find(word => word.startsWith('--only='))?.slice('--only='.length)
const setting = (name: string, usual: number, full: number) =>
  Number(process.env[`KITH_FAULTS_${name}`] ?? (isFull ? full : usual))

const killCount = setting('KILLS', 20, 200)
const powerCount = setting('POWER', 20, 200)
const restartCount = setting('RESTARTS', 6, 20)
const rollingRequests = setting('REQUESTS', 5000, 50_000)
const slowCount = setting('SLOW_CLIENTS', 210, 510)
const slowRuns = setting('SLOW_RUNS', 1, 3)
const loadSeconds = setting('LOAD_SECONDS', 60, 1800)

const postgres = await startOwnPostgresServer({ durable: true })
const scenarios: Record<string, () => Promise<Row>> = {
  'kills-server': () => kills('server', killCount, postgres),
  'kills-embedded': () => kills('embedded', killCount, postgres),
  power: () => powerFailures(powerCount),
  restarts: () => databaseRestarts(restartCount, postgres),
  rolling: () => rollingRestart(rollingRequests, postgres),
  pool: () => smallPool(200, postgres),
  'disk-server': () => fullDisk('server'),
  'disk-embedded': () => fullDisk('embedded'),
  'slow-server': () => slowClients('server', slowCount, slowRuns, postgres),
  'slow-embedded': () => slowClients('embedded', slowCount, slowRuns, postgres),
  'load-server': () => mixedLoad('server', loadSeconds, postgres),
  'load-embedded': () => mixedLoad('embedded', loadSeconds, postgres),
  'clock-server': () => clockSteps('server', postgres),
  'clock-embedded': () => clockSteps('embedded', postgres),
}

const processor = arch() === 'x64' ? 'x86-64' : arch()
const machine = `${processor}, ${cpus().length} cores`
const today = new Date().toISOString().slice(0, 10)
const lines: string[] = []
let failed = 0
try {
  for (const [name, run] of Object.entries(scenarios)) {
    if (only !== undefined && !name.startsWith(only)) continue
    const row = await run().catch(
      (error: Error): Row => ({
        fault: name,
        engine: '',
        amount: '',
        result: `could not run: ${error.message.trim().split('\n').at(-1)}`,
        holds: false,
      }),
    )
    if (!row.holds) failed++
    const line = `| ${row.fault} | ${row.engine} | ${machine} | ${row.amount} | ${row.result} | ${row.holds ? 'yes' : '**no**'} | ${today} |`
    console.log(line)
    // A skipped fault does not replace the figures from another machine.
    if (!row.isSkipped) lines.push(line)
  }
} finally {
  await postgres.stop()
  cleanUp()
}
writeTable(lines)
process.exitCode = failed === 0 ? 0 : 1

/** Each row replaces the one of the same fault, engine and machine, so that parts can be measured on different days. */
function writeTable(rows: readonly string[]): void {
  const file = new URL('../../docs/trust.md', import.meta.url)
  const text = readFileSync(file, 'utf8')
  const keyOf = (row: string) => row.split(' | ').slice(0, 3).join(' | ')
  const keys = rows.map(keyOf)
  const section = /(<!-- faults -->\n)([\s\S]*?)(\n<!-- \/faults -->)/
  const before = (section.exec(text)?.[2] ?? '')
    .split('\n')
    .filter(line => /^\| .+\d{4}-\d\d-\d\d/.test(line))
  const table = [
    `Each row was measured by \`npm run faults\` on the day that it names, with Node ${process.versions.node.split('.')[0]}, beside other work on the machine.`,
    '',
    '| fault | engine | machine | how much | result | holds | measured |',
    '|---|---|---|---|---|---|---|',
    ...before.map(row => {
      const next = rows[keys.indexOf(keyOf(row))]
      return next === undefined ? row : (isContinued && sumOf(row, next)) || next
    }),
    ...rows.filter(row => !before.some(old => keyOf(old) === keyOf(row))),
  ].join('\n')
  writeFileSync(
    file,
    text.replace(section, (_, open, __, close) => open + table + close),
  )
}
