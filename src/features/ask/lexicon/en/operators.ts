/** Words that change what is asked: not, or, all, only, without. */
import { words } from '../entries.ts'

/** "t" is what is left of "don't". */
export const OPERATORS: readonly string[] = words(
  `or, nor, neither, no, not, none, never, without, nobody, nothing, except, excluding, excluded, exclude, apart, aside,
  besides, outside, other, others, minus, unlike, ignoring, unless, instead, all, every, everyone, everybody,
  everything, each, both, either, only, else, if, could, would, might, t`,
)

export const OPERATOR_WORDS: Readonly<Record<string, readonly string[]>> = {
  Nobody: words('nobody, no one, none of us, no-one'),
  Never: words('never, not, never ever, not once'),
  NotDone:
    words(`haven t, hasn t, hadn t, didn t, have not, has not, had not, did not, weren t, wasn t, were not,
    was not, aren t, isn t`),
  LackVerb:
    words(`have no, has no, had no, lack, don t have, do not have, doesn t have, does not have, have not got, are missing,
    is missing, don t have any, doesn t have any, have never had, has never had, have had no, has had no, lacks`),
  Lack: words(`where nobody has filled in, nobody has filled in, where nobody has entered, nobody has entered, has nobody entered,
    has nobody filled in, nobody has recorded, we don t know, we do not know, do we not know, don t we know,
    do we not yet know, have we not recorded, we have not recorded, we haven t recorded, without, with no, have no, has no, lack, lacking, missing, don t have, do not have, doesn t have,
    does not have, with neither, having no, have not got, had no, without any, are missing, not have, no,
    are not linked to any, not linked to any, not linked to a, never linked to any, not assigned to any, are not assigned to any,
    not assigned to a, don t belong to any, do not belong to any, doesn t belong to any, not belonging to any,
    are not part of any, aren t linked to any, aren t assigned to any, are not attached to any, not attached to any, we have never had, we never had,
    have never had, has never had, never had, have never had any, has never had any, never had any, have had no,
    has had no, still missing, still lack, do we not have, don t we have, do we have no, we don t have, we do not have,
    we have no, do we lack, are we missing, there is no, there are no, where there is no, where there are no`),
  Nothing: words('with nothing, have nothing, has nothing, that have nothing, without anything, nothing'),
  Anything: words('anything, something, any deals, any deal, a deal'),
  Not: words(`not, aren t, isn t, weren t, wasn t, excluding, outside, outside of, based outside, located outside,
    based outside of, sits outside, sit outside, lies outside, lie outside, not based in, not located in, from outside, from outside of, other than, non, haven t, have not,
    haven t been, have not been, don t, do not`),
  Except: words('except, except for, excluding, other than, apart from, but not, besides, bar, aside from'),
  Or: words('or'),
  Nor: words('nor'),
  And: words('and, and also, as well as, plus, and are, and that are, and who are'),
  But: words('but, yet, but also, though'),
  Either: words('either'),
  Neither: words('neither'),
  Both: words('both'),
  Only: words('only, just, nothing but, exclusively, only ever'),
  All: words('all, every, each, all of, each of, every single, every one of, all the, all our'),
  AllOfWhose: words('all of whose, all whose'),
  OneByOne: words('each, apiece'),
  DoAll: words(
    'do all of, did all, did all of, have all of, has every, was every, were all of, do all, are all, is every, have all, does every, is each, are all of, were all, does each',
  ),
  Will: words('will, is going to, are going to, is supposed to, are supposed to, should'),
  Missing:
    words(`missing, empty, blank, unknown, not known, not filled in, not set, not entered, not recorded, still missing,
    not specified, not given`),
  Recorded: words(
    `entered, recorded, filled in, set, given, specified, stored, noted, listed, maintained, on record`,
  ),
  OneOf: words('one, another, any, another one, a single one, one of them'),
  CouldBringIn: words('could we bring in, could come in, would we bring in, could we make, could we earn'),
  IfAllClose:
    words(`if every deal closes, if all deals close, if every deal due then closes, if everything closes,
    if all of them close, if we win them all`),
  Including: words('including, including the, also the'),
}
