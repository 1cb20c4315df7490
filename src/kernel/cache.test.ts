import { expect, it } from 'vitest'
import { openCaches } from './cache.ts'

/** Caches over an engine that only listens; `notify` is the database reporting that a table has changed. */
function listening() {
  const listeners: ((payload: string | undefined) => void)[] = []
  const engine = { listen: async (_: string, heard: (typeof listeners)[0]) => void listeners.push(heard) }
  const notify = (payload: string | undefined) => {
    for (const heard of listeners) heard(payload)
  }
  return { caches: openCaches(engine), notify }
}

it('caches a value until the table changes', async () => {
  const { caches, notify } = listening()
  const cache = await caches.of<number>(['keys', 'people'])
  let loads = 0
  const get = () => cache.get('a', async () => ++loads)
  expect([await get(), await get()]).toEqual([1, 1])
  notify('other:1')
  expect(await get()).toBe(1)
  notify('people:1')
  expect(await get()).toBe(2)
  // notices may have been missed
  notify(undefined)
  expect(await get()).toBe(3)
})

it('drops a value at once when this process has changed it', async () => {
  const { caches } = listening()
  const [keys, people] = [await caches.of<number>(['keys']), await caches.of<number>(['people'])]
  let loads = 0
  const load = async () => ++loads
  expect([await keys.get('a', load), await people.get('a', load)]).toEqual([1, 2])
  caches.forget('keys')
  expect([await keys.get('a', load), await people.get('a', load)]).toEqual([3, 2])
  listening().caches.forget('keys')
  expect(await keys.get('a', load)).toBe(3)
})

it('does not cache a value that was loading while the table changed, nor a missing one', async () => {
  const { caches, notify } = listening()
  const cache = await caches.of<string>(['keys'])
  const old = await cache.get('a', async () => {
    notify('keys:1')
    return 'old'
  })
  expect(old).toBe('old')
  expect(await cache.get('a', async () => 'new')).toBe('new')
  expect(await cache.get('b', async () => undefined)).toBeUndefined()
  expect(await cache.get('b', async () => 'made since')).toBe('made since')
})
