/** What a whole service does while recordings are worked on. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 'sk_bench_0123456789abcdef'
const URL = 'http://127.0.0.1:18977/api'
const headers = { 'x-api-key': KEY }

async function withService<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    env: {
      PATH: process.env.PATH,
      PORT: '18977',
      KITH_API_KEY: KEY,
      KITH_DATA_DIR: join(folder, 'data'),
      KITH_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout!, 'data')
    return await work()
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function upload(path: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([readFileSync(path)]), 'long.mp3')
  const sent = await fetch(`${URL}/transcriptions`, { method: 'POST', headers, body: form })
  return ((await sent.json()) as { id: string }).id
}

const seen = async (id: string) =>
  (await (await fetch(`${URL}/transcriptions/${id}`, { headers })).json()) as {
    status: string
    progress: number
  }
const isOver = ({ status }: { status: string }) => status === 'completed' || status === 'failed'
const round = (value: number) => Math.round(value * 100) / 100

/** The time that small requests take, in rounds of fifty. */
async function requests(rounds: number, times: number[] = []): Promise<number[]> {
  for (let i = 0; i < rounds * 50; i++) {
    const began = performance.now()
    await (await fetch(`${URL}/companies`, { headers })).arrayBuffer()
    times.push(performance.now() - began)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return times
}

const median = (times: number[]) => round(times.sort((a, b) => a - b)[times.length >> 1]!)

/** Quiet, then with a recording, then quiet again: so that other load on the machine shows. */
export const api = (folder: string, recording: string) =>
  withService(folder, async () => {
    await requests(4)
    const before = median(await requests(8))
    const id = await upload(recording)
    const times: number[] = []
    while (!isOver(await seen(id))) await requests(1, times)
    const busy_ms = median(times)
    const after = median(await requests(8))
    const quiet_ms = [before, after]
    return {
      quiet_ms,
      busy_ms,
      times: round(busy_ms / ((before + after) / 2)),
      requests: times.length,
      status: (await seen(id)).status,
    }
  })

/** Two of the same length at a time: how far the other is when one is done. */
export const pair = (folder: string, recording: string) =>
  withService(folder, async () => {
    const ids = await Promise.all([upload(recording), upload(recording)])
    for (;;) {
      const both = await Promise.all(ids.map(seen))
      if (both.some(isOver)) return { progress: both.map(({ progress }) => progress) }
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  })
