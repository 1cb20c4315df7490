/** How people speak of what they did, what they still have to do, and of the whole team. */
import { MONTH } from './calendar.ts'
import type { Rewrite } from './colloquial.ts'

const WHO = '(we|i|you|they|everyone|everybody|¤)'
const STATE = '(overdue|late|open|planned|due|upcoming|completed|outstanding|pending|unfinished|urgent)'
const DONE: Record<string, string> = { week: 'this week', day: 'today', month: 'this month' }

const TEAM: Rewrite[] = [
  ['(did|do|does|has|have|had|is) (?:the|our) (?:whole |entire |sales )*team', verb => `${verb} we`],
  ['(?:for |across |of |by |in )?(?:the |our )?(?:whole|entire|complete) (?:sales )?team', ''],
  ['(?:for|across) (?:the|our) (?:sales )?team', ''],
]

const TALKED: Record<string, string> = {
  call: 'calls',
  phone: 'calls',
  ring: 'calls',
  meet: 'meetings',
  met: 'meetings',
  visit: 'meetings',
  see: 'meetings',
  email: 'emails',
}
const typeOf = (verb: string): string =>
  TALKED[Object.keys(TALKED).find(key => verb.startsWith(key)) ?? ''] ?? 'calls meetings or emails'

/** Whether two have talked, and what is on somebody's list. */
const ASKED: Rewrite[] = [
  [
    '(?<=^ )(?:did|has|have) (we|i|anyone|anybody|someone|somebody|¤) (?:ever |already |actually )*(talk(?:ed)?|sp(?:eak|oke|oken)|call(?:ed)?|phoned?|me(?:e)?t|visit(?:ed)?|email(?:ed)?)(?: (?:to|with))?(?: (?:the|our))? ¤(?= )',
    (who, verb) =>
      `were there ${typeOf(verb!)} completed ${who === 'i' ? 'by me' : who === '¤' ? '¤' : ''} with ¤`,
  ],
  [
    '(?<=^ )what (?:am|is|are) (i|we|¤) (?:late|behind|overdue)(?: (?:with|on|for))?',
    who => `which overdue activities ${who === 'i' ? 'by me' : who}`,
  ],
  [
    '(?<=^ )(?:(?:show|give|what|how|look)(?: me| is| does| at)? )?(?:(?:in|on) )?(my|¤) (week|day)(?: (?:look|looks|looking)(?: like)?)?(?= $)',
    (who, unit) => `which planned activities ${who === 'my' ? 'assigned to me' : who} ${DONE[unit!]}`,
  ],
  [
    '(?<=^ )what (?:did|have|has) (we|i|they|everyone|everybody|¤) (?:do|done|get done|got done)(?= )',
    who => `which activities did ${/^every|they/.test(who!) ? 'we' : who} do`,
  ],
]

const TO_DO: Rewrite[] = [
  [
    '(?<=^ )what (?:do|does) (we|¤) (?:still )?(?:have|need) to do|(?:(?<=^ )what do|everything) (i) (?:still )?(?:have|need) to do',
    (who, me) => `which activities not done ${me ? 'by me' : who}`,
  ],
  [
    '(?<!^ what (?:do|should|must|shall) i )(?:still )?(?:have|has|need|needs|ought|got) (?:still )?to (?:send|make|do|finish|complete|write|hold)(?= $| (?:this|next|today|tomorrow|by|before|on|in|for|until|to|¤) )',
    'not done',
  ],
  ['(?:that |which )?(?:still |yet )?(?:to be sent|to send|unsent|not (?:yet )?sent)(?= )', 'not done'],
  [
    `(?:did ${WHO} )?(?:leave|left|leaving) (?:undone|unfinished|open)`,
    who => `not done ${who === 'i' ? 'by me' : (who ?? '')}`,
  ],
  [`${STATE} for me`, state => `${state} by me`],
  [
    '(what is|anything|something|what is there) (on|up|left|to do|coming up)? ?for me',
    what => `${what} by me`,
  ],
]

/** What is called neither a task nor a call. */
const THINGS: Rewrite[] = [
  [`${STATE} (?:items?|things?|stuff|points?)`, state => `${state} activities`],
  [`(?:things|stuff) ${WHO} (did|have done|has done|completed)`, (who, did) => `activities ${who} ${did}`],
  ['(which|what|how many) things(?= (?:did|have|has|do|are|were|is|not) )', how => `${how} activities`],
  ['(?<=^ )have (i|we) got(?= )', who => `do ${who} have`],
  // those that a contract includes are none of ours
  [
    `(?<! (?:site|web|page|website|online) )visits(?= (?:did|have|has|had|do|were|we|i|made|planned|scheduled|this|last|next|today|tomorrow|yesterday|¤|(?:to|at|with|by) ¤|in (?:the (?:last|past|next)|${MONTH})) )`,
    'meetings',
  ],
  ['(?<= (?:my|our|upcoming|planned|completed|overdue) )visits', 'meetings'],
  ['(?<= (?:next|last|latest|upcoming|planned|any) )visit', 'meeting'],
]

/** Deals that move to another time, and money that comes with them. */
const MOVED: Rewrite[] = [
  [
    `(?:move|moves|moving|slip|slips|slipping|spill|spills|spilling|fall|falls|falling)(?: (?:over|out))? (into|to|past|beyond)(?= (?:the )?(?:${MONTH}|next|q[1-4]|20\\d\\d|year|end|new|christmas))`,
    where => `expected to close ${/to$/.test(where!) ? 'in' : 'after'}`,
  ],
  // who signs is won
  [
    '(?<= (?:¤|companies|accounts) )(?:that |who |which )?(?:have |has )?signed(?= (?:before|after|since|in|this|last|during) )',
    'we won',
  ],
  [
    'how much (?:(?:money|revenue|business) )?(?:could|will|might|can|should|may|would) (?:still |yet )?(?:come|flow|roll) in',
    'how much pipeline expected to close',
  ],
  ['next (\\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) closings', n => `next ${n} deals to close`],
  [
    '(have|has|with|having) neither (?:an? |any )?((?:\\S+ ){1,3}?)nor(?: an?| any)?',
    (verb, one) => `${verb} no ${one}and no`,
  ],
]

export const ACTIVITY_WORDS: Rewrite[] = [...TEAM, ...ASKED, ...TO_DO, ...THINGS, ...MOVED]
