/** Texts as vectors: by the model that comes with the service, or by an OpenAI-compatible endpoint. */
import type { Config } from '../config.ts'
import type { Embedder } from './embedder.ts'
import { localEmbedder } from './local-embedder.ts'
import { remoteEmbedder } from './remote-embedder.ts'

export { type Embedder, ModelUnavailable } from './embedder.ts'

const made = new WeakMap<Config, Embedder[]>()

/** The configured model first, then those whose older vectors can still be asked. None: it is turned off. */
export function embeddersOf(config: Config): readonly Embedder[] {
  let embedders = made.get(config)
  if (!embedders) {
    const { remote, local, dir } = config.embeddings
    embedders = [...(remote ? [remoteEmbedder(remote)] : []), ...(local ? [localEmbedder(dir)] : [])]
    made.set(config, embedders)
  }
  return embedders
}

const older = new WeakMap<Config, Map<string, Embedder>>()

/** The one whose vectors go by this name: one of the above, or an earlier model that the same endpoint still has. */
export function embedderNamed(config: Config, model: string): Embedder | undefined {
  const present = embeddersOf(config).find(embedder => embedder.model === model)
  const { remote } = config.embeddings
  if (present || !remote) return present
  const known = older.get(config) ?? new Map<string, Embedder>()
  older.set(config, known)
  const embedder = known.get(model) ?? remoteEmbedder({ ...remote, model })
  known.set(model, embedder)
  return embedder
}
