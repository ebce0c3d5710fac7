import { describe, expect, it } from 'vitest'
import { peopleOf, suggestPeople } from '#shared/domain/people'

const now = Date.UTC(2026, 5, 10)
const day = 86_400_000
const mina = { email: 'mina.park@example.com', name: 'Mina Park' }
const jonas = { email: 'jonas@example.com', name: 'Jonas Weber' }
const emails = (people: readonly { email: string }[]): string[] => people.map(({ email }) => email)

describe('people', () => {
  it('are those met most often and most recently first', () => {
    const people = peopleOf(
      [
        { ...jonas, at: now - 300 * day },
        { ...jonas, at: now - 290 * day },
        { ...mina, at: now - 2 * day },
        { email: 'vera@example.com' },
      ],
      now,
      new Set(),
    )
    expect(emails(people)).toEqual([mina.email, 'vera@example.com', jonas.email])
  })

  it('are one by any spelling of their address, with the name that anyone wrote', () => {
    const [one, ...others] = peopleOf(
      [
        { email: 'Mina.Park@Example.com ', name: 'mina.park@example.com', at: now },
        { ...mina, at: now },
      ],
      now,
      new Set(),
    )
    expect(one).toMatchObject(mina)
    expect(others).toEqual([])
  })

  it('say when they were met last and are met next', () => {
    const at = (days: number): { email: string; at: number } => ({ email: mina.email, at: now + days * day })
    const [one] = peopleOf([at(-9), at(-2), at(-5), at(7), at(3), { email: mina.email }], now, new Set())
    expect(one).toMatchObject({ last: now - 2 * day, next: now + 3 * day })
    const [other] = peopleOf([{ email: mina.email }], now, new Set())
    expect(other).not.toHaveProperty('last')
    expect(other).not.toHaveProperty('next')
  })

  it('are neither you, nor calendars, rooms, or machines', () => {
    const own = new Set(['alex@example.com'])
    const others = ['alex@example.com', 'team@group.calendar.example.com', 'noreply@example.com', 'no address']
    expect(
      peopleOf(
        others.map((email) => ({ email, at: now })),
        now,
        own,
      ),
    ).toEqual([])
  })
})

describe('suggestions', () => {
  const people = peopleOf(
    [
      { ...mina, at: now },
      { ...jonas, at: now },
      { ...jonas, at: now },
      { email: 'weberei@example.com', at: now - 400 * day },
      { email: 'ute@example.com', name: 'Ute Förster', at: now },
    ],
    now,
    new Set(),
  )
  const suggested = (typed: string, taken: string[] = []): string[] =>
    emails(suggestPeople(people, typed, new Set(taken), 3))

  it('begin with the typed text before they contain it', () => {
    expect(suggested('web')).toEqual(['weberei@example.com', jonas.email])
    expect(suggested('park')).toEqual([mina.email])
    expect(suggested('forst')).toEqual(['ute@example.com'])
    expect(suggested('nas')).toEqual([jonas.email])
    expect(suggested('xyz')).toEqual([])
  })
  it('have the typed text as a whole word before a longer one', () => {
    const named = (name: string, at: number) => ({
      email: `${name.toLowerCase().replaceAll(' ', '.')}@example.com`,
      name,
      at,
    })
    const met = [
      named('Amy Johnston', now),
      named('Amy-Lou Johns', now - 90 * day),
      named('Johns Cole', now - 99 * day),
    ]
    const names = (typed: string): string[] =>
      suggestPeople(peopleOf(met, now, new Set()), typed, new Set(), 3).map(({ name }) => name)
    expect(names('Johns')).toEqual(['Amy-Lou Johns', 'Johns Cole', 'Amy Johnston'])
    expect(names('amy-lou johns')).toEqual(['Amy-Lou Johns'])
    expect(names('john')).toEqual(['Johns Cole', 'Amy Johnston', 'Amy-Lou Johns'])
  })
  it('are those met most without text, and never someone who is already a guest', () => {
    expect(suggested('')[0]).toBe(jonas.email)
    expect(suggested('', [jonas.email])).not.toContain(jonas.email)
    expect(suggested('jonas', [jonas.email])).toEqual([])
  })
})
