/** Texts as vectors: by the model that comes with the service, or by an OpenAI-compatible endpoint. */
import type { Services } from '../kernel/context.ts'
import { processState } from '../kernel/process-state.ts'
import type { Embedder } from './embedder.ts'
import { localEmbedder } from './local-embedder.ts'
import { remoteEmbedder } from './remote-embedder.ts'

export { type Embedder, ModelUnavailable } from './embedder.ts'

interface Embedders {
  /** the configured model first, then those whose older vectors can still be compared */
  present: readonly Embedder[]
  /** earlier models that the same endpoint still has, by name */
  earlier: Map<string, Embedder>
}

const opened = processState<Embedders>(({ config: { embeddings } }) => {
  const { remote, local, dir } = embeddings
  return {
    present: [...(remote ? [remoteEmbedder(remote)] : []), ...(local ? [localEmbedder(dir)] : [])],
    earlier: new Map(),
  }
})

/** The configured model first, then those whose older vectors can still be compared. None: embeddings are off. */
export const embeddersOf = (services: Services): readonly Embedder[] => opened(services).present

/** The embedder whose vectors have this model name: one of the above, or an earlier model of the same endpoint. */
export function embedderNamed(services: Services, model: string): Embedder | undefined {
  const { present, earlier } = opened(services)
  const existing = present.find(embedder => embedder.model === model) ?? earlier.get(model)
  const { remote } = services.config.embeddings
  if (existing || !remote) return existing
  const embedder = remoteEmbedder({ ...remote, model })
  earlier.set(model, embedder)
  return embedder
}
