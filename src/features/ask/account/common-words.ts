/** Words that stand in names and everywhere else: alone they name somebody only when they are written as a name. */

const COMMON = new Set(
  `capital bank banks energy group school schools university college hospital hospitals clinic clinics museum
  council hotel hotels media system systems solution solutions service services software hardware consulting
  consultants partner partners holding holdings industry industries international global world national general
  american united first royal technology technologies tech lab labs motor motors food foods kitchen trading trade
  security solar power marine telecom robotics analytics insurance mutual credit union logistics transport air
  fitness winery farm farms nursery nurseries dental veterinary pharmacy health healthcare care medical trust fund
  finance financial investment investments legal law estate property properties home house office design studio
  studios digital data cloud network networks web online mobile market marketing sales business company shop store
  stores retail fashion beauty cosmetics interiors textiles publishing press news book books education training
  travel sport sports club team people human city town country street north south east west river lake hill green
  blue red black white silver gold golden bronze star sun moon sky sea ocean new old big little great best next
  last core alpha beta delta omega prime central metro urban main federal state water gas oil steel iron metal
  mining paper wood plastic glass building construction engineering manufacturing supply product products project
  projects plan plans quality quick express direct smart future modern classic creative dynamic may will mark
  grant bill rich art hope grace faith dean miles chase price page cook king lane long young short small large
  strong wise fair rose summer winter autumn april june august dawn joy olive amber hall woods stone field fields
  brook bloom clay bell bush cross day days love more most much need order parks post rice sharp shell sands speed
  spring still strange sweet swift tan tell walls ward wells wild work working works worth`.split(/\s+/),
)

/** Whether a word of a question may be somebody's name by itself. `capitals`: the words that are written as names. */
export const mayName = (word: string, capitals: ReadonlySet<string>): boolean =>
  !COMMON.has(word) || capitals.has(word)

/** The words with a capital that they do not owe to the beginning of the sentence. */
export function capitalsIn(question: string, fold: (text: string) => string): Set<string> {
  const words = question.split(/[^\p{L}\p{N}\p{M}'’.&-]+/u).filter(word => word !== '')
  const small = words.filter(word => /^\p{Ll}/u.test(word)).length
  // in a title or in shouting a capital says nothing
  if (words.length > 2 && small === 0) return new Set()
  return new Set(
    words
      // "mark's email" is somebody's
      .filter((word, i) => (i > 0 && /^\p{Lu}/u.test(word)) || /['’]s$/.test(word))
      .map(word =>
        fold(word)
          .replace(/['’]s?$/, '')
          .replace(/\.$/, ''),
      ),
  )
}
