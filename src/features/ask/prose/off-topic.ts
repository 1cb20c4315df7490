/**
 * Questions about general knowledge, which no CRM answers, and about internal matters, which it rarely does. Some
 * passage is always close to them by a word or two ("rate", "euro", "days"), so they are recognised by their
 * likeness to example questions.
 */
import type { Embedder } from '../../../ai/embedder.ts'
import { cosine } from '../../../ai/vectors.ts'

const OFF_TOPIC = [
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
  'How does a fridge work?',
  'How do I fix a flat tyre?',
  'How do I learn to swim?',
  'What is the square root of nine?',
  'What does this word mean?',
  'How do you say thank you in Spanish?',
  'How many calories does an apple have?',
  'What should I do against a headache?',
]

const OF_THE_HOUSE = [
  'What is the password of the wireless network?',
  'How do I reset my password?',
  'Which laptop do new colleagues get?',
  'Where can I find the printer?',
  'When does the lease of our office end?',
  'How much rent do we pay for the office?',
  'Who is on duty this weekend?',
  'Who is at the front desk today?',
  'Who is off sick today?',
  'How many days of vacation do I have left?',
  'How many hours of overtime did we work?',
  'When is payday?',
  'What is my salary?',
  'Who got a pay rise?',
  'How many people work for us?',
  'When was our company founded?',
  'Who founded our company?',
  'Where is our headquarters?',
  'Who sits on our board?',
  'What profit did we make last year?',
  'How much did we spend on advertising?',
  'How high is our electricity bill?',
  'What is our tax number?',
  'How do I hand in my travel expenses?',
  'Which company car do I get?',
  'Where is the delivery van at the moment?',
  'How many of these are in stock?',
  'How many units did we produce last week?',
  'When does the next version come out?',
  'Which servers do we run on?',
  'What is on the product roadmap?',
  'Who is our lawyer?',
  'How many people visited our website?',
  'Who won employee of the month?',
  'When is the next company party?',
  'What is on the canteen menu?',
  'Which health insurance do we have?',
  'What training can I sign up for?',
  'What are the opening hours of our office?',
  'Which law applies to this?',
  'What does the regulation say?',
  'What do raw materials cost these days?',
  'How do I repair this machine?',
  'Where can I park my bike?',
]

/** Of the questions in bench/quality, those that records answer stay below this, or say so much more. */
const NEAR = 0.5

export type Elsewhere = 'world' | 'house'

const known = new WeakMap<Embedder, Promise<Float32Array[]>>()

export async function elsewhere(embedder: Embedder, question: string): Promise<Elsewhere | undefined> {
  if (!known.has(embedder)) {
    const vectors = embedder.embed([...OFF_TOPIC, ...OF_THE_HOUSE], true)
    known.set(embedder, vectors)
    // asked again when the model is there again
    vectors.catch(() => known.delete(embedder))
  }
  const [asked] = await embedder.embed([question], true)
  const near = (await known.get(embedder)!).map(vector => cosine(asked!, vector) > NEAR)
  if (near.slice(0, OFF_TOPIC.length).includes(true)) return 'world'
  return near.includes(true) ? 'house' : undefined
}
