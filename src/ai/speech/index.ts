/** Recordings as text: by the model that comes with the service, or by an OpenAI-compatible endpoint. */
import type { Config } from '../../config.ts'
import { localRecognizer } from './local.ts'
import type { Recognizer } from './recognizer.ts'
import { remoteRecognizer } from './remote.ts'

export { type Heard, type Recognizer, type Recording, type Segment, SpeechFailed } from './recognizer.ts'

export const recognizerOf = ({ speech }: Config): Recognizer =>
  speech.remote ? remoteRecognizer(speech.remote) : localRecognizer(speech.ffmpeg)
