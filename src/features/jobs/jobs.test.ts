import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { waitFor } from '../../../test/support/process.ts'
import { type Account, contextOf, onBothEngines } from '../../../test/support/service.ts'
import { systemDb, transaction } from '../../kernel/context.ts'
import {
  enqueue,
  enqueueAll,
  handlersByName,
  JobFailed,
  type JobHandler,
  jobType,
} from '../../kernel/jobs.ts'
import { int, object, text } from '../../kernel/schema/index.ts'
import { startWorker, type Worker } from '../../worker/worker.ts'

const testJob = jobType('test', object({ what: text(), n: int() }), 'jobs:write', {
  attempts: 3,
  concurrency: 2,
})
interface Data {
  what: string
  n: number
}

const until = <T>(look: () => Promise<T>, enough: (seen: T) => boolean): Promise<T> =>
  waitFor(async () => {
    const seen = await look()
    return enough(seen) ? seen : undefined
  })

onBothEngines('jobs', account => {
  /** A worker of its own for one test's job name, so that tests do not run each other's jobs. */
  async function working(me: Account, run: JobHandler<Data>['run'], more: Partial<JobHandler<Data>> = {}) {
    const { services } = me.service
    const type = { ...testJob, name: `test ${me.accountId}` }
    const handler = { type, run, ...more } as JobHandler
    const workers: Worker[] = []
    const start = async (leaseMs = 10_000) => {
      const config = { ...services.config, jobs: { ...services.config.jobs, leaseMs } }
      const worker = await startWorker({ ...services, config }, new Map([[type.name, handler]]), [])
      workers.push(worker)
      return worker
    }
    const ended = (id: string) =>
      until(
        () => me.get(`/api/jobs/${id}`).then(answer => answer.body),
        job => ['completed', 'failed', 'cancelled'].includes(job.status),
      )
    const stop = () => Promise.all(workers.map(worker => worker.stop()))
    return { type, start, ended, stop }
  }

  it('runs a job in the account and as the user who started it, and stores its result', async () => {
    const me = await account()
    const { type, start, ended, stop } = await working(me, async (ctx, data, job) => {
      await job.progress(ctx, 1, 2)
      const { rows } = await sql<{ n: number }>`select count(*) as n from accounts`.execute(ctx.db)
      return { sum: data.n + 1, account: ctx.account, user: ctx.user, seen: rows[0]!.n }
    })
    await start()
    const id = await enqueue(contextOf(me), type, { what: 'add', n: 41 })
    expect(await ended(id)).toMatchObject({
      status: 'completed',
      progress: { done: 1, total: 2 },
      attempts: 0,
      user_id: me.userId,
      result: { sum: 42, account: me.accountId, user: me.userId, seen: 1 },
    })
    await stop()
  })

  it('queues in the transaction of the caller', async () => {
    const me = await account()
    const { type } = await working(me, async () => ({}))
    const broken = transaction(contextOf(me), async tx => {
      await enqueue(tx, type, { what: 'never', n: 0 })
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect((await me.get('/api/jobs')).body.total).toBe(0)
    await enqueueAll(contextOf(me), type, [{ data: { what: 'a', n: 1 } }, { data: { what: 'b', n: 2 } }])
    expect((await me.get('/api/jobs')).body.total).toBe(2)
  })

  it('retries after a failure, fails after the last attempt, and can be retried by hand', async () => {
    const me = await account()
    let runs = 0
    const endings: string[] = []
    const { type, start, ended, stop } = await working(
      me,
      async () => {
        runs++
        if (runs <= 4) throw new Error('secret detail')
        return { runs }
      },
      { onEnd: async (_tx, _data, ending) => void endings.push(ending.status) },
    )
    await start()
    const id = await enqueue(contextOf(me), type, { what: 'fail', n: 0 })
    const hurry = setInterval(
      () =>
        sql`with due as (update jobs set run_at = now() where id = ${id} and run_at > now() returning id)
          select pg_notify('kith_jobs', '') from due`
          .execute(systemDb(me.service.services))
          .catch(() => {}),
      50,
    )
    const failed = await ended(id)
    expect(failed).toMatchObject({ status: 'failed', attempts: 3 })
    expect(failed.error).not.toContain('secret')
    expect(endings).toEqual(['failed'])
    expect((await me.get('/api/jobs?status=failed')).body.items.map((job: { id: string }) => job.id)).toEqual(
      [id],
    )
    expect((await me.post(`/api/jobs/${id}/retry`)).status).toBe(202)
    expect(await ended(id)).toMatchObject({ status: 'completed', result: { runs: 5 }, error: null })
    clearInterval(hurry)
    expect((await me.post(`/api/jobs/${id}/retry`)).status).toBe(409)
    await stop()
  })

  it('does not retry a permanent failure', async () => {
    const me = await account()
    const { type, start, ended, stop } = await working(me, async () => {
      throw new JobFailed('The file is not a table')
    })
    await start()
    const id = await enqueue(contextOf(me), type, { what: 'no', n: 0 })
    expect(await ended(id)).toMatchObject({ status: 'failed', attempts: 1, error: 'The file is not a table' })
    await stop()
  })

  it('cancels a queued job at once and a running job at its next step', async () => {
    const me = await account()
    const endings: string[] = []
    const { type, start, ended, stop } = await working(
      me,
      async (ctx, _data, job) => {
        for (let i = 0; ; i++) {
          await job.progress(ctx, i)
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      },
      { onEnd: async (_tx, data, ending) => void endings.push(`${data.what} ${ending.status}`) },
    )
    const waiting = await enqueue(
      contextOf(me),
      type,
      { what: 'waiting', n: 0 },
      { runAt: new Date(Date.now() + 1e6) },
    )
    expect((await me.post(`/api/jobs/${waiting}/cancel`)).body).toMatchObject({ status: 'cancelled' })
    await start()
    const running = await enqueue(contextOf(me), type, { what: 'running', n: 0 })
    await until(
      () => me.get(`/api/jobs/${running}`),
      answer => answer.body.progress.done > 0,
    )
    expect((await me.post(`/api/jobs/${running}/cancel`)).status).toBe(200)
    expect(await ended(running)).toMatchObject({ status: 'cancelled' })
    expect((await me.post(`/api/jobs/${running}/cancel`)).status).toBe(409)
    await stop()
    // only the worker that runs the job calls onEnd: the service has no handler for the test's job
    expect(endings).toEqual(['running cancelled'])
  })

  it('returns a job to the queue when it stops, and takes over jobs of a lost worker', async () => {
    const me = await account()
    const seen: string[] = []
    let release = () => {}
    const { type, start, ended, stop } = await working(me, async (ctx, _data, job) => {
      seen.push('run')
      if (seen.length === 3) return {}
      await new Promise<void>((resolve, reject) => {
        release = resolve
        job.signal.addEventListener('abort', () => reject(job.signal.reason))
      })
      await job.progress(ctx, 1)
    })
    const first = await start()
    const id = await enqueue(contextOf(me), type, { what: 'move', n: 0 })
    await until(
      async () => seen.length,
      n => n === 1,
    )
    await first.stop()
    expect((await me.get(`/api/jobs/${id}`)).body).toMatchObject({ status: 'queued', attempts: 0 })
    await start(600_000)
    await until(
      async () => seen.length,
      n => n === 2,
    )
    // The worker is lost: its lease expires, and another worker takes the job.
    await sql`update jobs set held_until = now() - interval '1 second' where id = ${id}`.execute(
      systemDb(me.service.services),
    )
    await start(1000)
    expect(await ended(id)).toMatchObject({ status: 'completed', attempts: 0 })
    // The result of the lost worker is ignored.
    release()
    await stop()
    expect((await me.get(`/api/jobs/${id}`)).body).toMatchObject({
      status: 'completed',
      progress: { done: 0 },
    })
  })

  it('streams progress until the end', async () => {
    const me = await account()
    let stream = ''
    const { type, start, stop } = await working(me, async (ctx, _data, job) => {
      for (let i = 1; i <= 3; i++) {
        await job.progress(ctx, i, 3)
        // events that come quickly are merged: the next step waits until this one was read
        await waitFor(() => stream.includes(`"done":${i},"total":3`))
      }
      return { fine: true }
    })
    const id = await enqueue(contextOf(me), type, { what: 'watch', n: 0 })
    const response = await fetch(`${me.url}/api/jobs/${id}/events`, { headers: { 'x-api-key': me.key } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    await start()
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) stream += part
    const events = stream.split('\n\n').filter(part => part.startsWith('event:'))
    expect(events.at(-1)).toMatch(/^event: end\ndata: .*"fine":true/)
    expect(events.length).toBeGreaterThanOrEqual(4)
    await stop()
  })

  it('shows an account only its own jobs', async () => {
    const me = await account()
    const stranger = await account()
    const { type } = await working(me, async () => ({}))
    const id = await enqueue(contextOf(me), type, { what: 'mine', n: 0 })
    expect((await stranger.get('/api/jobs')).body.total).toBe(0)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/cancel'],
      ['POST', '/retry'],
    ] as const) {
      expect((await stranger.call(method, `/api/jobs/${id}${path}`)).status).toBe(404)
    }
  })
})

it('does not start with a job without a handler or a handler without a job', () => {
  const handler = (name: string) => ({ type: { ...testJob, name }, run: async () => ({}) }) as JobHandler
  expect(() => handlersByName([testJob as never], [])).toThrow('The job test has no handler')
  expect(() => handlersByName([], [handler('ghost')])).toThrow('a handler for ghost, but no such job')
  expect(() => handlersByName([], [handler('a'), handler('a')])).toThrow('Two handlers')
  expect(handlersByName([testJob as never], [handler('test')]).size).toBe(1)
})
