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
