/** Creates and connects the parts of the service: configuration → database → endpoints → HTTP. */
import type { FastifyInstance } from 'fastify'
import { speechProblem } from './ai/speech/index.ts'
import type { Config } from './config.ts'
import { openEngine } from './db/engine.ts'
import { imagePath } from './db/image-path.ts'
import { maintain } from './db/maintenance.ts'
import { migrate } from './db/migrate.ts'
import { watchAnswers } from './features/assistant/abandoned.ts'
import { answersSettled, closeAnswers } from './features/assistant/active-answers.ts'
import { type Filled, fillDemo, type OnProgress } from './features/demo/index.ts'
import { eventKinds } from './features/events/index.ts'
import { startMailboxPoller } from './features/inbound/mailbox/poll.ts'
import { chores, featureEndpoints, featureJobs } from './features/index.ts'
import { openChannel } from './features/installation/channel.ts'
import { localCommands } from './features/installation/index.ts'
import { mcpEndpoint } from './features/mcp/index.ts'
import { startIndexer } from './features/search/indexer.ts'
import { startWebhooks } from './features/webhooks/dispatch.ts'
import { buildApp } from './http/app.ts'
import { answerOf } from './http/error-answer.ts'
import { createLog } from './http/log.ts'
import { tokens } from './http/tokens.ts'
import { INSTALLATION } from './http/web/build.ts'
import { type WebClient, webClient } from './http/web/client.ts'
import { openCaches } from './kernel/cache.ts'
import type { Services } from './kernel/context.ts'
import { openEncryption } from './kernel/encryption.ts'
import { closeEventStreams } from './kernel/event-stream.ts'
import { endpointsOf } from './kernel/general-endpoints.ts'
import { tableGroupsOf } from './kernel/reach.ts'
import { STORED_HOURS } from './kernel/replay.ts'
import type { Endpoint } from './kernel/resource.ts'
import { groupsOf } from './kernel/scopes.ts'
import { type FirstAccount, firstAccount } from './resources/accounts/first-account.ts'
import { identityEndpoints } from './resources/accounts/index.ts'
import { ownerContext } from './resources/accounts/owner-context.ts'
import { issueSetupToken } from './resources/accounts/setup-token.ts'
import { apiKeyEndpoints } from './resources/api-keys/index.ts'
import { resources } from './resources/index.ts'
import { links, targets } from './resources/kinds.ts'
import { startWorker } from './worker/worker.ts'

export interface Service {
  app: FastifyInstance
  services: Services
  /** the account that the first start created, with its key, which is shown only once */
  first: FirstAccount | undefined
  /** Fills the account of the first start with demo data. */
  fillDemo(onProgress?: OnProgress): Promise<Filled>
  /** A token for the link to the first run, if no person can sign in yet. */
  setupToken(): Promise<string | undefined>
  web: WebClient
  close(): Promise<void>
}

export const allEndpoints = (): Endpoint[] => [
  ...resources.flatMap(endpointsOf),
  ...featureEndpoints(resources),
  ...identityEndpoints,
  ...apiKeyEndpoints,
]

async function openServices(config: Config): Promise<{ services: Services; endpoints: Endpoint[] }> {
  const log = createLog(config.logLevel)
  const problem = speechProblem(config)
  if (problem) log.warn(problem)
  const engine = await openEngine({
    databaseUrl: config.databaseUrl,
    readUrl: config.databaseReadUrl,
    dataDir: config.dataDir,
    imagePath,
    fsync: config.fsync,
    poolSize: config.limits.poolSize,
    statementTimeoutMs: config.limits.statementTimeoutMs,
    log: (message, detail) => log.warn({ err: detail }, message),
  })
  try {
    await migrate(engine)
    const endpoints = allEndpoints()
    const caches = openCaches(engine)
    const services: Services = {
      engine,
      config,
      log,
      caches,
      state: new Map(),
      tokens: await tokens({ engine, config, log, caches }),
      encryption: await openEncryption(engine, config.encryptionKey),
      scopeGroups: groupsOf(endpoints),
      tableGroups: tableGroupsOf(
        [...resources, { name: 'files', record: { table: 'files' } }],
        links.map(({ table, ends }) => ({ table, ends: ends.map(end => targets[end.kind].table) })),
      ),
    }
    return { services, endpoints }
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}

/** For a command on the database, with nothing that runs beside it. */
export async function withServices<T>(config: Config, work: (services: Services) => Promise<T>): Promise<T> {
  const { services } = await openServices(config)
  try {
    return await work(services)
  } finally {
    await services.engine.close()
  }
}

/** A process that runs jobs only, separate from those that handle requests. */
export async function createWorker(config: Config): Promise<Pick<Service, 'services' | 'close'>> {
  const { services } = await openServices(config)
  const worker = await startWorker(services, featureJobs(resources), chores)
  const webhooks = await startWebhooks(services, eventKinds(resources))
  const mailbox = startMailboxPoller(services)
  return {
    services,
    async close() {
      await Promise.all([worker.stop(), webhooks.stop(), mailbox?.stop()])
      await services.engine.close()
    },
  }
}

export interface DemoOptions {
  /** the id or slug of the account; the first one unless set */
  account?: string | undefined
  /** the day on which the demo takes place; the present one unless set */
  today?: string | undefined
  isForced?: boolean
  onProgress?: OnProgress | undefined
}

const fillAccount = async (
  services: Services,
  { account, today = new Date().toISOString().slice(0, 10), ...options }: DemoOptions,
): Promise<Filled> => fillDemo(await ownerContext(services, account), today, options)

/** `kith demo`: fills an account and nothing else. Where there was none, the key of the new one is shown only here. */
export async function fillWithDemo(
  config: Config,
  options: DemoOptions,
): Promise<Filled & { new_key?: string }> {
  const { services } = await openServices(config)
  try {
    const first = await firstAccount(services)
    const filled = await fillAccount(services, options)
    return first?.newKey === undefined ? filled : { ...filled, new_key: first.newKey }
  } finally {
    await services.engine.close()
  }
}

export async function createService(config: Config): Promise<Service> {
  const { services, endpoints } = await openServices(config)
  const { engine, log } = services
  try {
    const first = await firstAccount(services)
    if (first && config.demo) await fillAccount(services, { account: first.accountId })
    const web = webClient(INSTALLATION, log)
    const app = await buildApp(services, endpoints, [mcpEndpoint(endpoints, answerOf)], web)
    const answers = await watchAnswers(services)
    const worker = config.jobs.inServer
      ? await startWorker(services, featureJobs(resources), chores)
      : undefined
    const webhooks = config.jobs.inServer ? await startWebhooks(services, eventKinds(resources)) : undefined
    const mailbox = config.jobs.inServer ? startMailboxPoller(services) : undefined
    const { trashDays } = config.limits
    const maintenance = maintain(engine, { trashDays, idempotencyHours: STORED_HOURS, log })
    const indexer = config.search.indexer ? startIndexer(services) : undefined
    const channel = await openChannel(services, localCommands)
    return {
      app,
      services,
      first,
      fillDemo: onProgress => fillAccount(services, { account: first?.accountId, onProgress }),
      setupToken: () => issueSetupToken(services),
      web,
      async close() {
        closeEventStreams(services)
        closeAnswers(services)
        await channel?.close()
        await app.close()
        await answersSettled(services)
        answers.stop()
        await Promise.all([worker?.stop(), webhooks?.stop(), mailbox?.stop()])
        await indexer?.stop()
        await maintenance.stop()
        await engine.close()
      },
    }
  } catch (error) {
    await engine.close().catch(() => {})
    throw error
  }
}
