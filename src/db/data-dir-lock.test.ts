import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'

let dir: string
const children: ChildProcess[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kith-lock-'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** A second process that holds the lock until it is killed. */
async function holdInChild(): Promise<ChildProcess> {
  const module = new URL('./data-dir-lock.ts', import.meta.url)
  const script = `
    const { lockDataDir } = await import(process.argv[1])
    lockDataDir(process.argv[2])
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, module.href, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

const inUseBy = (pid: number | undefined) =>
  `The data folder ${dir} is in use by process ${pid}; stop it or set KITH_DATA_DIR to another folder.`

test('refuses a folder that another process has locked, with the pid of that process', async () => {
  const child = await holdInChild()
  expect(() => lockDataDir(dir)).toThrow(inUseBy(child.pid))
  // A refusal must not disturb the holder.
  expect(() => lockDataDir(dir)).toThrow(inUseBy(child.pid))
})

test('releases the lock of a killed process at once', async () => {
  const child = await holdInChild()
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  lockDataDir(dir).release()
})

test('refuses a second lock in the same process until the first one is released', () => {
  const lock = lockDataDir(dir)
  expect(() => lockDataDir(dir)).toThrow(inUseBy(process.pid))
  lock.release()
  lock.release()
  expect(existsSync(join(dir, 'kith.pid'))).toBe(false)
  const again = lockDataDir(dir)
  // The first handle is released already: releasing it again must not free the lock of the second.
  lock.release()
  expect(() => lockDataDir(dir)).toThrow(inUseBy(process.pid))
  again.release()
})

test('names the folder that cannot be locked', () => {
  const missing = join(dir, 'missing')
  expect(() => lockDataDir(missing)).toThrow(`The data folder ${missing} cannot be locked: `)
})
