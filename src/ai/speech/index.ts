/** Recordings as text: by a model that runs here, or by an OpenAI-compatible endpoint. */
import type { Config } from '../../config.ts'
import { localRecognizer } from './local.ts'
import type { Recognizer } from './recognizer.ts'
import { remoteRecognizer } from './remote.ts'

export { speechProblem } from './local.ts'
export { type Recognizer, type Recording, type Segment, SpeechFailed, type Transcript } from './recognizer.ts'

export const recognizerOf = ({ speech }: Config): Recognizer =>
  speech.remote ? remoteRecognizer(speech.remote) : localRecognizer(speech)
