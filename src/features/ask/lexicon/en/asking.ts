/** Words that ask: which, who, how many, when, where, why. */
import { words } from '../entries.ts'

export const ASKING: Readonly<Record<string, readonly string[]>> = {
  Article: words(
    'the, a, an, our, their, its, those, these, any, some, his, her, a single, even a single, even one',
  ),
  Ask: words(
    `which, what, list, show, show me, give me, gimme, find, find me, what are, which are, which of, list of, get, get me, name, break down, break, split, what is, what about, display, rank, rank the`,
  ),
  AskWho: words('who, whom, who are'),
  AskField: words('what, which'),
  WhatIs: words('what is, what, what are, what was, how is'),
  What: words('what, anything, everything, what else, something'),
  Who: words('who, whom'),
  WhoIs: words('who is, who'),
  Everything: words('everything, all that is, anything, all we have'),
  Everyone: words('everyone, everybody, anyone, anybody, all people, somebody, someone'),
  WhoWorks: words('who works, who do we know, who is, who do i know'),
  PeopleAt:
    words(`who works at, who work at, who works for, who do we know at, whom do we know at, who do we know in,
    who do we know from, who is at, do we know at, who do i know at, which people do we know at`),
  WhoOfUs:
    words(`who, who of us, which of us, which rep, which reps, which sales rep, which owner, which salesperson,
    which seller, which colleague, which person`),
  EachOfUs: words(
    'each of us, everyone, everybody, each person, each owner, each rep, every owner, every rep, each seller',
  ),
  Person: words('person, head, rep, colleague'),
  Exists:
    words(`are there, is there, do we have, have we got, have we, has anyone, do we know, we know, i know,
    we have, there are, do i know, exist, we work with, we do business with, we deal with, do we work with,
    do we do business with, do we deal with, are we working with, do we serve, we serve, are in the system, are in our system, are in our address book,
    are in the address book, are in the crm, are in our crm, are in our database`),
  HowManyOf:
    words(`how many, how many different, how many distinct, in how many, in how many different, the number of different,
    the number of distinct, number of different, from how many, from how many different, across how many`),
  Count: words(`how many, how many of, number of, the number of, count, count of, what is the number of,
    what number of`),
  HowMuch: words('how much, how much of'),
  HowMuchIsIt: words('how much, how much is it, how much was it, what amount'),
  HowBig: words('how big, how large'),
  HowLikely: words('how likely'),
  Why: words('why, what for, for what reason, for which reason'),
  ThereAre: words('are there, is there, there are, there is, exist'),
  ForMe: words('for me'),
  WhichOnes: words(
    `which ones, which ones are they, which are they, which, and which ones, if so which ones, if so which, which one,
    which one is it, and which one, who, who are they, who is it, name them, list them, what are they, name it,
    give me their names, give me the names, give me the company names, give me the names of the companies, and which`,
  ),
  Any: words('any, are there any, is there any, do we have any'),
  DoAny: words(
    'do any, are any, is any, does any, are any of, have any, do any of, does any of, is any of, have any of',
  ),
  WhenIs:
    words(`when is, when do we expect, when should, when does, when will, when are, when was, when were, when did, when, when do we expect to,
    when are we expecting`),
  OfWhen: words('when is, when was, what is, what was, when, what, which is, which was'),
  HowOften: words('how often, how many times'),
  HowLong: words('how long'),
  WhereIs: words('where is, where are, where does, where do, where was, where did, where will, where were'),
  Where: words('where'),
  When: words('when, when do, when does, when will'),
  WhoseAre: words('whose are, who owns'),
  HowDoes: words('how does, how do'),
}
