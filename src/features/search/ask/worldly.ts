/**
 * Questions about the world, which no CRM answers. Some passage is always near to them by a word or two ("rate",
 * "euro"), so they are told by what they are themselves near to.
 */
import type { Embedder } from '../../../ai/embedder.ts'
import { cosine } from '../../../ai/vectors.ts'

const WORLDLY = [
  'What is the weather like today?',
  'Will it rain tomorrow?',
  'How warm is it outside?',
  'What time is it?',
  'What is the date today?',
  'When does the sun rise?',
  'Why is the sky blue?',
  'How far away is the moon?',
  'What is the capital of France?',
  'How high is the highest mountain?',
  'How many people live in the world?',
  'Who is the president?',
  'Who won the election?',
  'Who won the match last night?',
  'Who won the world cup?',
  'Who wrote this novel?',
  'Who painted this picture?',
  'When did the war end?',
  'Who invented the telephone?',
  'What is the exchange rate of the dollar?',
  'How high is inflation?',
  'What is the share price?',
  'How did the stock market do today?',
  'How do I bake a cake?',
  'How long do eggs have to boil?',
  'What is for lunch?',
  'Which restaurant do you recommend?',
  'How do I get to the airport?',
  'When does the next train leave?',
  'Is there a traffic jam?',
  'What is on television tonight?',
  'Which film should I watch?',
  'Tell me a joke.',
  'How do I fix a flat tyre?',
  'How do I learn to swim?',
  'What is the square root of nine?',
  'What does this word mean?',
  'How do you say thank you in Spanish?',
  'How many calories does an apple have?',
  'What should I do against a headache?',
]

/** Of the questions in bench/quality, those that records answer stay below this. */
const NEAR = 0.5

const known = new WeakMap<Embedder, Promise<Float32Array[]>>()

export async function isWorldly(embedder: Embedder, question: string): Promise<boolean> {
  if (!known.has(embedder)) {
    const vectors = embedder.embed(WORLDLY, true)
    known.set(embedder, vectors)
    // asked again when the model is there again
    vectors.catch(() => known.delete(embedder))
  }
  const [asked] = await embedder.embed([question], true)
  return (await known.get(embedder)!).some(vector => cosine(asked!, vector) > NEAR)
}
