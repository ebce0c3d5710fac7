import { describe, expect, it } from 'vitest'
import { ruleInWords } from '#shared/time/rule-words'

describe("a rule's description", () => {
  it.each([
    ['FREQ=DAILY', 'every day'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=5', 'every 3 days'],
    ['FREQ=WEEKLY;BYDAY=FR,MO;INTERVAL=2;WKST=SU', 'every 2 weeks on Monday and Friday'],
    ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL=20271231', 'every month on day 1 and day 15'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,14', 'every month on day 14 and the last day'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2', 'every month on the second-to-last day'],
    ['FREQ=MONTHLY;BYDAY=1MO', 'every month on the first Monday'],
    ['FREQ=MONTHLY;BYDAY=2TU,4TU', 'every month on the second and fourth Tuesday'],
    ['FREQ=MONTHLY;BYSETPOS=2;BYDAY=TU', 'every month on the second Tuesday'],
    ['FREQ=MONTHLY;INTERVAL=3;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'every 3 months on the last weekday'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1', 'every month on the first and last weekday'],
    ['FREQ=MONTHLY;BYDAY=1FR,3FR', 'every month on the first and third Friday'],
    ['FREQ=MONTHLY;BYDAY=1MO,-1FR', 'every month on the first Monday and the last Friday'],
    ['FREQ=MONTHLY;BYDAY=FR,3FR', null],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,7', null],
    ['FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'every year on the fourth Thursday of November'],
    ['FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1', 'every year on day 1 of March'],
    ['FREQ=DAILY;BYMONTH=7,8', 'every day in July and August'],
  ])('%s', (rule, words) => {
    expect(ruleInWords(rule)).toBe(words)
  })

  it.each([
    'FREQ=HOURLY',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=MONTHLY;BYMONTHDAY=-7',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=YEARLY;BYYEARDAY=100',
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=DAILY;BYHOUR=9,17',
    'FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1',
    'nonsense',
  ])('of %s is too complex for words', (rule) => {
    expect(ruleInWords(rule)).toBeNull()
  })
})
