/** What is acknowledged survives a power failure: kill -9, and everything that was not flushed is gone. */
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isWhole, type Row, result, someWrites, underWriters } from './deaths.ts'
import { newFolder, newTarget, repeat } from './service.ts'

const disk = new URL('./volatile-disk.ts', import.meta.url).href

export async function powerFailures(count: number, env: Record<string, string> = {}): Promise<Row> {
  const dataDir = newFolder()
  const platters = newFolder()
  const target = await newTarget({
    dataDir,
    env: {
      ...env,
      NODE_OPTIONS: `--import=${disk}`,
      KITH_FAULTS_DISK: dataDir,
      KITH_FAULTS_PLATTERS: platters,
    },
  })
  await target.start()
  let done = 0
  const outcome = await underWriters(target.url, async ledger => {
    done = await repeat(count, async () => {
      await someWrites(ledger)
      await target.kill('SIGKILL')
      for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true })
      cpSync(platters, dataDir, { recursive: true })
      await target.start()
    })
    await someWrites(ledger)
  })
  await target.kill('SIGTERM')
  return {
    fault: 'power failure under 8 writers',
    engine: 'embedded',
    amount: `${done} failures`,
    result: result(outcome),
    holds: isWhole(outcome),
  }
}
