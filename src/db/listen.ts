/** Notifications of the database: `NOTIFY` on a channel → the callbacks of that channel. */
import pg from 'pg'

export type Hear = (channel: string, payload: string | undefined) => void

export interface Listening {
  /** After a channel was added. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** The embedded engine has one connection, so it listens on that one. */
export function listenOnPool(pool: pg.Pool, channels: () => Iterable<string>, hear: Hear): Listening {
  const listen = async (client: pg.ClientBase) => {
    for (const channel of channels()) await client.query(`listen "${channel}"`)
  }
  pool.on('connect', client => {
    client.on('notification', n => hear(n.channel, n.payload))
    // A new connection after a restart: notifications in between are lost.
    listen(client).then(
      () => {
        for (const channel of channels()) hear(channel, undefined)
      },
      () => {},
    )
  })
  return {
    async renew() {
      const client = await pool.connect()
      try {
        await listen(client)
      } finally {
        client.release()
      }
    },
    async stop() {},
  }
}

const RETRY_MS = 1000

/** On a server, a separate connection listens; it is replaced when it is lost. */
export function listenApart(
  config: pg.ClientConfig,
  channels: () => Iterable<string>,
  hear: Hear,
  log: (message: string, detail?: unknown) => void,
): Listening {
  let client: pg.Client | undefined
  let connecting: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  const missed = () => {
    for (const channel of channels()) hear(channel, undefined)
  }

  function connect(): Promise<void> {
    connecting ??= open().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  async function open(): Promise<void> {
    const fresh = new pg.Client(config)
    fresh.on('notification', n => hear(n.channel, n.payload))
    fresh.on('error', error => log('the listening connection was lost', error))
    fresh.on('end', () => {
      if (client !== fresh) return
      client = undefined
      missed()
      again()
    })
    try {
      await fresh.connect()
      for (const channel of channels()) await fresh.query(`listen "${channel}"`)
    } catch (error) {
      fresh.end().catch(() => {})
      throw error
    }
    client = fresh
    missed()
  }

  function again(): void {
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(() => connect().catch(again), RETRY_MS).unref()
  }

  return {
    async renew() {
      if (!client) return connect()
      for (const channel of channels()) await client.query(`listen "${channel}"`)
    },
    async stop() {
      stopped = true
      clearTimeout(retry)
      await connecting?.catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}
