/** Notifications of the database: `NOTIFY` on a channel → the callbacks of that channel. */
import pg from 'pg'

export type OnNotification = (channel: string, payload: string | undefined) => void

export interface Listening {
  /** Call it after a channel was added. */
  renew(): Promise<void>
  stop(): Promise<void>
}

/** The embedded engine has one connection, so it listens on that one. */
export function listenOnPool(
  pool: pg.Pool,
  channels: () => Iterable<string>,
  onNotification: OnNotification,
): Listening {
  const listen = async (client: pg.ClientBase) => {
    for (const channel of channels()) await client.query(`listen "${channel}"`)
  }
  pool.on('connect', client => {
    client.on('notification', n => onNotification(n.channel, n.payload))
    // A new connection after a restart: notifications in between are lost.
    listen(client).then(
      () => {
        for (const channel of channels()) onNotification(channel, undefined)
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
  onNotification: OnNotification,
  log: (message: string, detail?: unknown) => void,
): Listening {
  let client: pg.Client | undefined
  let connecting: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined
  let stopped = false

  const notifyMissed = () => {
    for (const channel of channels()) onNotification(channel, undefined)
  }

  function connect(): Promise<void> {
    connecting ??= open().finally(() => {
      connecting = undefined
    })
    return connecting
  }

  async function open(): Promise<void> {
    const candidate = new pg.Client(config)
    candidate.on('notification', n => onNotification(n.channel, n.payload))
    candidate.on('error', error => log('the listening connection was lost', error))
    candidate.on('end', () => {
      if (client !== candidate) return
      client = undefined
      notifyMissed()
      reconnect()
    })
    try {
      await candidate.connect()
      for (const channel of channels()) await candidate.query(`listen "${channel}"`)
    } catch (error) {
      candidate.end().catch(() => {})
      throw error
    }
    client = candidate
    notifyMissed()
  }

  function reconnect(): void {
    if (stopped) return
    clearTimeout(retry)
    retry = setTimeout(() => connect().catch(reconnect), RETRY_MS).unref()
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
