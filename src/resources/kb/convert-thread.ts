/** The thread of long conversions, so that the main thread can answer requests. */
import { parentPort } from 'node:worker_threads'
import { type Conversion, conversions } from './convert.ts'

parentPort?.on('message', ({ conversion, input }: { conversion: Conversion; input: string }) => {
  parentPort?.postMessage(conversions[conversion](input))
})
