/** What an answer must hold whatever it says: who asks how many wants a number, who asks when wants a time. */

const HOW_MUCH =
  /\bhow (?:many|much|long|old|tall|far|big|often|large|high|fast)\b|\bwhat (?:time|price|percentage|amount|number)\b/
const WHEN = /\bwhen (?:is|are|was|were|do|does|did|will|can|should|has|have)\b/

const NUMBERS =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|sixty|hundred|thousand|million|half|third|quarter|twice|both|couple|single|first|second)\b/
const TIMES =
  /\d|\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|christmas|easter|today|tomorrow|tonight|yesterday|(?:day|week|month|quarter|year)s?|q[1-4]|mornings?|noon|evenings?|nights?|soon|after|before|until|when|once)\b/

export function isOfKind(question: string, text: string): boolean {
  const [asked, told] = [question.toLowerCase(), text.toLowerCase()]
  if (HOW_MUCH.test(asked)) return NUMBERS.test(told)
  return !WHEN.test(asked) || TIMES.test(told)
}
